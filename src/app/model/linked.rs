//! Links: the present state as one, and the state that one describes.

use super::{Model, Request};
use crate::app::link::{Link, Opened, Stepped, Subject, acts, solver_text};
use crate::app::runs::comparison::{Fork, MOST_FORKS, Role};
use crate::app::runs::player::SPEED_RANGE;
use crate::app::runs::simulation::Simulation;
use crate::app::view_state::arrangement::Arrangement;
use crate::method::Method;
use crate::scene::catalogue;

/// Heading of a refusal.
const NOT_OPENED: &str = "This link was not opened";
/// Most characters of a link that a refusal shows.
const SHOWN: usize = 120;

impl Model {
    /// Opens what a link describes; if something is wrong with it, says what, and leaves the running world unchanged. A link that
    /// says nothing changes nothing.
    pub(in crate::app) fn open_link(&mut self, text: &str) {
        match Link::parse(text).and_then(|link| Ok((link.is_empty(), link.open(MOST_FORKS)?))) {
            Ok((true, _)) => {}
            Ok((false, opened)) => self.take(opened),
            Err(problems) => {
                let cut = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
                let title = text.chars().take(SHOWN).collect::<String>() + cut;
                self.refuse(NOT_OPENED, title, problems);
            }
        }
    }

    fn take(&mut self, opened: Opened) {
        let Opened {
            title,
            mut scene,
            main: (method, h),
            effort,
            beside,
            t,
            playing,
            speed,
            panes,
            slider,
        } = opened;
        // What is shown is what the link says.
        scene.window = None;
        self.progress = None;
        self.shelf.browsing = None;
        self.begin(scene, title);
        self.edit(None);
        // Of all runs; without a word that with which the scene begins.
        let effort = effort.unwrap_or(self.run().method().effort);
        self.run_mut().begin_under(Method { effort, ..method }, h);
        for (method, h) in beside {
            let method = Method { effort, ..method };
            let (comparison, stepping) = self.comparison_mut();
            // The link has been checked for their number.
            let _there_is_room = comparison.beside(method, h, stepping);
        }
        self.arrangement = if panes { Arrangement::Panes } else { Arrangement::Overlay };
        self.player.set_speed(speed.map_or(1.0, |speed| speed.clamp(SPEED_RANGE[0], SPEED_RANGE[1])));
        self.player.playing = playing && t.is_none();
        self.goal = t.map(|time| Goal { time, then_plays: playing });
        self.slider = slider;
        self.opened_from(None);
    }

    /// From now on, all that is shown is what a page has room for.
    pub fn embed(&mut self) {
        (self.embedded, self.panel_open) = (true, false);
    }

    /// The present state as a link: a shipped scene by its key if a run from its start leads here, otherwise the whole scene as it is
    /// now, from which the runs beside it begin anew.
    pub fn link(&self) -> Link {
        let run = self.run();
        let forks =
            || self.comparison.forks().iter().filter(|fork| fork.role == Role::Beside).map(Fork::run);
        let leads_here = !run.is_touched() && !forks().any(|fork| fork.is_touched());
        let mut scene = if leads_here { run.scene.clone() } else { run.to_scene() };
        let shipped = catalogue::find(&self.title)
            .filter(|entry| leads_here && entry.scene().is_ok_and(|shipped| shipped == scene));
        let contact = &run.method().contact;
        let subject = match shipped {
            Some(entry) if *contact == scene.settings.method.contact => {
                Subject::Shipped(entry.key.to_owned())
            }
            _ => {
                // The rules of contact have no key.
                scene.settings.method.contact = *contact;
                Subject::File(scene.to_json())
            }
        };
        let (base, base_h) = (&scene.settings.method, scene.settings.time_step);
        let (method, h) = (run.method(), run.time_step());
        let (moved, playing) =
            (leads_here && run.world().steps() > scene.world.steps(), self.player.playing);
        Link {
            subject: Some(subject),
            main: Stepped::of(method, h, base, base_h, false),
            solver: (method.solver != base.solver).then(|| solver_text(&method.solver)),
            effort: (method.effort != run.first_effort()).then_some(method.effort),
            beside: forks()
                .map(|fork| Stepped::of(fork.method(), fork.time_step(), method, h, true))
                .collect(),
            t: moved.then(|| run.world().time()),
            playing: (playing == moved).then_some(playing),
            speed: (self.player.speed != 1.0).then_some(self.player.speed),
            panes: self.arrangement == Arrangement::Panes,
            slider: self.slider.clone().filter(|slider| {
                let runs = || std::iter::once(run).chain(forks());
                let has = |run: &Simulation| {
                    let info = run.method().stabilizer.info();
                    info.parameters.iter().any(|own| own.key == slider && acts(own, &scene.world))
                };
                slider == "h" || runs().any(has)
            }),
        }
    }

    /// Whether a link has asked for a time that is not yet reached.
    pub fn is_going_to_a_time(&self) -> bool {
        self.goal.is_some()
    }

    /// The address of the present state.
    pub fn address(&self) -> String {
        let base = self.link_base.split('#').next().unwrap_or_default();
        format!("{base}{}", self.link())
    }

    /// Puts that address into the clipboard.
    pub(in crate::app) fn copy_link(&mut self) {
        let address = self.address();
        self.say(format!("Link copied ({} characters): paste it here or into a browser", address.len()));
        self.requests.push(Request::Copy(address));
    }

    /// Goes on towards the time that a link asks for, and stops or plays there.
    pub(super) fn approach(&mut self) {
        let Some(Goal { time, then_plays }) = self.goal else { return };
        if self.run().failure().is_some() || !self.comparison.approach(time) {
            self.goal = None;
            self.player.playing = then_plays && self.run().failure().is_none();
        }
    }
}

/// A time that a link asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Goal {
    /// s.
    time: f64,
    /// Whether time passes once it is reached.
    then_plays: bool,
}
