//! The figures of a whole recording.

use super::figures::StepFigures;
use super::length_of;
use super::tally::{self, Extreme};
use super::totals::{Columns, JointFigures, JointTotals, PairFigures, PairTotals, Pairs, TouchedSum};
use super::work::{WorkSplit, kinetic};
use crate::experiment::recording::{Recording, Stretch};
use crate::model::{BodyId, World};
use driftlab_probe::format::{Engine, Precision, Step};
use serde::Serialize;

/// What is told of a recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The program that made the steps.
    pub engine: Engine,
    /// Its arithmetic.
    pub precision: Precision,
    /// Steps that were judged.
    pub steps: u64,
    /// Time before the first and after the last of them, s.
    pub time: [f64; 2],
    /// Bytes behind the last whole line that could not be read.
    pub cut_off: u64,
    /// Lines that were lost.
    pub lost: u64,
    /// What the engine's world has and its scene does not tell.
    pub left_out: Vec<String>,
    /// What is worth knowing of how the recording came about.
    pub notes: Vec<String>,
    /// What the lines tell.
    pub known: Known,
    /// What could not be judged, and why: a sentence each.
    pub missing: Vec<String>,
    /// Error of the joints, m.
    pub joint_error: Option<Extreme>,
    /// Likewise, rad.
    pub joint_angle: Option<Extreme>,
    /// Rate of that error, m/s.
    pub joint_rate: Option<Extreme>,
    /// Likewise, rad/s.
    pub joint_turning: Option<Extreme>,
    /// Violation of limits, m.
    pub limit_error: Option<Extreme>,
    /// Likewise, rad.
    pub limit_angle: Option<Extreme>,
    /// Overlap by our own detection, m.
    pub penetration: Option<Extreme>,
    /// The engine's own readings: of joints, m.
    pub engine_joint_error: Option<Extreme>,
    /// Of joints, rad.
    pub engine_joint_angle: Option<Extreme>,
    /// Of overlaps, m.
    pub engine_penetration: Option<Extreme>,
    /// How far they differ from ours: of joints, m or rad.
    pub joint_difference: Option<Extreme>,
    /// Of gaps, m.
    pub gap_difference: Option<Extreme>,
    /// Contacts of the engine that have no counterpart in the told shapes; none where no line tells of contacts.
    pub unseen: Option<Unseen>,
    /// The balance of momentum.
    pub momentum: Option<Momentum>,
    /// Largest pull of a contact, −p_n, N s: 0 where all push.
    pub pulling: Option<f64>,
    /// |p_n w| of contacts, J.
    pub complementarity: Option<Extreme>,
    /// Gap of a contact that pushes, m.
    pub pushing_gap: Option<Extreme>,
    /// |p_t| − μ p_n, N s.
    pub beyond_cone: Option<Extreme>,
    /// Work of friction that drives, J.
    pub driving_friction: Option<Extreme>,
    /// Impulse of motors and friction beyond their bound, N s or N m s.
    pub beyond_motor: Option<Extreme>,
    /// Impulse of limits that pull, N s or N m s.
    pub pulling_limit: Option<Extreme>,
    /// Impulse of springs beside their law, N s or N m s.
    pub spring_law: Option<Extreme>,
    /// As a share of the spring's impulse.
    pub spring_share: Option<Extreme>,
    /// |w + e w⁻| of impacts, m/s.
    pub rebound_error: Option<Extreme>,
    /// The impacts among the contacts.
    pub impacts: Option<Impacts>,
    /// Energies.
    pub energy: EnergyFigures,
    /// Yardsticks of the run.
    pub yardsticks: Yardsticks,
    /// Each joint, by its number.
    pub joints: Vec<JointFigures>,
    /// Each two bodies that have touched.
    pub pairs: Vec<PairFigures>,
    /// The numbers of each step that plots need.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

/// How many steps tell what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Known {
    /// Velocities.
    pub velocities: u64,
    /// What joints, springs and velocity constraints did.
    pub acted: u64,
    /// Contacts.
    pub contacts: u64,
    /// External impulses.
    pub external: u64,
    /// Steps whose momentum could be judged.
    pub momentum: u64,
    /// Steps whose work could be split.
    pub work: u64,
}

/// Contacts of the engine whose bodies our own detection does not find near each other, summed over the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Unseen {
    /// How many there are.
    pub contacts: u64,
    /// Of so many.
    pub of: u64,
}

/// The balance of momentum over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Momentum {
    /// Largest of a body, N s.
    pub linear: Extreme,
    /// Likewise of moments, N m s.
    pub angular: Extreme,
    /// As a share of the step's largest impulse, or moment.
    pub share: Extreme,
    /// In rounding units of the body.
    pub roundings: Extreme,
}

