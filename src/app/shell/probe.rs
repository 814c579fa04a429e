//! What the window shows, as a short JSON text for a test that looks at the page from outside: with `probe` in its address.

use crate::platform::{address, probe};
use crate::workbench::model::Model;
use serde_json::json;

/// The word in the page's address.
const WORD: &str = "probe";

/// Tells a test what is shown.
pub(super) struct Probe {
    frames: u64,
}

impl Probe {
    /// A probe, if the address asks for one.
    pub(super) fn asked_for() -> Option<Self> {
        let query = address::query()?;
        query.split('&').any(|word| word == WORD).then_some(Self { frames: 0 })
    }

    /// After a frame.
    pub(super) fn tell(&mut self, model: &Model) {
        self.frames += 1;
        let (run, pane) = (model.run(), model.pane(0));
        let stabilizer = &run.method().stabilizer;
        let parameters: serde_json::Map<_, _> = stabilizer
            .values
            .iter()
            .map(|(parameter, value)| (parameter.key.to_owned(), json!(value)))
            .collect();
        let bodies: Vec<_> = run.world().bodies().iter().map(|body| body.pose.position).collect();
        let seen: Vec<[f32; 2]> = bodies.iter().map(|at| model.sight.camera.to_screen(pane, *at)).collect();
        let state = json!({
            "frames": self.frames,
            "title": model.files.title,
            "playing": model.runs.player.playing,
            "scheme": stabilizer.info().key,
            "parameters": parameters,
            "h": run.time_step(),
            "t": run.world().time(),
            "steps": run.world().steps(),
            "joint_error": run.report().joint_error,
            // m, and points of the window.
            "bodies": bodies.iter().map(|at| [at.x, at.y]).collect::<Vec<_>>(),
            "seen": seen,
            "beside": model.comparison().forks().len(),
            "panes": model.panes().len(),
            "refusal": model.news.refusal.as_ref().map(|refusal| [refusal.title.clone(), refusal.problems.join("; ")]),
            "unsaved": model.is_unsaved(),
            "asks": model.document.is_asking(),
            // Work that is offered again.
            "lost": model.files.lost.as_ref().map(|lost| &lost.name),
            "recording": run.recorder().take().is_some(),
            "toast": model.news.toast.as_ref().map(|toast| &toast.text),
        });
        probe::tell(&state.to_string());
    }
}
