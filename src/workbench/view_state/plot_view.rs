//! How the plots are shown: which tab, which quantities, which part of the run.

use crate::experiment::{errors_in, rates_in};
use crate::figure::Dash;
use crate::model::joint::Unit;
use crate::model::{BodyKind, Joint, JointKind, World};
use crate::workbench::runs::history::Channel;
use crate::workbench::stage::concerns::{can_touch, is_jointed};
use crate::workbench::watched::Reading;
use serde::Deserialize;

/// The tabs of the bottom panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    /// Errors on a logarithmic axis.
    #[default]
    Errors,
    /// Energies.
    Energy,
    /// Readings of the body, joint, spring or contact that is watched.
    Watch,
    /// Size of the solver's problem, and its iterations.
    Solver,
    /// The table of the comparison.
    Compare,
    /// The figures of a recording.
    Judge,
}

impl Tab {
    /// Its key in files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Errors => "errors",
            Self::Energy => "energy",
            Self::Watch => "watch",
            Self::Solver => "solver",
            Self::Compare => "compare",
            Self::Judge => "judge",
        }
    }
}

/// A quantity that a plot can show.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Where the history keeps it.
    pub channel: Channel,
    /// Its name.
    pub name: &'static str,
    /// Its definition, in one sentence.
    pub meaning: &'static str,
    /// How its line is drawn; the colour is the scheme's.
    pub stroke: Dash,
}

impl Quantity {
    /// The reading at `place` of what is watched.
    pub fn of_watched(place: usize, reading: &Reading) -> Self {
        let Reading { name, meaning, .. } = *reading;
        Self { channel: Channel::WATCHED[place], name, meaning, stroke: Dash::Solid }
    }

    /// Its unit, if the joints' errors are in `units`.
    pub fn unit(&self, units: &[Unit]) -> String {
        match self.channel {
            Channel::JointError | Channel::JointErrorBefore => errors_in(units),
            Channel::ContactError | Channel::ContactErrorBefore => Unit::Metre.symbol().to_owned(),
            Channel::VelocityError => rates_in(units),
            Channel::Kinetic | Channel::Potential | Channel::Total | Channel::CorrectionWork => {
                "J".to_owned()
            }
            _ => String::new(),
        }
    }
}

/// The label of the axis of errors: the units of the quantities that are shown.
pub fn error_axis(shown: &[bool], units: &[Unit]) -> String {
    let shown = ERRORS.iter().zip(shown).filter(|(_, shown)| **shown);
    let mut named: Vec<String> = Vec::new();
    for unit in shown.map(|(quantity, _)| quantity.unit(units)) {
        // 'm or rad' already contains 'm'.
        if !named.iter().any(|said| said.split(" or ").any(|word| word == unit) || *said == unit) {
            named.push(unit);
        }
    }
    if named.is_empty() { "error".to_owned() } else { format!("error in {}", named.join(", ")) }
}

/// The quantities of the error plot.
pub static ERRORS: [Quantity; 5] = [
    Quantity {
        channel: Channel::JointError,
        name: "joints",
        meaning: "Largest |g| over the joint rows after the step.",
        stroke: Dash::Solid,
    },
    Quantity {
        channel: Channel::JointErrorBefore,
        name: "before correction",
        meaning: "Largest |g| over the joint rows before the scheme corrected the positions, if it does.",
        stroke: Dash::Thin,
    },
    Quantity {
        channel: Channel::ContactError,
        name: "contacts",
        meaning: "Largest max(0, −φ) over the contacts after the step: the deepest penetration.",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::ContactErrorBefore,
        name: "contacts before correction",
        meaning: "Largest max(0, −φ) over the contacts before the scheme corrected the positions, if it does.",
        stroke: Dash::Dotted,
    },
    Quantity {
        channel: Channel::VelocityError,
        name: "velocity error",
        meaning: "Largest |J v + c| over the joint rows.",
        stroke: Dash::Fine,
    },
];

