//! What a run warns of before its first step, and what its summary warns of.

use super::options::Posing;
use super::output::figure;
use crate::detect::{Detector, Reach};
use crate::experiment::{Gain, Summary, contradiction};
use crate::model::World;
use crate::scene::Scene;

/// What `run` and `check` warn of before the first step of the scene.
pub(super) fn beforehand(posing: &Posing, scene: &Scene) -> Vec<String> {
    let method = &scene.settings.method;
    let mut warnings = posing.solver_notes(std::slice::from_ref(method), &scene.world);
    warnings.extend(crowd(&scene.world).map(|text| format!("warning: {text}")));
    warnings.extend(contradiction(&scene.world, method).map(|text| format!("warning: {text}")));
    warnings
}

/// That the first step will take long, if bodies lie on one another: each pair of them touches.
fn crowd(world: &World) -> Option<String> {
    /// Contacts per body beyond which bodies must overlap: each disk of a dense packing touches six others, two boxes touch twice.
    const DENSE: usize = 20;
    let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
    let mut contacts = Vec::new();
    Detector::default().detect(world, &frames, &Reach::default(), &mut contacts);
    let (contacts, bodies) = (contacts.len(), world.bodies().len());
    (contacts > DENSE * bodies).then(|| {
        format!("{contacts} contacts of {bodies} bodies: the bodies lie on one another, and a step may take long (move them apart)")
    })
}

/// Warnings that the run's results may be inaccurate, each with its number.
pub(super) fn warnings(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut warnings = Vec::new();
    warnings.extend(summary.blow_up.iter().map(|blow_up| ("warning", blow_up.to_string())));
    warnings.extend(summary.energy_gain.iter().map(|gain| ("warning", gained(gain, summary))));
    warnings.extend(summary.unsolved().map(|text| ("warning", text)));
    if summary.damped_steps > 0 {
        let what = match (summary.joints > 0, summary.has_contacts()) {
            (true, true) => "joints and contacts",
            (true, false) => "joints",
            (false, _) => "contacts",
        };
        let text = format!("{what} contradict each other, corrections were damped");
        warnings.push(("warning", format!("{} steps: {text}", summary.damped_steps)));
    }
    if let Some(left) = summary.correction_left.filter(|_| summary.unconverged_steps > 0) {
        let text = "of its error: outside the region where Newton's method converges";
        warnings.push((
            "warning",
            format!("{} steps: a correction left up to {} {text}", summary.unconverged_steps, figure(left)),
        ));
    }
    if summary.unresolved_steps > 0 {
        let (rate, phase) = (summary.fastest_phase / summary.time_step, summary.fastest_phase);
        warnings.push((
            "warning",
            format!(
                "{} steps: h does not resolve the fastest constrained motion, {} rad/s, h ω up to {} (at most 1)",
                summary.unresolved_steps,
                figure(rate),
                figure(phase)
            ),
        ));
    }
    warnings
}

/// Energy from nothing, and what may have added it.
pub(super) fn gained(gain: &Gain, summary: &Summary) -> String {
    let Gain { gain, unexplained, at } = *gain;
    let explanation = Gain::explanation(summary.method(), summary.has_contacts());
    format!(
        "at {} s the energy is {} J above its start, of which nothing in the scene explains {} J: {explanation}",
        figure(at),
        figure(gain),
        figure(unexplained)
    )
}
