//! Changes of method or time step in mid-run: a change acts on the next step, from the present state, and is marked in the
//! plots.

use super::stepping::Task;
use super::{LiveRun, Setting};
use crate::method::Stabilizer;
use crate::parameter::Parameter;
use crate::schemes::TABLE;
use crate::workbench::runs::choices::place;
use crate::workbench::text::format;
use crate::workbench::text::format::duration;

/// Smallest and largest time step that the panel offers, s.
pub const TIME_STEP_RANGE: [f64; 2] = [1e-5, 0.1];

/// After how long a step that is still being made is given up when its scheme, level or solver is changed, s of the
/// window's time.
const PATIENCE: f64 = 0.5;

impl LiveRun {
    /// Changes one setting.
    pub fn choose(&mut self, setting: Setting) {
        // What is played back has a time step alone.
        if self.played.is_some() && !matches!(setting, Setting::TimeStep(_)) {
            return;
        }
        // What it said was about the method before. A slider that was being dragged when the run stopped goes on
        // sending values: the message stays until the next press.
        if self.acts.gesture.is_none() || self.acts.gesture != self.judged.stopped_in {
            self.judged.failure = None;
        }
        // A slider sends many values one after the other: for each a thread would be left with a step to finish.
        let once = !matches!(setting, Setting::Stabilizer(_) | Setting::TimeStep(_));
        let before = self.run.method.clone();
        let method = &mut self.run.method;
        match setting {
            Setting::Scheme(index) if index == place(&method.stabilizer) => {}
            Setting::Scheme(index) => {
                if let Some(other) = self.acts.choices.change(method, index) {
                    *method = other;
                }
            }
            Setting::Stabilizer(stabilizer) => *method = self.acts.choices.replace(method, stabilizer),
            Setting::Level(level) => {
                if let Some(other) = method.clone().at_level(level, method.integrator) {
                    *method = other;
                }
            }
            Setting::Integrator(integrator) => method.integrator = integrator,
            Setting::Solver(solver) => method.solver = solver,
            Setting::Effort(effort) => method.effort = effort,
            Setting::Contact(rules) => method.contact = rules,
            Setting::TimeStep(h) => self.run.time_step = h,
        }
        self.run.method.stabilizer.follow_step(self.run.time_step);
        if once && self.run.method != before {
            self.give_up_late_step();
        }
    }

    /// Gives up a new step that takes long; the next one leads from the same state by the present method.
    fn give_up_late_step(&mut self) {
        let queued = match self.making.task {
            Some(Task::ByHand) => self.making.by_hand + 1,
            Some(Task::Play { .. } | Task::Follow { .. }) => self.making.by_hand,
            Some(Task::Along { .. }) | None => return,
        };
        if self.making.under_way > PATIENCE {
            self.abandon();
            self.making.by_hand = queued;
        }
    }

    /// Place of the present scheme in the table; that behind its end for a trajectory, which no scheme of the table has made.
    pub fn scheme_index(&self) -> usize {
        if self.played.is_some() { TABLE.len() } else { place(&self.run.method.stabilizer) }
    }

    /// The scheme with the parameters that are not at their defaults: 'Baumgarte, velocity level, α = 50 s⁻¹'; the file
    /// of a trajectory.
    pub fn scheme_name(&self) -> String {
        if let Some(played) = &self.played {
            return played.title.clone();
        }
        name_of(&self.run.method.stabilizer)
    }

    /// As [`LiveRun::scheme_name`], with the scheme's short name.
    pub fn scheme_label(&self) -> String {
        if let Some(played) = &self.played {
            return played.name().to_owned();
        }
        let stabilizer = &self.run.method.stabilizer;
        with_parameters(stabilizer.info().short, stabilizer)
    }

    /// Marks what has changed in method and time step since the last call. A change to a past state discards the recorded
    /// future.
    pub fn note_changes(&mut self) {
        let (method, h) = (self.run.method.clone(), self.run.time_step);
        if self.judged.noted.0 == method && self.judged.noted.1 == h {
            return;
        }
        if self.played.is_some() {
            // The same motion in other steps.
            self.judged.noted = (method, h);
            return;
        }
        self.cut();
        self.acts.touched |= self.run.world.steps() != self.scene.world.steps();
        let (old, old_h) = std::mem::replace(&mut self.judged.noted, (method.clone(), h));
        self.judge_anew();
        let (was, is) = (&old.stabilizer, &method.stabilizer);
        if was.info().key != is.info().key {
            self.mark("scheme", is.info().name.to_owned());
            self.record.history.begin_scheme(self.run.world.time(), place(is));
        } else {
            let pairs = was.values.iter().zip(is.values.iter());
            for (_, (parameter, value)) in pairs.filter(|((_, was), (_, is))| was != is) {
                self.mark(parameter.key, named(parameter, value));
            }
        }
        if old_h != h {
            self.mark("h", format!("h = {}", duration(h)));
        }
        if old.level != method.level {
            self.mark("level", method.level.key().to_owned());
        }
        if old.integrator != method.integrator {
            self.mark("integrator", method.integrator.key().to_owned());
        }
        if old.solver != method.solver {
            self.mark("solver", method.solver.info().key.to_owned());
        }
        if old.effort != method.effort {
            self.mark("effort", format!("effort {}", method.effort.key()));
        }
        if old.contact != method.contact {
            self.mark("contact", "contact rules".to_owned());
        }
        self.acts.changed_in = self.acts.gesture;
    }
}

/// A parameter with its value and unit: 'α = 50 s⁻¹'.
fn named(parameter: &Parameter, value: f64) -> String {
    let name = if parameter.symbol.is_empty() { parameter.name } else { parameter.symbol };
    format!("{name} = {}", format::parameter(parameter, value, 3))
}

/// A scheme with the parameters that are not at their defaults.
pub(crate) fn name_of(stabilizer: &Stabilizer) -> String {
    with_parameters(stabilizer.info().name, stabilizer)
}

fn with_parameters(name: &str, stabilizer: &Stabilizer) -> String {
    let mut name = name.to_owned();
    let changed = stabilizer.values.iter().filter(|(parameter, value)| *value != parameter.default);
    for (parameter, value) in changed {
        name += &format!(", {}", named(parameter, value));
    }
    name
}
