//! The figures of one step, and their columns.

use super::work::WorkSplit;
use serde::Serialize;

/// What is told of one step. None is what the recording does not tell, and never 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepFigures {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time after it, s.
    pub time: f64,
    /// Its length, s.
    pub h: f64,
    /// Largest |g| of a joint after it, m: the length of its rows' errors.
    pub joint_error: Option<f64>,
    /// Likewise of angles, rad.
    pub joint_angle: Option<f64>,
    /// Largest |J v + c| of a joint, m/s.
    pub joint_rate: Option<f64>,
    /// Likewise of angles, rad/s.
    pub joint_turning: Option<f64>,
    /// Largest violation of a limit, m.
    pub limit_error: Option<f64>,
    /// Likewise of angles, rad.
    pub limit_angle: Option<f64>,
    /// Largest overlap that our own detection finds, m; none where nothing can touch.
    pub penetration: Option<f64>,
    /// Largest error of a joint as the engine itself states it, m.
    pub engine_joint_error: Option<f64>,
    /// Likewise of angles, rad.
    pub engine_joint_angle: Option<f64>,
    /// Largest overlap as the engine states it, m, at the poses that the recording names.
    pub engine_penetration: Option<f64>,
    /// Largest difference of the engine's readings and ours: of joints, m or rad, and of gaps, m.
    pub joint_difference: Option<f64>,
    /// See `joint_difference`.
    pub gap_difference: Option<f64>,
    /// Contacts of the engine whose bodies our own detection does not find near each other.
    pub unseen_contacts: Option<f64>,
    /// Largest |M (v⁺ − v) − Σ p| of a body, N s.
    pub momentum: Option<f64>,
    /// Likewise of moments, N m s.
    pub angular_momentum: Option<f64>,
    /// The larger of both as a share of the step's largest impulse, or moment.
    pub momentum_share: Option<f64>,
    /// The largest in rounding units of its body.
    pub momentum_roundings: Option<f64>,
    /// Smallest normal impulse of a contact, N s: negative where one pulls.
    pub least_normal: Option<f64>,
    /// Largest |p_n w| of a contact, J.
    pub complementarity: Option<f64>,
    /// Largest gap of a contact that pushes, m.
    pub pushing_gap: Option<f64>,
    /// Largest |p_t| − μ p_n, N s, 0 within the cone.
    pub beyond_cone: Option<f64>,
    /// Largest p_t s, J, 0 where friction resists.
    pub driving_friction: Option<f64>,
    /// By how much a motor or friction exceeds its bound, N s or N m s.
    pub beyond_motor: Option<f64>,
    /// Largest impulse of a limit with the wrong sign, N s or N m s.
    pub pulling_limit: Option<f64>,
    /// Largest departure of a spring's impulse from its law, N s or N m s: 0 between what it has over the step.
    pub spring_law: Option<f64>,
    /// The largest as a share of the spring's impulse.
    pub spring_share: Option<f64>,
    /// Mean sliding speed of the contacts that should stick, m/s.
    pub creep: Option<f64>,
    /// Largest |w + e w⁻| of an impact, m/s.
    pub rebound_error: Option<f64>,
    /// Kinetic energy, J; none where velocities are not known.
    pub kinetic: Option<f64>,
    /// Potential energy of weights, fields and springs, J.
    pub potential: f64,
    /// Who did which work in the step, J; none where not every impulse is known.
    #[serde(skip)]
    pub work: Option<WorkSplit>,
}

