//! What the map is asked, what it answers, and how an answer is computed: row by row, so that it can be given up for a
//! newer question.

use crate::experiment::stability::{Plane, Survey};
use crate::method::{Method, StabilityBoundary};
use crate::model::World;

/// Points along a side of a field in closed form.
const CLOSED_SIDE: usize = 160;
/// Points along the side of the first field of a scene whose eigenvalues are computed; each that follows has twice as many.
const FIRST_SIDE: usize = 8;

/// What is asked about.
#[derive(Clone)]
pub struct Question {
    /// Counted from 1.
    pub number: u64,
    /// The world as it stands.
    pub world: World,
    /// How it is stepped.
    pub method: Method,
    /// The length of a step, s.
    pub h: f64,
    /// Points along a side of the finest field that is wanted.
    pub finest: usize,
    /// Whether the present load and motion are part of it, as far as they are linearised.
    pub loaded: bool,
    /// Whether the field is wanted, or only the point at which the run stands.
    pub whole: bool,
}

/// A part of the answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Where the run stands.
    Standing(Standing),
    /// The whole plane.
    Field(Field),
    /// Why this scene has no map, as a sentence.
    Refused {
        /// The question's number.
        number: u64,
        /// The sentence.
        reason: &'static str,
    },
}

/// ρ where the run stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The question's number.
    pub number: u64,
    /// ρ of the constraint error without load and motion; none if it was not found.
    pub radius: Option<f64>,
    /// ρ of the constraint part of the full step, with load and motion; none if it is not wanted or not linearised.
    pub loaded: Option<f64>,
    /// Rows of joints that are linearised.
    pub joint_rows: usize,
    /// Rows of contacts and limits that are linearised.
    pub touching_rows: usize,
}

/// ρ over the plane.
#[derive(Clone, Debug)]
pub struct Field {
    /// The question's number.
    pub number: u64,
    /// The plane.
    pub plane: Plane,
    /// The exact line ρ = 1, where there is one.
    pub boundary: Option<StabilityBoundary>,
    /// Points along a side.
    pub side: usize,
    /// ρ at the centres of side × side cells, row by row from the bottom; NaN where it was not found.
    pub radii: Vec<f64>,
    /// Whether the field depends on the state of the scene: with its load, or where the constraints affect each other.
    pub coupled: bool,
}

impl Field {
    /// Whether the field still holds in a world that is the same as its own or not, and is as fine as `finest`.
    pub fn holds(&self, same_world: bool, finest: usize) -> bool {
        !self.coupled || (same_world && self.side >= finest)
    }

    /// ρ at shares of both axes, between the centres of cells.
    pub fn at(&self, shares: [f64; 2]) -> f64 {
        let last = self.side - 1;
        let place = shares.map(|share| (share * self.side as f64 - 0.5).clamp(0.0, last as f64));
        let [i, j] = place.map(|x| (x as usize).min(last.saturating_sub(1)));
        let [u, v] = [place[0] - i as f64, place[1] - j as f64];
        let cell = |i: usize, j: usize| self.radii[j.min(last) * self.side + i.min(last)];
        let along = |j: usize| (1.0 - u) * cell(i, j) + u * cell(i + 1, j);
        (1.0 - v) * along(j) + v * along(j + 1)
    }
}

/// An answer in progress.
pub struct Work {
    question: Question,
    survey: Result<Survey, &'static str>,
    /// Points along a side of the field that is being computed; none before the point at which the run stands.
    side: Option<usize>,
    radii: Vec<f64>,
}

impl Work {
    /// Begins.
    pub fn new(question: Question) -> Self {
        let survey = Survey::of(&question.world, &question.method, question.h);
        let loaded =
            |survey: Survey| if question.loaded { survey.under_load(&question.world) } else { survey };
        let survey = survey.map(loaded);
        Self { question, survey, side: None, radii: Vec::new() }
    }

    /// Computes a row of the field, or the point; returns what has been finished by that, and whether there is more to do.
    pub fn advance(&mut self) -> (Option<Answer>, bool) {
        let survey = match &self.survey {
            Ok(survey) => survey,
            Err(reason) => {
                return (Some(Answer::Refused { number: self.question.number, reason }), false);
            }
        };
        let Some(side) = self.side else {
            self.side = Some(if survey.is_coupled() { FIRST_SIDE } else { CLOSED_SIDE });
            return (Some(Answer::Standing(standing(&self.question, survey))), self.question.whole);
        };
        let row = self.radii.len() / side;
        let share = |i: usize| (i as f64 + 0.5) / side as f64;
        let [x, y] = survey.plane().axes;
        let radius = |i: usize| survey.radius([x.at(share(i)), y.at(share(row))]).unwrap_or(f64::NAN);
        self.radii.extend((0..side).map(radius));
        if row + 1 < side {
            return (None, true);
        }
        let (coupled, number) = (survey.is_coupled(), self.question.number);
        let (plane, boundary) = (*survey.plane(), survey.boundary());
        let radii = std::mem::take(&mut self.radii);
        self.side = Some(2 * side);
        let more = coupled && 2 * side <= self.question.finest;
        (Some(Answer::Field(Field { number, plane, boundary, side, radii, coupled })), more)
    }
}

fn standing(question: &Question, survey: &Survey) -> Standing {
    let Question { number, method, h, .. } = question;
    let at_point = || survey.radius(survey.plane().point(method, *h)).ok();
    Standing {
        number: *number,
        radius: survey.unloaded(method, *h).ok(),
        loaded: if survey.is_loaded() { at_point() } else { None },
        joint_rows: survey.joint_rows(),
        touching_rows: survey.touching_rows(),
    }
}
