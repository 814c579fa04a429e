//! Links: the present state as one, and the state that one describes.

use super::{Model, Request};
use crate::platform::address;
use crate::scene::{Scene, Settings, catalogue};
use crate::workbench::link::{Link, Opened, Stepped, Subject, acts, solver_text};
use crate::workbench::runs::comparison::{Fork, MOST_FORKS, Role};
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::settings::is_page;
use crate::workbench::view_state::arrangement::Arrangement;

/// Heading of a refusal.
const NOT_OPENED: &str = "This link was not opened";
/// Most characters of a link that a refusal shows.
const SHOWN: usize = 120;

impl Model {
    /// Opens what a link describes; if something is wrong with it, says what, and leaves the running world unchanged. A link that
    /// says nothing changes nothing.
    pub(crate) fn open_link(&mut self, text: &str) {
        let read = Link::parse(text).and_then(|link| match &link.claim.exercise {
            // With a run it is a certificate, whose run is opened.
            Some(key) if link.subject.is_none() => {
                self.open_exercise(key).map(|()| None).map_err(|problem| vec![problem])
            }
            _ if link.is_empty() => Ok(None),
            _ => link.open(MOST_FORKS).map(Some),
        });
        match read {
            Ok(None) => {}
            Ok(Some(opened)) => self.take(opened),
            Err(problems) => {
                let cut = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
                let title = text.chars().take(SHOWN).collect::<String>() + cut;
                self.refuse(NOT_OPENED, title, problems);
            }
        }
    }

    fn take(&mut self, opened: Opened) {
        let Opened { title, scene, main, t } = opened;
        self.enter(scene, title, None, Some(main));
        if let Some(time) = t {
            self.runs.goal = Some(Goal { time, then_plays: self.runs.player.playing });
            self.runs.player.playing = false;
        }
    }

    /// From now on, all that is shown is what a page has room for.
    pub fn embed(&mut self) {
        (self.layout.embedded, self.layout.panel_open) = (true, false);
    }

    /// The present state as a link: a shipped scene by its key if a run from its start leads here, otherwise the whole
    /// scene with every run in its present state.
    pub fn link(&self) -> Link {
        let run = self.run();
        let mut forks = self.runs.comparison.forks().iter().filter(|fork| fork.role != Role::Trajectory);
        let mut staged = self.staged();
        let window = staged.window.get_or_insert_default();
        // Trajectories are files of this machine.
        window.trajectories.clear();
        let contact = &run.method().contact;
        let leads_here = !run.is_touched()
            && forks.all(|fork| fork.role == Role::Beside && !fork.run().is_touched())
            && window.equal_cost.is_none();
        let shipped = catalogue::find(&self.files.title).filter(|_| leads_here);
        let shipped = shipped.filter(|entry| {
            // The rules of contact have no key.
            let own = |scene: Scene| scene == run.scene && *contact == scene.settings.method.contact;
            entry.scene().is_ok_and(own)
        });
        let Some(entry) = shipped else {
            return Link { subject: Some(Subject::File(staged.to_json())), ..Link::default() };
        };
        let Settings { method: base, time_step: base_h, .. } = &run.scene.settings;
        let (method, h) = (run.method(), run.time_step());
        let (moved, playing) = (run.world().steps() > run.scene.world.steps(), self.runs.player.playing);
        let forks =
            self.runs.comparison.forks().iter().filter(|fork| fork.role == Role::Beside).map(Fork::run);
        Link {
            subject: Some(Subject::Shipped(entry.key.to_owned())),
            main: Stepped::of(method, h, base, *base_h, false),
            solver: (method.solver != base.solver).then(|| solver_text(&method.solver)),
            effort: (method.effort != run.first_effort()).then_some(method.effort),
            beside: forks
                .map(|fork| Stepped::of(fork.method(), fork.time_step(), method, h, true))
                .collect(),
            t: moved.then(|| run.world().time()),
            playing: (playing == moved).then_some(playing),
            speed: window.speed,
            panes: self.sight.arrangement == Arrangement::Panes,
            slider: self.layout.slider.clone().filter(|slider| {
                let runs = std::iter::once(run).chain(self.runs.comparison.forks().iter().map(Fork::run));
                let has = |run: &LiveRun| {
                    let info = run.method().stabilizer.info();
                    info.parameters.iter().any(|own| own.key == slider && acts(own, &run.scene.world))
                };
                slider == "h" || runs.into_iter().any(has)
            }),
            window: window.view_json(),
            ..Link::default()
        }
    }

    /// Whether a link has asked for a time that is not yet reached.
    pub fn is_going_to_a_time(&self) -> bool {
        self.runs.goal.is_some()
    }

    /// The address of the present state.
    pub fn address(&self) -> String {
        let base = self.page().split('#').next().unwrap_or_default();
        format!("{base}{}", self.link())
    }

    /// The page that copied links lead to.
    pub fn page(&self) -> &str {
        self.files.link_base.as_deref().or(self.files.page.as_deref()).unwrap_or(address::page())
    }

    /// Lets copied links lead to another page from now on, or, without one, to that of the program.
    pub(crate) fn set_page(&mut self, page: &str) {
        match page.trim() {
            // Left as it was.
            page if page == self.page() => {}
            "" => (self.files.page, self.files.link_base) = (None, None),
            page if is_page(page) => {
                (self.files.page, self.files.link_base) = (Some(page.to_owned()), None)
            }
            page => self.say(format!("'{page}' is no page: expected an address with https://")),
        }
    }

    /// Puts that address into the clipboard.
    pub(crate) fn copy_link(&mut self) {
        let address = self.address();
        self.say(format!("Link copied ({} characters): paste it here or into a browser", address.len()));
        self.news.requests.push(Request::Copy(address));
    }

    /// Goes on towards the time that a link asks for, and stops or plays there.
    pub(super) fn approach(&mut self) {
        let Some(Goal { time, then_plays }) = self.runs.goal else { return };
        if self.run().failure().is_some() || !self.runs.comparison.approach(time) {
            self.runs.goal = None;
            self.runs.player.playing = then_plays && self.run().failure().is_none();
        }
    }
}

/// A time that a link asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    /// s.
    time: f64,
    /// Whether time passes once it is reached.
    then_plays: bool,
}