/// The quantities of the energy plot.
pub static ENERGIES: [Quantity; 14] = [
    Quantity {
        channel: Channel::Kinetic,
        name: "kinetic",
        meaning: "Σ ½ m v² + ½ I ω².",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::Potential,
        name: "potential",
        meaning: "−Σ m g·x of gravity and Σ ½ k s² of the springs.",
        stroke: Dash::Dotted,
    },
    Quantity {
        channel: Channel::Total,
        name: "total",
        meaning: "Kinetic plus potential energy.",
        stroke: Dash::Solid,
    },
    Quantity {
        channel: Channel::CorrectionWork,
        name: "work of the correction",
        meaning: "Energy that the stabilization has added since the start (negative: removed).",
        stroke: Dash::Fine,
    },
    Quantity {
        channel: Channel::GravityWork,
        name: "by gravity",
        meaning: "What the weights have done since the start: the loss of their potential energy.",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::SpringWork,
        name: "by springs",
        meaning: "What the springs have done since the start, less what their damping has taken.",
        stroke: Dash::Dotted,
    },
    Quantity {
        channel: Channel::AppliedWork,
        name: "by applied forces",
        meaning: "What applied forces have done since the start.",
        stroke: Dash::Fine,
    },
    Quantity {
        channel: Channel::MotorWork,
        name: "by motors",
        meaning: "What the motors have done since the start.",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::DriverWork,
        name: "by drivers",
        meaning: "What was done since the start by whoever moves the bodies whose motion is prescribed.",
        stroke: Dash::Dotted,
    },
    Quantity {
        channel: Channel::HandWork,
        name: "by the hand",
        meaning: "What the mouse has done since the start.",
        stroke: Dash::Fine,
    },
    Quantity {
        channel: Channel::FrictionWork,
        name: "by friction",
        meaning: "What friction at contacts has done since the start (negative: taken).",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::ImpactWork,
        name: "by impacts",
        meaning: "What impacts have done since the start (negative: taken).",
        stroke: Dash::Dotted,
    },
    Quantity {
        channel: Channel::DragWork,
        name: "by drag",
        meaning: "What damping and the air have done since the start (negative: taken).",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::MethodWork,
        name: "by the method",
        meaning: "The change of the kinetic energy that nothing in the scene has done: the error of time step, joints and corrections.",
        stroke: Dash::Fine,
    },
];

/// The quantities of the solver's plot.
pub static COUNTS: [Quantity; 4] = [
    Quantity {
        channel: Channel::Rows,
        name: "rows",
        meaning: "Scalar rows in the problem of the step.",
        stroke: Dash::Solid,
    },
    Quantity {
        channel: Channel::Contacts,
        name: "contacts",
        meaning: "Contact points in the problem of the step.",
        stroke: Dash::Dashed,
    },
    Quantity {
        channel: Channel::Islands,
        name: "islands",
        meaning: "Groups of bodies that are connected by rows; each is solved separately.",
        stroke: Dash::Dotted,
    },
    Quantity {
        channel: Channel::Iterations,
        name: "iterations",
        meaning: "Systems solved, pivots or iterations, as the solver counts.",
        stroke: Dash::Thin,
    },
];

/// Which of [`ERRORS`] apply to a world: those of joints, of contacts, or both.
pub fn concerned(world: &World) -> [bool; ERRORS.len()] {
    let (jointed, touch) = (is_jointed(world), can_touch(world));
    [jointed, jointed, touch, touch, jointed]
}

/// Which of [`ENERGIES`] apply to a world: the energies, and the work of what there is in it. A hand may always come.
pub fn worked(world: &World) -> [bool; ENERGIES.len()] {
    let moved = world.bodies().iter().any(|body| matches!(body.kind(), BodyKind::Kinematic(_)));
    let applied = !world.force_laws().is_empty()
        || world.bodies().iter().any(|body| body.applied.is_some() || !body.driven.is_empty());
    let some = |has: fn(&Joint) -> bool| world.joints().iter().any(has);
    let motors = some(|joint| joint.motor.is_some() || matches!(joint.kind, JointKind::PoseMotor(_)));
    let limits = some(|joint| joint.rigid_limits().is_some());
    let (sprung, rubs) =
        (some(|joint| joint.kind.suspension().is_some()), some(|joint| joint.friction > 0.0));
    let touch = can_touch(world);
    ENERGIES.each_ref().map(|energy| match energy.channel {
        Channel::SpringWork => sprung || !world.springs().is_empty(),
        Channel::AppliedWork => applied,
        Channel::MotorWork => motors,
        Channel::DriverWork => moved || !world.nonholonomic().is_empty(),
        Channel::FrictionWork => touch || rubs,
        Channel::ImpactWork => touch || limits,
        Channel::DragWork => world.bodies().iter().any(|body| !body.damping.is_none()),
        _ => true,
    })
}

/// Lengths of time that the plot can follow, s; none for the whole run.
pub const SPANS: [Option<f64>; 4] = [Some(1.0), Some(5.0), Some(20.0), None];

