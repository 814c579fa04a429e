//! The stability map beside a run: ρ of its scene over two parameters, asked for when something changes and computed beside the
//! drawing.
//!
//! A question goes to a [`Surveyor`], one behind the other in age and only the newest counts; its answers come piece by
//! piece, first the point at which the run stands, then the field, coarse before fine. While nothing changes nothing is
//! asked, and nothing is computed.

mod surveyor;
mod verdict;
mod work;

pub use surveyor::{Surveyor, Threaded, WithinFrame};
pub use verdict::{Verdict, verdict};
pub use work::{Answer, Field, Question, Standing};

use super::engine::Stepping;
use crate::experiment::stability::Plane;
use crate::method::Method;
use crate::model::World;
use crate::platform::clock::Instant;
use std::time::Duration;

/// Real time between two questions if only the world has moved: with what an answer takes the map stays less than 0.3 s behind.
const PAUSE: Duration = Duration::from_millis(150);
/// Points along a side of the finest field while the run moves, and once it stands still.
const SIDES: [usize; 2] = [16, 64];
/// Points along a side of a field with the present load, each of which is a linearised step of the scene: 64 and 1024
/// of up to 5 ms.
const LOADED_SIDES: [usize; 2] = [8, 32];

/// The map of one run.
pub struct StabilityMap {
    surveyor: Box<dyn Surveyor>,
    /// The last question.
    asked: Option<Question>,
    asked_at: Instant,
    field: Option<Field>,
    standing: Option<Standing>,
    /// Why the scene has no map, although its scheme has one.
    refused: Option<&'static str>,
    /// Number of the question of the newest field or point.
    answered: u64,
    /// Number of the last question: no two fields of a window have the same, by which their pictures are kept.
    number: u64,
}

impl StabilityMap {
    /// A map without a picture, computed where steps are made.
    pub fn new(stepping: &Stepping) -> Self {
        Self {
            surveyor: surveyor::suited(stepping),
            asked: None,
            asked_at: Instant::now(),
            field: None,
            standing: None,
            refused: None,
            answered: 0,
            number: 0,
        }
    }

    /// The newest field, if there is one.
    pub fn field(&self) -> Option<&Field> {
        self.field.as_ref()
    }

    /// ρ where the run stands.
    pub fn standing(&self) -> Option<Standing> {
        self.standing
    }

    /// Why the scene has no map, if its scheme has one.
    pub fn refusal(&self) -> Option<&'static str> {
        self.refused
    }

    /// Whether an answer is still to come.
    pub fn is_busy(&self) -> bool {
        self.surveyor.is_busy()
    }

    /// Takes over what has been computed.
    pub fn collect(&mut self) {
        while let Some(answer) = self.surveyor.answer() {
            match answer {
                Answer::Standing(standing) => {
                    self.answered = self.answered.max(standing.number);
                    self.standing = Some(standing);
                    self.refused = None;
                }
                Answer::Refused { number, reason } => {
                    self.answered = self.answered.max(number);
                    (self.field, self.standing, self.refused) = (None, None, Some(reason));
                }
                Answer::Field(field) => {
                    self.answered = self.answered.max(field.number);
                    self.field = Some(field);
                }
            }
        }
    }

    /// Asks about a run that stands at that world and is stepped by that method in steps of `h`, s, if that has changed;
    /// `loaded`: with its load and motion.
    pub fn follow(&mut self, world: &World, method: &Method, h: f64, playing: bool, loaded: bool) {
        let Ok(plane) = Plane::of(method, h) else {
            (self.asked, self.field, self.standing, self.refused) = (None, None, None, None);
            return;
        };
        let [moving, still] = if loaded && linearised(method) { LOADED_SIDES } else { SIDES };
        let finest = if playing { moving } else { still };
        let mut whole = true;
        if let Some(last) = &self.asked {
            let same_world = last.world == *world;
            let same_point = last.method == *method && last.h == h && last.loaded == loaded;
            let same_ground =
                ground(&plane, &last.method, last.h) == ground(&plane, method, h) && last.loaded == loaded;
            if same_world && same_point && last.finest >= finest {
                return;
            }
            let waits = self.answered < last.number || self.asked_at.elapsed() < PAUSE;
            if same_point && waits {
                return;
            }
            let same_field =
                same_ground && self.field.as_ref().is_some_and(|field| field.holds(same_world, finest));
            whole = !same_field;
        }
        self.number += 1;
        let number = self.number;
        let question =
            Question { number, world: world.clone(), method: method.clone(), h, finest, loaded, whole };
        self.asked_at = Instant::now();
        self.surveyor.ask(question.clone());
        self.asked = Some(question);
        self.collect();
    }
}

/// Whether the full step of the method's scheme may have a linearisation; those that bring their own solver have none.
fn linearised(method: &Method) -> bool {
    method.stabilizer.scheme().uses_solver
}

/// What a field depends on apart from the world: the method and the time step, with the plane's own quantities at one place.
fn ground(plane: &Plane, method: &Method, h: f64) -> (Method, f64) {
    plane.set(method, h, plane.axes.map(|axis| axis.low))
}
