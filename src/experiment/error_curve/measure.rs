//! Which constraint errors a table or a figure of several runs shows: of the joints, of the contacts, or the larger
//! of both, Anitescu & Hart's infeasibility I(q).

use crate::experiment::run::summary::Summary;
use crate::experiment::units::errors_in;
use crate::experiment::units::larger;
use crate::model::joint::Unit;
use crate::report::StepReport;
use crate::scene::Quantity;

/// The constraint errors that a scene can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// max |g| over the joint rows.
    Joints,
    /// max(0, −φ) over the contacts.
    Contacts,
    /// The larger of the two.
    Both,
}

impl Measure {
    /// The errors to show for runs of one scene: of the contacts if any run had one; of the joints if the scene has
    /// joints, or if there is neither.
    pub fn of<'s>(summaries: impl IntoIterator<Item = &'s Summary>) -> Self {
        let (mut joints, mut contacts) = (false, false);
        for summary in summaries {
            contacts |= summary.has_contacts();
            joints |= summary.joints > 0;
        }
        match (joints, contacts) {
            (true, true) => Self::Both,
            (false, true) => Self::Contacts,
            (_, false) => Self::Joints,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Joints => "joint error",
            Self::Contacts => "contact error",
            Self::Both => "joint or contact error",
        }
    }

    /// Its symbol, for an axis.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Joints => "max |g|",
            Self::Contacts => "max(0, −φ)",
            Self::Both => "max(|g|, −φ)",
        }
    }

    /// The unit, or the units in words.
    pub fn unit(self, summary: &Summary) -> String {
        let units = summary.units();
        let joints = errors_in(units);
        match self {
            Self::Joints => joints,
            Self::Contacts => "m".to_owned(),
            Self::Both if units.contains(&Unit::Metre) => joints,
            Self::Both => format!("m or {joints}"),
        }
    }

    /// Whether it includes a quantity, so that published levels of it may be drawn beside it.
    pub fn includes(self, quantity: Quantity) -> bool {
        match quantity {
            Quantity::JointError => self != Self::Contacts,
            Quantity::ContactError => self != Self::Joints,
            _ => false,
        }
    }

    /// Its value after a step.
    pub fn after(self, report: &StepReport) -> f64 {
        self.choose(report.joint_error, report.contact_error)
    }

    /// Its largest value in a run.
    pub fn largest(self, summary: &Summary) -> f64 {
        self.choose(summary.joint_error.largest, summary.contact_error.largest)
    }

    /// Its value at the end of a run.
    pub fn last(self, summary: &Summary) -> f64 {
        self.choose(summary.joint_error.last, summary.contact_error.last)
    }

    fn choose(self, joints: f64, contacts: f64) -> f64 {
        match self {
            Self::Joints => joints,
            Self::Contacts => contacts,
            Self::Both => larger(joints, contacts),
        }
    }
}