/// Impacts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Impacts {
    /// How many there are.
    pub count: u64,
    /// The mean of −w/w⁻: the coefficient of restitution that is observed.
    pub restitution: f64,
}

/// The energies of a state, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// Kinetic; none where velocities are not known.
    pub kinetic: Option<f64>,
    /// Potential.
    pub potential: f64,
}

impl Energy {
    /// Both together.
    pub fn total(&self) -> Option<f64> {
        Some(self.kinetic? + self.potential)
    }
}

/// Energies over a run, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EnergyFigures {
    /// Before the first step.
    pub first: Energy,
    /// After the last one.
    pub last: Energy,
    /// Who did which work over all steps that tell it; none where not all do.
    pub work: Option<WorkSplit>,
    /// The largest |method| of a step.
    pub method: Option<Extreme>,
    /// Σ |method| over the steps.
    pub method_size: Option<f64>,
}

/// The yardsticks of a run: see the head of the judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Yardsticks {
    /// Mean sliding speed of what should stick, m/s.
    pub creep: Option<f64>,
    /// Largest joint error at rest, m.
    pub sag_of_joints: Option<f64>,
    /// Largest overlap at rest, m.
    pub sag_of_contacts: Option<f64>,
    /// Largest separation of a joint, m.
    pub stretch: Option<f64>,
    /// Largest of them as a share of the joint's length.
    pub stretch_share: Option<f64>,
    /// Half-life of the largest joint error, s.
    pub half_life_of_joints: Option<f64>,
    /// Half-life of the overlap, s.
    pub half_life_of_contacts: Option<f64>,
    /// Time after which nothing moves, s.
    pub settling_time: Option<f64>,
}

/// The numbers of a step that plots need; NaN where one is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// s.
    pub time: f64,
    /// m.
    pub joint_error: f64,
    /// rad.
    pub joint_angle: f64,
    /// m.
    pub penetration: f64,
    /// Momentum as a share of the largest impulse.
    pub momentum_share: f64,
    /// J.
    pub kinetic: f64,
    /// J.
    pub potential: f64,
    /// Work since the beginning, J, in the order of [`WorkSplit::parts`].
    pub work: [f64; 11],
}

/// Figures in the making.
#[derive(Clone)]
pub(super) struct Totals {
    engine: Engine,
    precision: Precision,
    left_out: Vec<String>,
    notes: Vec<String>,
    cut_off: u64,
    start: f64,
    first: Energy,
    known: Known,
    steps: u64,
    lost: u64,
    columns: Columns,
    pub joints: Vec<JointTotals>,
    names: Vec<String>,
    pairs: Pairs,
    work: WorkSplit,
    method_size: f64,
    creep: [f64; 2],
    impacts: [f64; 2],
    unseen: Option<Unseen>,
    samples: Vec<Sample>,
    /// u of the recording's precision, and the largest coordinate of a body so far, m: an error below some u of it is rounding.
    rounding: f64,
    size: f64,
}

/// Rounding units of the largest coordinate below which an error is none that decays.
const ROUNDED: f64 = 64.0;

impl Totals {
    pub fn of(recording: &Recording, rounding: f64) -> Self {
        let world = &recording.scene().world;
        let v: Vec<_> = (0..world.bodies().len()).map(|body| world.velocity_of(body)).collect();
        Self {
            engine: recording.engine().clone(),
            precision: recording.precision(),
            left_out: recording.left_out().to_vec(),
            notes: recording.notes().to_vec(),
            cut_off: recording.cut_off(),
            start: world.time(),
            first: Energy { kinetic: Some(kinetic(world, &v)), potential: world.potential_energy() },
            known: Known::default(),
            steps: 0,
            lost: 0,
            columns: Columns::default(),
            joints: Vec::new(),
            names: Vec::new(),
            pairs: Pairs::default(),
            work: WorkSplit::default(),
            method_size: 0.0,
            creep: [0.0; 2],
            impacts: [0.0; 2],
            unseen: None,
            samples: Vec::new(),
            rounding,
            size: 0.0,
        }
    }

    /// Takes in who is there from now on.
    pub fn meet(&mut self, own: &Stretch) {
        let name = |number: usize, id: Option<BodyId>, world: &World| match id.and_then(|id| world.body(id))
        {
            Some(body) if !body.name.is_empty() => body.name.clone(),
            _ => format!("body {number}"),
        };
        let new = own.bodies.iter().enumerate().skip(self.names.len());
        self.names.extend(new.map(|(number, id)| name(number, *id, &own.world)));
        for id in own.joints.iter().skip(self.joints.len()) {
            let place = id.and_then(|id| own.world.joint_ids().binary_search(&id).ok());
            self.joints.push(place.map_or_else(JointTotals::default, |place| {
                let joint = &own.world.joints()[place];
                let named = joint.bodies().map(|body| {
                    let number = own.bodies.iter().position(|id| *id == own.world.id_of(body));
                    number.and_then(|number| self.names.get(number).cloned()).unwrap_or_default()
                });
                let (kind, length) = (joint.kind.key().to_owned(), length_of(&own.world, place));
                JointTotals { kind, bodies: named, length, ..JointTotals::default() }
            }));
        }
    }

