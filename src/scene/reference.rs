//! Published figures: what a paper says that a scene does, to draw over the plot and to check.

use super::method;
use super::reader::Cursor;
use super::write::{number, object};
use crate::report::StepReport;
use crate::stabilizer::Stabilizer;
use serde_json::{Value, json};

/// A figure of a [`StepReport`] that a reference or a plot is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Largest |g| over the joint rows.
    JointError,
    /// The same before post-stabilization.
    JointErrorBefore,
    /// Largest overlap.
    ContactError,
    /// The same before post-stabilization.
    ContactErrorBefore,
    /// Largest |J v + c|.
    VelocityError,
    /// Largest |N v − v₀(t)|.
    NonholonomicError,
    /// Σ ½ m v² + ½ I ω².
    KineticEnergy,
    /// Of gravity and springs.
    PotentialEnergy,
    /// Both together.
    TotalEnergy,
    /// Energy that the stabilization put in, in one step.
    CorrectionWork,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 10] = [
        Self::JointError,
        Self::JointErrorBefore,
        Self::ContactError,
        Self::ContactErrorBefore,
        Self::VelocityError,
        Self::NonholonomicError,
        Self::KineticEnergy,
        Self::PotentialEnergy,
        Self::TotalEnergy,
        Self::CorrectionWork,
    ];

    /// Name in scene files and CSV headers.
    pub fn key(self) -> &'static str {
        match self {
            Self::JointError => "joint_error",
            Self::JointErrorBefore => "joint_error_before",
            Self::ContactError => "contact_error",
            Self::ContactErrorBefore => "contact_error_before",
            Self::VelocityError => "velocity_error",
            Self::NonholonomicError => "nonholonomic_error",
            Self::KineticEnergy => "kinetic_energy",
            Self::PotentialEnergy => "potential_energy",
            Self::TotalEnergy => "total_energy",
            Self::CorrectionWork => "correction_work",
        }
    }

    /// SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::JointError | Self::JointErrorBefore => "m or rad",
            Self::ContactError | Self::ContactErrorBefore => "m",
            Self::VelocityError => "m/s or rad/s",
            Self::NonholonomicError => "m/s",
            Self::KineticEnergy | Self::PotentialEnergy | Self::TotalEnergy => "J",
            Self::CorrectionWork => "J",
        }
    }

    /// Its value in a report, if the step has one.
    pub fn of(self, report: &StepReport) -> Option<f64> {
        match self {
            Self::JointError => Some(report.joint_error),
            Self::JointErrorBefore => report.joint_error_before,
            Self::ContactError => Some(report.contact_error),
            Self::ContactErrorBefore => report.contact_error_before,
            Self::VelocityError => Some(report.velocity_error),
            Self::NonholonomicError => Some(report.nonholonomic_error),
            Self::KineticEnergy => Some(report.kinetic_energy),
            Self::PotentialEnergy => Some(report.potential_energy),
            Self::TotalEnergy => Some(report.total_energy()),
            Self::CorrectionWork => Some(report.correction_work),
        }
    }
}

/// What a reference says of the largest value in its time window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Not more than this.
    AtMost(f64),
    /// Not less than this.
    AtLeast(f64),
    /// This, as far as a printed curve can be read.
    About(f64),
}

impl Bound {
    /// How far from an [`Bound::About`] still counts, relatively: such figures are read off printed curves,
    /// or the paper itself says "around".
    pub const ABOUT: f64 = 1.0 / 3.0;

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::AtMost(_) => "at_most",
            Self::AtLeast(_) => "at_least",
            Self::About(_) => "about",
        }
    }

    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::AtMost(value) | Self::AtLeast(value) | Self::About(value) => value,
        }
    }

    /// Whether `measured` keeps it; NaN never does.
    pub fn holds(self, measured: f64) -> bool {
        match self {
            Self::AtMost(value) => measured <= value,
            Self::AtLeast(value) => measured >= value,
            Self::About(value) => (measured - value).abs() <= Self::ABOUT * value.abs(),
        }
    }
}

/// A published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What the plot calls it.
    pub label: String,
    /// Which quantity it is about.
    pub quantity: Quantity,
    /// What the largest value of the quantity in the time window should be.
    pub bound: Bound,
    /// Start of the time window, s; the start of the run where nothing is said.
    pub from: Option<f64>,
    /// End of the time window, s; the end of the run where nothing is said.
    pub to: Option<f64>,
    /// The scheme that it holds for; every scheme where nothing is said.
    pub stabilizer: Option<Stabilizer>,
}

impl Reference {
    /// Whether it says something about a run under `stabilizer`.
    pub fn concerns(&self, stabilizer: &Stabilizer) -> bool {
        self.stabilizer.as_ref().is_none_or(|own| own == stabilizer)
    }

    /// Whether `time` (s) lies in its window.
    pub fn covers(&self, time: f64) -> bool {
        // Times are sums of time steps: the step that should end at `to` may end an ulp later.
        let rounding = 1e-9 * (1.0 + time.abs());
        self.from.is_none_or(|from| time >= from - rounding)
            && self.to.is_none_or(|to| time <= to + rounding)
    }
}

/// Reads one element of `reference`; `h` is the time step, s.
pub(super) fn read(cursor: &Cursor<'_>, h: f64) -> Option<Reference> {
    let keys = cursor.object("a reference {\"label\": …, \"quantity\": …}")?;
    let label = keys.require("label", "a text").and_then(|c| c.name());
    let named = Quantity::ALL.map(|quantity| (quantity.key(), quantity));
    let quantity = keys.require("quantity", "a quantity").and_then(|c| c.one_of("a quantity", &named));
    let bounds = [
        keys.maybe("at_most", Cursor::number).map(|x| x.map(Bound::AtMost)),
        keys.maybe("at_least", Cursor::number).map(|x| x.map(Bound::AtLeast)),
        keys.maybe("about", Cursor::number).map(|x| x.map(Bound::About)),
    ];
    let from = keys.maybe("from", Cursor::number);
    let to = keys.maybe("to", Cursor::number);
    let stabilizer = keys.maybe("stabilizer", |c| match c.is_text() {
        true => method::stabilizer_from(c.text()?, h).map_err(|error| c.problem(error)).ok(),
        false => method::read_stabilizer(c, h),
    });
    keys.finish();
    let bounds: Option<Vec<_>> = bounds.into_iter().collect();
    let bound = match bounds?.into_iter().flatten().collect::<Vec<_>>().as_slice() {
        [bound] => *bound,
        _ => {
            cursor.problem("expected exactly one of 'at_most', 'at_least' and 'about'");
            return None;
        }
    };
    Some(Reference {
        label: label?.to_owned(),
        quantity: quantity?,
        bound,
        from: from?,
        to: to?,
        stabilizer: stabilizer?,
    })
}

/// Writes one element of `reference`.
pub(super) fn write(reference: &Reference) -> Value {
    let Reference { label, quantity, bound, from, to, stabilizer } = reference;
    let mut keys = vec![("label", json!(label)), ("quantity", json!(quantity.key()))];
    keys.push((bound.key(), number(bound.value())));
    keys.extend(from.map(|from| ("from", number(from))));
    keys.extend(to.map(|to| ("to", number(to))));
    keys.extend(stabilizer.iter().map(|s| ("stabilizer", method::write(s.info().key, &s.values))));
    object(keys)
}