/// How the plots are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotView {
    /// Which plot.
    pub tab: Tab,
    /// Which of [`ERRORS`].
    pub errors: [bool; ERRORS.len()],
    /// Whether the tab Judge shows the problem of a step, and not the figures of the run.
    pub step: bool,
    /// Which of [`ENERGIES`].
    pub energies: [bool; ENERGIES.len()],
    /// Which of [`COUNTS`].
    pub counts: [bool; COUNTS.len()],
    /// Which of the readings of what is watched.
    pub reading: usize,
    /// Over which of them it is plotted; none: over time.
    pub phase: Option<usize>,
    /// The last so many seconds, or everything.
    pub span: Option<f64>,
    /// A part of the run that was zoomed into, s; none while the plot follows the run.
    pub held: Option<[f64; 2]>,
}

impl Default for PlotView {
    fn default() -> Self {
        Self {
            tab: Tab::default(),
            errors: [true, true, true, true, false],
            energies: std::array::from_fn(|i| i < 4),
            counts: [true; COUNTS.len()],
            reading: 1,
            phase: None,
            span: Some(5.0),
            held: None,
            step: false,
        }
    }
}

impl PlotView {
    /// Which of these readings is plotted: another kind of thing may have fewer.
    pub fn reading(&self, readings: &[Reading]) -> usize {
        self.reading.min(readings.len().saturating_sub(1))
    }

    /// Over which of these readings it is plotted; none: over time.
    pub fn over(&self, readings: &[Reading]) -> Option<usize> {
        self.phase.filter(|place| *place < readings.len())
    }

    /// Follows the run again.
    pub fn reset(&mut self) {
        self.held = None;
    }

    /// The part of the run to show, s, of a run that lasts from `first` to `last`.
    pub fn window(&self, [first, last]: [f64; 2]) -> [f64; 2] {
        match (self.held, self.span) {
            (Some(held), _) => held,
            (None, span) => {
                // At the start the axis grows with the run, since most of a longer one would be empty.
                let run = GROWTH * (last - first).max(YOUNGEST);
                match span.filter(|span| *span < run) {
                    Some(span) => [last - span, last],
                    None => [first, first + run],
                }
            }
        }
    }

    /// Changes the shown part by `factor` about the moment `at`, s.
    pub fn zoom(&mut self, span: [f64; 2], at: f64, factor: f64) {
        let [from, to] = self.window(span);
        let width = ((to - from) * factor).max(SHORTEST);
        let share = (at - from) / (to - from);
        self.held = Some([at - share * width, at + (1.0 - share) * width]);
    }

    /// Moves the shown part by `by` seconds.
    pub fn pan(&mut self, span: [f64; 2], by: f64) {
        let [from, to] = self.window(span);
        self.held = Some([from + by, to + by]);
    }
}

/// Length of the time axis relative to the run so far, while that is shorter than the chosen span.
const GROWTH: f64 = 1.05;
/// Least length of a run that the axis is fitted to, s.
const YOUNGEST: f64 = 0.5;
/// The shortest part that can be zoomed into, s.
const SHORTEST: f64 = 1e-3;

/// Largest energy that is drawn, J; larger ones of a diverged world are drawn here.
const ENERGY_CEILING: f64 = 1e12;
/// Room above and below the energies, as a share of their range.
const ENERGY_MARGIN: f64 = 0.12;
/// Smallest range of the energy axis, as a share of the largest energy; smaller differences are rounding.
const FLATTEST: f64 = 1e-9;
/// Smallest range of the energy axis, J, for worlds without energy.
const SMALLEST: f64 = 1e-12;
/// Range of the energy axis if there are no energies to show, J.
const NO_ENERGY: [f64; 2] = [-1.0, 1.0];

/// Where an energy is drawn, J.
pub fn energy_drawn(energy: f64) -> f64 {
    energy.clamp(-ENERGY_CEILING, ENERGY_CEILING)
}

/// Lowest and highest energy to show, J, of curves between these.
pub fn energy_range(columns: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for [lowest, highest] in columns {
        low = low.min(energy_drawn(lowest));
        high = high.max(energy_drawn(highest));
    }
    let largest = high.abs().max(low.abs());
    if low > high || largest < SMALLEST {
        return NO_ENERGY;
    }
    let margin = ENERGY_MARGIN * (high - low).max(FLATTEST * largest).max(SMALLEST);
    [low - margin, high + margin]
}
