//! The scenes and their right values.

use super::worlds::{FALL, edge_of_a_table, of, of_engines};
use super::{Departure, Row, Scene};
use crate::command_line::apart::{light_rod, tonne_on_a_disk};
use crate::contact::held::{bar_above_a_peg, rate_at_the_peg};
use crate::contact::sticking::{cylinder_between_plates, jammed_block};
use crate::contact::worlds::G;
use crate::largest;
use crate::physics::springs::oscillator;
use driftlab::method::Level;
use std::f64::consts::TAU;

const FRAME: f64 = 1.0 / 60.0;
const FINE: f64 = 1.0 / 240.0;

const SWEEPS: &str = "Its sweeps do not solve the step";
const TOLD: &str = "Its sweeps do not solve the step, and `run` tells how far it is";
const CREEP: &str = "Friction is bounded by what one substep takes back, so that loaded contacts creep";
const LATE: &str = "A contact is met one step late, and its overlap, at most a step's travel, is pushed out within the next step";
const GROWS: &str =
    "Its multipliers and penalties grow over many visits, and those of a step do not solve it";
const EULER: &str = "Its springs are those of backward Euler, which damps them";
/// Visits by which `avbd` solves a step.
const VISITS: Shown = (None, &[("iterations", 1000.0)]);
const SOFT: &str = "Joints, limits and contacts are damped springs, which give under a load";

const FIRST: &str =
    "The step moves before its forces act, so that a motor turns its joint from the second step on";
const PHASE: &str =
    "Its velocity is half a step ahead of its pose: ½ m v² + ½ k s² varies by the share ½hω in each period";
const AHEAD: &str = "Its velocity is half a step ahead of its pose: a fall has ½ h m g v more";
const YIELDS: &str = "Its constraints are springs with a time constant of 20 ms or two steps, which give under a load and creep along contacts";
const CREEPS: &str = "Loaded contacts creep, in proportion to the step, and part where they slide";
const ALTERNATES: &str =
    "Its alternations of joints and sweeps do not solve the step, and `run` tells how far it is";
/// Alternations by which `direct_iterated` solves a step.
const ALTERNATIONS: Shown = (None, &[("alternations", 1000.0)]);
/// The stiffest constraints that `mujoco` offers.
const STIFF: &[(&str, f64)] = &[("timeconst", 1e-6), ("impedance", 0.9999), ("full_impedance", 0.9999)];

