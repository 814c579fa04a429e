//! What a published figure states: a quantity of each step, and which number is taken from its values over a run.

use crate::report::StepReport;

/// A quantity of a step that a reference or a plot is about; most are in the [`StepReport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Largest |g| over the joint rows.
    JointError,
    /// Largest |g| over the joint rows before post-stabilization.
    JointErrorBefore,
    /// Largest overlap.
    ContactError,
    /// Largest overlap before post-stabilization.
    ContactErrorBefore,
    /// Largest |J v + c|.
    VelocityError,
    /// Largest |N v − v₀(t)|.
    NonholonomicError,
    /// Σ ½ m v² + ½ I ω².
    KineticEnergy,
    /// Potential energy of gravity and springs.
    PotentialEnergy,
    /// Kinetic and potential energy together.
    TotalEnergy,
    /// Energy that the stabilization added in one step.
    CorrectionWork,
    /// Largest normal impulse of a contact in the step.
    ContactImpulse,
    /// Dynamic bodies with a contact no farther than a millimetre from the scene's first body.
    BodiesOnFirst,
    /// Which joint, counted from 1 in the order of the file, has the largest error.
    WidestJoint,
    /// Departure from Θ⁺ = (1 − γ)Θ + h²|v⁺|², the squared pendulum's exact recurrence, relative to 1 m² + Θ.
    RecurrenceError,
    /// Departure of the joint error from e^(−ω₀t)(1 + ω₀t) times its start, relative to the start.
    DecayError,
    /// e^(−ω₀t)(1 + ω₀t) times the joint error at the start: the exact decay, from which `DecayError` is measured.
    CriticalDecay,
    /// The error of a benchmark's run so far, by the benchmark's own measure (`evidence/src/benchmarks`).
    BenchmarkError,
    /// Angle of the reference's body.
    BodyAngle,
    /// y of the centre of mass of the reference's body.
    BodyHeight,
    /// −Re λ of the slowest mode of small motions about the scene's state, an equilibrium.
    MotionDecay,
    /// |Im λ| of that mode.
    MotionFrequency,
    /// |ln μ/h − λ|/|λ|, with μ the multiplier that the scheme's step has for that mode.
    MotionError,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 22] = [
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
        Self::ContactImpulse,
        Self::BodiesOnFirst,
        Self::WidestJoint,
        Self::RecurrenceError,
        Self::DecayError,
        Self::CriticalDecay,
        Self::BenchmarkError,
        Self::BodyAngle,
        Self::BodyHeight,
        Self::MotionDecay,
        Self::MotionFrequency,
        Self::MotionError,
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
            Self::ContactImpulse => "contact_impulse",
            Self::BodiesOnFirst => "bodies_on_first",
            Self::WidestJoint => "widest_joint",
            Self::RecurrenceError => "recurrence_error",
            Self::DecayError => "decay_error",
            Self::CriticalDecay => "critical_decay",
            Self::BenchmarkError => "benchmark_error",
            Self::BodyAngle => "body_angle",
            Self::BodyHeight => "body_height",
            Self::MotionDecay => "motion_decay",
            Self::MotionFrequency => "motion_frequency",
            Self::MotionError => "motion_error",
        }
    }

    /// SI unit; empty for a pure number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::JointError | Self::JointErrorBefore | Self::CriticalDecay => "m or rad",
            Self::ContactError | Self::ContactErrorBefore | Self::BodyHeight => "m",
            Self::VelocityError => "m/s or rad/s",
            Self::NonholonomicError => "m/s",
            Self::KineticEnergy | Self::PotentialEnergy | Self::TotalEnergy => "J",
            Self::CorrectionWork => "J",
            Self::ContactImpulse => "N s",
            Self::BodyAngle => "rad",
            Self::MotionDecay => "1/s",
            Self::MotionFrequency => "rad/s",
            Self::BodiesOnFirst | Self::WidestJoint => "",
            Self::RecurrenceError | Self::DecayError | Self::BenchmarkError | Self::MotionError => "",
        }
    }

    /// Whether it is one body's, which a reference names.
    pub fn is_of_a_body(self) -> bool {
        matches!(self, Self::BodyAngle | Self::BodyHeight)
    }

    /// Whether a report does not contain it, because it needs the world or the state before the step.
    pub fn needs_world(self) -> bool {
        matches!(
            self,
            Self::ContactImpulse
                | Self::BodiesOnFirst
                | Self::WidestJoint
                | Self::RecurrenceError
                | Self::DecayError
                | Self::CriticalDecay
                | Self::BenchmarkError
                | Self::BodyAngle
                | Self::BodyHeight
                | Self::MotionDecay
                | Self::MotionFrequency
                | Self::MotionError
        )
    }

    /// Its value in a report, if the step has one; the last twelve need the world, too (`evidence/src/reproduction`).
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
            _ => None,
        }
    }
}

/// Which number a reference takes from its quantity's values in its time window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Take {
    /// The largest value.
    #[default]
    Largest,
    /// The smallest value.
    Least,
    /// The time at which the value first passes through zero, s, by linear interpolation between two steps.
    ZeroAt,
    /// The mean time between two passages upwards through zero, s, each found as that of [`Take::ZeroAt`].
    Period,
    /// The value after the window's first step.
    First,
    /// The value at the window's end.
    Last,
    /// The largest value of the window's second half over that of its first half.
    Growth,
    /// The factor per step, as the geometric mean over a fixed number of steps of a linear regime.
    Rate,
    /// log₂ of the largest value at the time step h over that at h/2.
    Order,
    /// log₂ of the value at the window's end at the time step h over that at h/2.
    OrderAtEnd,
    /// The largest time step, s, at which the factor per step is at most 1.
    StabilityLimit,
}

impl Take {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Largest,
        Self::Least,
        Self::ZeroAt,
        Self::Period,
        Self::First,
        Self::Last,
        Self::Growth,
        Self::Rate,
        Self::Order,
        Self::OrderAtEnd,
        Self::StabilityLimit,
    ];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Largest => "largest",
            Self::Least => "least",
            Self::ZeroAt => "zero_at",
            Self::Period => "period",
            Self::First => "first",
            Self::Last => "last",
            Self::Growth => "growth",
            Self::Rate => "rate",
            Self::Order => "order",
            Self::OrderAtEnd => "order_at_end",
            Self::StabilityLimit => "stability_limit",
        }
    }
}