    /// The figures of two bodies that touch, by their numbers.
    pub fn pair(&mut self, mut numbers: [usize; 2]) -> &mut PairTotals {
        numbers.sort_unstable();
        let names = &self.names;
        let named = || numbers.map(|number| names.get(number).cloned().unwrap_or_default());
        self.pairs.entry(numbers).or_insert_with(|| PairTotals::of(named()))
    }

    /// Takes the contacts of a step in.
    pub fn add_contacts(&mut self, sum: &TouchedSum) {
        for at in 0..2 {
            self.creep[at] += sum.creep()[at];
            self.impacts[at] += sum.impacts[at];
        }
    }

    /// Takes in how many of a step's contacts our own detection has not found.
    pub fn add_unseen(&mut self, [contacts, of]: [u64; 2]) {
        let sum = self.unseen.get_or_insert_default();
        *sum = Unseen { contacts: sum.contacts + contacts, of: sum.of + of };
    }

    /// Takes the figures of a step in.
    pub fn add(&mut self, figures: &StepFigures, step: &Step) {
        self.steps += 1;
        let places = step.q.iter().flatten().flat_map(|[x, y, _]| [x.abs(), y.abs()]);
        self.size = places.fold(self.size, f64::max);
        self.lost += step.lost;
        let known = &mut self.known;
        known.velocities += u64::from(step.v.is_some());
        known.acted += u64::from(step.acted.is_some());
        known.contacts += u64::from(step.contacts.is_some());
        known.external += u64::from(step.external.is_some());
        known.momentum += u64::from(figures.momentum.is_some());
        known.work += u64::from(figures.work.is_some());
        self.columns.add(figures);
        if let Some(work) = &figures.work {
            self.work.add(work);
            self.method_size += work.method.abs();
        }
        let or_nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
        let work = self.work.parts().map(|(_, work)| work);
        self.samples.push(Sample {
            time: figures.time,
            joint_error: or_nan(figures.joint_error),
            joint_angle: or_nan(figures.joint_angle),
            penetration: or_nan(figures.penetration),
            momentum_share: or_nan(figures.momentum_share),
            kinetic: or_nan(figures.kinetic),
            potential: figures.potential,
            work: if figures.work.is_some() { work } else { [f64::NAN; 11] },
        });
    }

    pub fn finish(self) -> Judged {
        let of = |name: &str| self.columns.of(name);
        let joints: Vec<JointFigures> =
            self.joints.iter().enumerate().map(|(joint, own)| own.figures(joint)).collect();
        let last = self.samples.last();
        let momentum = || {
            let [linear, angular] = [of("momentum")?, of("angular_momentum")?];
            let [share, roundings] = [of("momentum_share")?, of("momentum_roundings")?];
            Some(Momentum { linear, angular, share, roundings })
        };
        let is_split = self.known.work == self.steps && self.steps > 0;
        let pairs: Vec<PairFigures> = self.pairs.values().map(PairTotals::figures).collect();
        let mut missing = missing(&self.known, self.steps, self.joints.len(), self.lost);
        missing.extend(self.unseen.and_then(|unseen| without_counterpart(unseen, &pairs)));
        Judged {
            steps: self.steps,
            time: [self.start, last.map_or(self.start, |own| own.time)],
            cut_off: self.cut_off,
            lost: self.lost,
            missing,
            joint_error: of("joint_error"),
            joint_angle: of("joint_angle"),
            joint_rate: of("joint_rate"),
            joint_turning: of("joint_turning"),
            limit_error: of("limit_error"),
            limit_angle: of("limit_angle"),
            penetration: of("penetration"),
            engine_joint_error: of("engine_joint_error"),
            engine_joint_angle: of("engine_joint_angle"),
            engine_penetration: of("engine_penetration"),
            joint_difference: of("joint_difference"),
            gap_difference: of("gap_difference"),
            unseen: self.unseen,
            momentum: momentum(),
            pulling: of("least_normal").map(|own| own.largest.max(0.0)),
            complementarity: of("complementarity"),
            pushing_gap: of("pushing_gap"),
            beyond_cone: of("beyond_cone"),
            driving_friction: of("driving_friction"),
            beyond_motor: of("beyond_motor"),
            pulling_limit: of("pulling_limit"),
            spring_law: of("spring_law"),
            spring_share: of("spring_share"),
            rebound_error: of("rebound_error"),
            impacts: (self.impacts[1] > 0.0).then(|| Impacts {
                count: self.impacts[1] as u64,
                restitution: self.impacts[0] / self.impacts[1],
            }),
            energy: EnergyFigures {
                first: self.first,
                last: last.map_or(self.first, |own| Energy {
                    kinetic: Some(own.kinetic).filter(|kinetic| kinetic.is_finite()),
                    potential: own.potential,
                }),
                work: is_split.then_some(self.work),
                method: of("method"),
                method_size: is_split.then_some(self.method_size),
            },
            yardsticks: self.yardsticks(&joints),
            pairs,
            engine: self.engine,
            precision: self.precision,
            left_out: self.left_out,
            notes: self.notes,
            known: self.known,
            joints,
            samples: self.samples,
        }
    }