/// How a departure is shown.
type Shown = (Option<&'static str>, &'static [(&'static str, f64)]);

fn departure(scheme: &'static str, cause: &'static str, (engine, ablation): Shown) -> Departure {
    Departure { scheme, cause, engine, ablation }
}

pub(super) fn scenes() -> Vec<Scene> {
    let mut all = ground();
    for level in [Level::Velocity, Level::Acceleration] {
        all.extend(friction(level));
    }
    all.extend(loads());
    all.extend(energies());
    all.extend(ratios());
    all.extend(piles());
    all
}

/// A convex corner of a polyline.
fn ground() -> Vec<Scene> {
    let travel = (2.0 * G * FALL).sqrt() * FRAME;
    let rows = || {
        vec![
            Row {
                quantity: "height at the end",
                unit: "m",
                measure: |run| run.end()[1].0.position.y,
                right: 0.2,
                tolerance: travel,
                source: "half of its height, within v h of the fall",
                departures: vec![],
            },
            Row {
                quantity: "largest overlap",
                unit: "m",
                measure: |run| largest(run.reports.iter().map(|report| report.contact_error)),
                right: 0.0,
                tolerance: travel,
                source: "v h of the fall",
                departures: vec![],
            },
            Row {
                quantity: "largest gain of energy",
                unit: "J",
                measure: |run| {
                    let gains = run.reports.iter().map(|report| report.total_energy() - run.energy);
                    gains.fold(0.0, f64::max)
                },
                right: 0.0,
                tolerance: 1e-6,
                source: "nothing drives it",
                departures: vec![departure("ggl", AHEAD, (None, &[("time_step", 1e-4)]))],
            },
        ]
    };
    let scene =
        |name, world| Scene { name, world, times: [FRAME, 2.0], level: Level::Velocity, rows: rows() };
    vec![
        scene("box on the corner of a polyline", || edge_of_a_table(false)),
        scene("box on the corner of a polygon", || edge_of_a_table(true)),
    ]
}

/// Friction that sticks.
fn friction(level: Level) -> Vec<Scene> {
    let at_velocities = |departures: Vec<Departure>| match level {
        Level::Velocity => departures,
        Level::Acceleration => vec![],
    };
    vec![
        Scene {
            name: "jammed block",
            world: || jammed_block(2.0, 0.0),
            times: [FRAME, 2.0],
            level,
            rows: vec![Row {
                quantity: "way in 2 s",
                unit: "m",
                measure: |run| run.moments[0][1].0.position.distance(run.end()[1].0.position),
                right: 0.0,
                tolerance: 1e-3,
                source: "F e = 2 × F c/μ: twice the arm at which it jams",
                departures: at_velocities(vec![
                    departure("xpbd", CREEP, (None, &[("substeps", 100.0)])),
                    departure(
                        "mujoco",
                        "Loaded contacts creep, and part where they slide",
                        (
                            None,
                            &[
                                ("timeconst", 1e-6),
                                ("dampratio", 30.0),
                                ("impedance", 0.99),
                                ("full_impedance", 0.99),
                            ],
                        ),
                    ),
                    departure("sap", CREEPS, (None, &[("time_step", 1e-3)])),
                ]),
            }],
        },
        Scene {
            name: "cylinder between plates",
            world: || cylinder_between_plates(50.0),
            times: [FINE, 2.0],
            level,
            rows: vec![
                Row {
                    quantity: "speed",
                    unit: "m/s",
                    measure: |run| run.end()[4].1.linear.x,
                    right: 0.5,
                    tolerance: 5e-3,
                    source: "(2 − 1)/2: it rolls on both",
                    departures: at_velocities(vec![departure("mujoco", YIELDS, (None, STIFF))]),
                },
                Row {
                    quantity: "rate",
                    unit: "rad/s",
                    measure: |run| run.end()[4].1.angular,
                    right: 5.0,
                    tolerance: 5e-2,
                    source: "(2 + 1)/(2 r)",
                    departures: at_velocities(vec![departure("mujoco", YIELDS, (None, STIFF))]),
                },
            ],
        },
    ]
}

/// Motors and limits under load, and wheels that are held by motors.
fn loads() -> Vec<Scene> {
    let held = |scene| {
        let engine = |departure: &'static str, cause| self::departure(departure, cause, (Some(scene), &[]));
        // A motor holds a speed and has no spring.
        let limited = scene == "limit-holds";
        let soft = limited
            .then(|| [engine("soft", SOFT), departure("mujoco", YIELDS, (None, STIFF))])
            .into_iter()
            .flatten();
        // A limit is corrected in the positions, too.
        let alternates =
            || (!limited).then(|| departure("direct_iterated", ALTERNATES, ALTERNATIONS)).into_iter();
        vec![
            Row {
                quantity: "angle of the beam at 3 s",
                unit: "rad",
                measure: |run| run.end()[1].0.angle,
                right: 0.0,
                tolerance: 1e-3,
                source: "it holds any load",
                departures: [engine("ngs", SWEEPS), departure("avbd", GROWS, VISITS)]
                    .into_iter()
                    .chain(soft)
                    .chain(alternates())
                    .collect(),
            },
            Row {
                quantity: "sink of the load at 3 s",
                unit: "m",
                measure: |run| -run.end()[2].0.position.y,
                right: 0.0,
                tolerance: 5e-3,
                source: "5 m away, welded to the beam",
                departures: [
                    departure("ngs", SWEEPS, (None, &[("velocity_iterations", 100.0)])),
                    departure("split_impulse", SWEEPS, (None, &[("iterations", 100.0)])),
                    departure("soft", SOFT, (None, &[("substeps", 100.0), ("hertz", 1500.0)])),
                    departure("mujoco", YIELDS, (None, STIFF)),
                    departure("avbd", GROWS, VISITS),
                ]
                .into_iter()
                .chain(alternates())
                .collect(),
            },
        ]
    };
    let scene =
        |name, world, time, rows| Scene { name, world, times: [FRAME, time], level: Level::Velocity, rows };
    vec![
        scene("motor under load", || of_engines("motor-holds"), 3.0, held("motor-holds")),
        scene("limit under load", || of_engines("limit-holds"), 3.0, held("limit-holds")),
        scene(
            "beam turned by a motor",
            || of_engines("motor-turns"),
            3.0,
            vec![Row {
                quantity: "angle at 3 s",
                unit: "rad",
                measure: |run| run.end()[1].0.angle,
                right: 0.9,
                tolerance: 1e-3,
                source: "0.3 rad/s × 3 s",
                departures: vec![
                    departure("ggl", FIRST, (None, &[("time_step", 1e-4)])),
                    departure("avbd", GROWS, VISITS),
                ],
            }],
        ),
        scene(
            "parked car on 20°",
            || of_engines("parked-car"),
            10.0,
            vec![Row {
                quantity: "creep in 5–10 s",
                unit: "mm/s",
                measure: |run| run.at(10.0)[1].0.position.distance(run.at(5.0)[1].0.position) / 5e-3,
                right: 0.0,
                tolerance: 0.05,
                source: "tan 20° < μ = 1",
                departures: vec![
                    departure("split_impulse", SWEEPS, (None, &[("iterations", 100.0)])),
                    departure("xpbd", CREEP, (None, &[("substeps", 50.0)])),
                    departure("mujoco", YIELDS, (None, STIFF)),
                    departure("sap", CREEPS, (None, &[("time_step", 1e-3)])),
                ],
            }],
        ),
    ]
}

/// Springs and impacts, which keep or lose what they should.
fn energies() -> Vec<Scene> {
    let scene =
        |name, world, times, row| Scene { name, world, times, level: Level::Velocity, rows: vec![row] };
    vec![
        scene(
            "undamped spring of 1 Hz",
            || oscillator(TAU, 0.0),
            [FRAME, 100.0],
            Row {
                quantity: "energy after 100 periods, of that at the start",
                unit: "",
                measure: |run| run.last_report().total_energy() / run.energy,
                right: 1.0,
                tolerance: 0.01,
                source: "nothing takes it",
                departures: vec![
                    departure("ggl", PHASE, (None, &[("time_step", 1e-3)])),
                    departure("avbd", EULER, (None, &[("time_step", 1e-4)])),
                ],
            },
        ),
        scene(
            "equal boxes, flush, e = 1",
            || of_engines("flush-boxes"),
            [FRAME, 6.0],
            Row {
                quantity: "speed of the box that stood",
                unit: "m/s",
                measure: |run| run.end()[1].1.linear.length(),
                right: 1.0,
                tolerance: 1e-3,
                source: "momentum and energy: they exchange their velocities",
                departures: vec![
                    departure(
                        "soft",
                        "The points of a face rebound one after the other, once",
                        (Some("flush-boxes"), &[]),
                    ),
                    departure(
                        "mujoco",
                        "The points of a face yield together, each for itself",
                        (None, STIFF),
                    ),
                ],
            },
        ),
        scene(
            "hinged bar onto a peg, e = 0",
            || bar_above_a_peg(0.3, 0.0),
            [FINE, 3.0],
            Row {
                quantity: "rate after the impact, of that before",
                unit: "",
                measure: |run| {
                    let rates = run.moments.iter().map(|moment| moment[1].1.angular / rate_at_the_peg());
                    rates.fold(0.0, f64::max)
                },
                right: 0.0,
                tolerance: 0.06,
                source: "Newton's law of impact",
                departures: vec![
                    departure("anitescu_hart", LATE, (None, &[("active_travel", 2.0)])),
                    departure("implicit", LATE, (None, &[("active_travel", 2.0)])),
                    departure("ngs", SWEEPS, (None, &[("velocity_iterations", 100.0)])),
                    departure("split_impulse", SWEEPS, (None, &[("iterations", 100.0)])),
                    departure("avbd", GROWS, VISITS),
                    departure("direct_iterated", ALTERNATES, ALTERNATIONS),
                    departure(
                        "mujoco",
                        LATE,
                        (
                            None,
                            &[
                                ("timeconst", 1e-6),
                                ("dampratio", 4.0),
                                ("impedance", 0.99),
                                ("full_impedance", 0.99),
                            ],
                        ),
                    ),
                ],
            },
        ),
    ]
}

/// Heavy bodies on light ones.
fn ratios() -> Vec<Scene> {
    let scene =
        |name, world, times, row| Scene { name, world, times, level: Level::Velocity, rows: vec![row] };
    vec![
        scene(
            "100 kg on a rod of 1 g",
            || of(&light_rod()),
            [0.01, 5.0],
            Row {
                quantity: "distance of the bob from the pivot at 5 s",
                unit: "m",
                measure: |run| run.end()[2].0.position.length(),
                right: 2.0,
                tolerance: 0.04,
                source: "the rod's length",
                departures: vec![
                    departure("ngs", TOLD, (None, &[("velocity_iterations", 1000.0)])),
                    departure("split_impulse", TOLD, (None, &[("iterations", 1000.0)])),
                    departure("soft", TOLD, (None, &[("substeps", 1000.0), ("hertz", 6e4)])),
                    departure("xpbd", TOLD, (None, &[("substeps", 100.0)])),
                    departure("mujoco", YIELDS, (None, STIFF)),
                    departure(
                        "sap",
                        "Joints yield by a share of what their bodies weigh, here of a gram",
                        (None, &[("joint_near_rigid", 1e-3)]),
                    ),
                ],
            },
        ),
        scene(
            "a tonne on a disk of 1 kg",
            || of(&tonne_on_a_disk()),
            [FRAME, 3.0],
            Row {
                quantity: "overlap at 3 s",
                unit: "m",
                measure: |run| run.last_report().contact_error,
                right: 0.0,
                tolerance: 5e-3,
                source: "contact; 5 mm is the slop of `ngs`",
                departures: vec![
                    departure("ngs", TOLD, (None, &[("velocity_iterations", 1000.0)])),
                    departure("split_impulse", TOLD, (None, &[("iterations", 1000.0)])),
                    departure("soft", TOLD, (None, &[("substeps", 400.0), ("contact_hertz", 3000.0)])),
                    departure("avbd", GROWS, VISITS),
                    departure("xpbd", TOLD, (None, &[("substeps", 100.0)])),
                    departure("mujoco", YIELDS, (None, STIFF)),
                    departure(
                        "sap",
                        "Contacts are springs, not stiffer than the near-rigid bound of the lighter body",
                        (None, &[("stiffness", 1e12), ("near_rigid", 1e-2)]),
                    ),
                ],
            },
        ),
    ]
}

/// Piles that stand.
fn piles() -> Vec<Scene> {
    let scene = |name, world, departures| Scene {
        name,
        world,
        times: [FRAME, 10.0],
        level: Level::Velocity,
        rows: vec![Row {
            quantity: "sink of the top at 10 s",
            unit: "m",
            measure: |run| {
                let top = run.end().len() - 1;
                run.moments[0][top].0.position.y - run.end()[top].0.position.y
            },
            right: 0.0,
            tolerance: 0.25,
            source: "each centre above a box is over it",
            departures,
        }],
    };
    vec![
        scene(
            "stack of 20 boxes",
            || of_engines("stack-20"),
            vec![
                departure("split_impulse", SWEEPS, (None, &[("iterations", 50.0)])),
                departure("xpbd", CREEP, (None, &[("substeps", 200.0)])),
            ],
        ),
        scene(
            "12 planks that overhang by 0.9 of what they can",
            || of_engines("overhang-12"),
            vec![
                departure("ngs", SWEEPS, (None, &[("velocity_iterations", 100.0)])),
                departure("split_impulse", SWEEPS, (None, &[("iterations", 50.0)])),
                departure(
                    "mujoco",
                    "Its contacts sink and creep, and the planks stand or fall by 1e-12 m of where they begin",
                    (None, &[("cone", 1.0)]),
                ),
                departure(
                    "sap",
                    "Contacts are springs, which tilt the planks",
                    (None, &[("stiffness", 1e12), ("near_rigid", 1e-2)]),
                ),
                departure(
                    "avbd",
                    "Contacts rest at an overlap, its margin, which tilts the planks",
                    (None, &[("margin", 0.0)]),
                ),
            ],
        ),
    ]
}