/// Each figure by its key, with its unit and what it is: as docs/RECORDING.md defines them.
pub const DEFINITIONS: [(&str, &str, &str); 37] = [
    (
        "joint_error",
        "m",
        "largest |g| of a joint after the step: the length of the errors of its rows in m",
    ),
    ("joint_angle", "rad", "the same of its rows in rad"),
    ("joint_rate", "m/s", "largest |J v + c| of a joint after the step"),
    ("joint_turning", "rad/s", "the same of its rows in rad"),
    ("limit_error", "m", "largest violation of a limit of a displacement or a distance, 0 within"),
    ("limit_angle", "rad", "the same of an angle"),
    ("penetration", "m", "largest overlap that driftlab's own detection finds at the poses after the step"),
    ("engine_joint_error", "m", "largest error of a joint as the engine itself states it"),
    ("engine_joint_angle", "rad", "the same of angles"),
    (
        "engine_penetration",
        "m",
        "largest overlap as the engine states it, at the poses that contacts_at names",
    ),
    ("joint_difference", "m or rad", "largest difference of the engine's reading of a joint and ours"),
    (
        "gap_difference",
        "m",
        "largest difference of a contact's gap and ours at the same poses: of the same bodies, where the points of both are the nearest to one another",
    ),
    (
        "unseen_contacts",
        "",
        "how many of the engine's contacts have no counterpart: our detection does not find their bodies near each other",
    ),
    (
        "momentum",
        "N s",
        "largest |M (v⁺ − v) − Σ p| of a body over external impulses, the hand, joints, springs and contacts",
    ),
    ("angular_momentum", "N m s", "the same of moments about the centre of mass"),
    (
        "momentum_share",
        "",
        "the larger of |Δp| over the largest impulse p and |ΔL| over the largest |L| or ρ |p| of the step, ρ the radius of gyration",
    ),
    (
        "momentum_roundings",
        "",
        "the largest over u Σ |p| of its body: u is 2⁻²⁴ of single precision and 2⁻⁵³ of double precision",
    ),
    ("least_normal", "N s", "smallest normal impulse p_n: negative of a contact that pulls"),
    ("complementarity", "J", "largest |p_n w|, w the normal velocity after the step"),
    ("pushing_gap", "m", "largest gap, as the engine states it, of a contact with p_n > 0"),
    ("beyond_cone", "N s", "largest |p_t| − μ p_n, 0 within the cone"),
    (
        "driving_friction",
        "J",
        "largest p_t s where friction acts along the sliding velocity s, and not against it",
    ),
    (
        "beyond_motor",
        "N s or N m s",
        "largest excess of a motor's or joint friction's impulse over h times its largest force",
    ),
    ("pulling_limit", "N s or N m s", "largest impulse of a limit with the wrong sign"),
    (
        "spring_law",
        "N s or N m s",
        "largest distance of the impulse of a spring, a suspension or a soft joint from what −h (k s + d ṡ) is in the step",
    ),
    ("spring_share", "", "the largest of these as a share of the spring's impulse, stated or by its law"),
    ("creep", "m/s", "mean |s| of the contacts that should stick: |p_t| < 0.999 μ p_n"),
    (
        "rebound_error",
        "m/s",
        "largest |w + e w⁻| of an impact, w⁻ the normal velocity before the step: faster than 4 h g",
    ),
    ("kinetic", "J", "kinetic energy after the step"),
    ("potential", "J", "potential energy of weights, fields and springs after the step"),
    ("gravity, springs, applied", "J", "their work along the path of the bodies"),
    (
        "motors, drivers, hand, friction, impacts, drag, other",
        "J",
        "work of their impulses, Σ p·½ (v + v⁺); of impacts where it is negative",
    ),
    ("method", "J", "the change of the kinetic energy less all of these: the method's own error"),
    ("sag", "m", "largest joint error and overlap after the last step, where the run has come to rest"),
    (
        "stretch",
        "",
        "largest error of a joint as a share of its length: the distance of its anchor from the centre of mass, or that of a rod",
    ),
    (
        "half-life",
        "s",
        "of an error after its largest value, by a line through its logarithm; none where it does not fall to a half",
    ),
    (
        "settling time",
        "s",
        "until the kinetic energy stays below 10⁻⁴ of its largest; none where it does not until the end",
    ),
];

/// What a table of steps is headed by.
pub fn columns() -> Vec<&'static str> {
    let figures = StepFigures::default().numbers();
    figures.iter().map(|(name, _)| *name).collect()
}

impl StepFigures {
    /// Its numbers with their names, those of the work among them.
    pub fn numbers(&self) -> Vec<(&'static str, Option<f64>)> {
        let mut all = vec![
            ("step", Some(self.step as f64)),
            ("time", Some(self.time)),
            ("h", Some(self.h)),
            ("joint_error", self.joint_error),
            ("joint_angle", self.joint_angle),
            ("joint_rate", self.joint_rate),
            ("joint_turning", self.joint_turning),
            ("limit_error", self.limit_error),
            ("limit_angle", self.limit_angle),
            ("penetration", self.penetration),
            ("engine_joint_error", self.engine_joint_error),
            ("engine_joint_angle", self.engine_joint_angle),
            ("engine_penetration", self.engine_penetration),
            ("joint_difference", self.joint_difference),
            ("gap_difference", self.gap_difference),
            ("unseen_contacts", self.unseen_contacts),
            ("momentum", self.momentum),
            ("angular_momentum", self.angular_momentum),
            ("momentum_share", self.momentum_share),
            ("momentum_roundings", self.momentum_roundings),
            ("least_normal", self.least_normal),
            ("complementarity", self.complementarity),
            ("pushing_gap", self.pushing_gap),
            ("beyond_cone", self.beyond_cone),
            ("driving_friction", self.driving_friction),
            ("beyond_motor", self.beyond_motor),
            ("pulling_limit", self.pulling_limit),
            ("spring_law", self.spring_law),
            ("spring_share", self.spring_share),
            ("creep", self.creep),
            ("rebound_error", self.rebound_error),
            ("kinetic", self.kinetic),
            ("potential", Some(self.potential)),
        ];
        let work = self.work.map(|work| work.parts());
        let names = WorkSplit::default().parts();
        all.extend(names.iter().enumerate().map(|(at, (name, _))| (*name, work.map(|work| work[at].1))));
        all
    }
}