    fn yardsticks(&self, joints: &[JointFigures]) -> Yardsticks {
        let points = |of: fn(&Sample) -> f64| -> Vec<[f64; 2]> {
            let all = self.samples.iter().map(|own| [own.time, of(own)]);
            all.filter(|[_, value]| value.is_finite()).collect()
        };
        let floor = ROUNDED * self.rounding * self.size;
        let kinetic = points(|own| own.kinetic);
        let settling_time = tally::settling_time(self.start, &kinetic);
        let is_at_rest = settling_time.is_some() || kinetic.iter().all(|[_, energy]| *energy == 0.0);
        let last = self.samples.last().filter(|_| is_at_rest && !kinetic.is_empty());
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let share = |own: &JointFigures| Some(own.linear?.largest / own.length?);
        Yardsticks {
            creep: (self.creep[1] > 0.0).then(|| self.creep[0] / self.creep[1]),
            sag_of_joints: last.and_then(|own| finite(own.joint_error)),
            sag_of_contacts: last.and_then(|own| finite(own.penetration)),
            stretch: self.columns.of("joint_error").map(|own| own.largest),
            stretch_share: joints.iter().filter_map(share).reduce(f64::max),
            half_life_of_joints: tally::half_life(&points(|own| own.joint_error), floor),
            half_life_of_contacts: tally::half_life(&points(|own| own.penetration), floor),
            settling_time,
        }
    }
}

/// Pairs that the sentence on contacts without a counterpart names at most.
const MOST_NAMED: usize = 3;

/// The contacts of the engine that our own detection does not find, with the bodies: what of them is not judged.
fn without_counterpart(unseen: Unseen, pairs: &[PairFigures]) -> Option<String> {
    let Unseen { contacts, of } = unseen;
    let mut missed: Vec<_> = pairs.iter().filter(|pair| pair.unseen > 0).collect();
    missed.sort_by_key(|pair| (std::cmp::Reverse(pair.unseen), pair.unseen_from));
    let named = missed.iter().take(MOST_NAMED).map(|pair| {
        let [a, b] = &pair.bodies;
        format!("{a} – {b}, from step {}", pair.unseen_from.unwrap_or_default())
    });
    let mut named = named.collect::<Vec<_>>().join("; ");
    if missed.len() > MOST_NAMED {
        named.push_str(&format!("; and {} more", missed.len() - MOST_NAMED));
    }
    (contacts > 0).then(|| {
        format!(
            "contacts without a counterpart: {contacts} of the engine's {of} contacts have none in the told shapes ({named}); \
             gap and rebound of these are not judged, nor cone and creep where the line states no friction"
        )
    })
}

/// What is not judged, and why.
fn missing(known: &Known, steps: u64, joints: usize, lost: u64) -> Vec<String> {
    let mut told = Vec::new();
    let count =
        |own: u64| if own == 0 { String::new() } else { format!(" in {} of {steps} steps", steps - own) };
    if steps == 0 {
        told.push("steps: there are none".to_owned());
        return told;
    }
    if known.velocities < steps {
        told.push(format!("velocities: from differences of poses{}", count(known.velocities)));
    }
    if known.acted < steps && joints > 0 {
        told.push(format!("motors and limits: not judged{}, no impulses of joints", count(known.acted)));
    }
    if known.contacts < steps {
        told.push(format!("contacts: by our own detection alone{}", count(known.contacts)));
    }
    if known.momentum < steps {
        let why = match () {
            () if known.velocities < steps => "no velocities",
            () if known.acted < steps => "no impulses of joints",
            () if known.contacts < steps => "no impulses of contacts",
            () => "not every impulse is stated, or they are estimates",
        };
        told.push(format!("momentum: not judged{}, {why}", count(known.momentum)));
    }
    if known.external < steps && known.momentum > 0 {
        told.push(format!(
            "external impulses: weight and applied forces of the scene{}",
            count(known.external)
        ));
    }
    if known.work < steps {
        let why = if known.momentum < steps { "as momentum" } else { "not every impulse is stated" };
        told.push(format!("work: not split{}, {why}", count(known.work)));
    }
    if lost > 0 {
        told.push(format!("{lost} lines were lost before they were written"));
    }
    told
}
