//! Worlds, their changes, and mixed problems from bytes.

use super::source::Source;
use super::tally::Tally;
use super::targets::{assert_finite, bits};
use driftlab::lcp::{ACCEPTED, Law, MixedProblem, MixedRow, solvers};
use driftlab::method::{Integrator, Method};
use driftlab::model::{
    Body, BodyId, BodyKind, Joint, JointId, MassSpec, Motion, Placement, Shape, Spring, Velocity, World,
};
use driftlab::report::StepReport;
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::{DVec2, DVec3};

/// Bodies and steps at most, so that one input takes milliseconds.
const BODIES: usize = 12;
const STEPS: usize = 12;
/// Of an energy as large as this, J, the squares of residuals may overflow; `run` says long before that the run has blown up.
const OVERFLOWING: f64 = 1e60;

/// Builds a world and a method, steps it with changes between the steps, and returns the bits of every state.
pub fn live(data: &[u8], tally: &mut Tally) -> Vec<u64> {
    let source = &mut Source::new(data);
    let method = method(source);
    let h = 10f64.powf(-1.0 - 2.5 * source.unit());
    let (mut world, bodies, joints) = build(source);
    let mut workspace = Workspace::default();
    let mut states = Vec::new();
    for _ in 0..STEPS {
        let before = (bits(&world), world.time(), world.steps());
        match step(&mut world, &method, h, &mut workspace) {
            Ok(report) => {
                assert_finite(&world);
                tally.count(judge(&report));
            }
            Err(error) => {
                tally.count("step: failed");
                assert!(
                    before == (bits(&world), world.time(), world.steps()),
                    "a failed step changed the world: {error}"
                );
            }
        }
        states.extend(bits(&world));
        if source.is_empty() {
            break;
        }
        change(source, &mut world, &bodies, &joints);
    }
    states
}

/// What a report says of a step that has been made. Solvers that solve keep 1e-9 of the speed or call islands violated or nearly
/// solved, also where rounding leaves more because masses differ by more than 2e4; sweeps promise nothing, and `pgs`
/// tells what it has left.
fn judge(report: &StepReport) -> &'static str {
    let StepReport { solver, rows, relative_residual, infeasible, unproved, .. } = report;
    let sweeps = ["gauss_seidel", "block_descent", "pgs"].contains(solver);
    match relative_residual {
        _ if infeasible + unproved > 0 => "step: violated or nearly solved, and said so",
        None => {
            assert!(*rows == 0 || sweeps, "{solver} tells no residual of {rows} rows");
            "step: sweeps, or no rows"
        }
        Some(left) if *left <= ACCEPTED => "step: solved",
        Some(left) if left.is_nan() => {
            assert!(report.kinetic_energy > OVERFLOWING, "{solver}: a residual of {left}");
            "step: squares overflow, behind a blow-up"
        }
        Some(left) if !sweeps => panic!("{solver} leaves {left:e} of the speed and does not say so"),
        Some(_) => "step: pgs, a residual left",
    }
}

fn method(source: &mut Source<'_>) -> Method {
    let scheme = source.pick(TABLE).info();
    let mut method = Method::by_key(scheme.key).unwrap();
    method.level = *source.pick(scheme.levels);
    method.integrator = *source.pick(&Integrator::ALL);
    if source.chance(128) {
        let all: Vec<_> = solvers().collect();
        method.solver = source.pick(&all).clone();
    }
    method
}

fn vector(source: &mut Source<'_>, size: f64) -> DVec2 {
    DVec2::new(size * source.signed(), size * source.signed())
}

fn shape(source: &mut Source<'_>, scale: f64) -> Shape {
    let length = |source: &mut Source<'_>| scale * (0.05 + source.unit());
    match source.below(6) {
        0 => Shape::Box { size: DVec2::new(length(source), length(source)) },
        1 => Shape::Ellipse { semi_axes: DVec2::new(length(source), length(source)) },
        2 => Shape::Capsule { length: length(source), radius: length(source) },
        3 => Shape::polygon((0..3 + source.below(4)).map(|_| vector(source, scale))),
        4 => {
            let corners: Vec<_> = (0..3 + source.below(2)).map(|_| vector(source, scale)).collect();
            Shape::rounded_polygon(corners, length(source))
        }
        _ => Shape::Circle { radius: length(source) },
    }
}

fn build(source: &mut Source<'_>) -> (World, Vec<BodyId>, Vec<JointId>) {
    let scale = source.scale(3.0);
    let gravity = if source.chance(32) { DVec2::ZERO } else { DVec2::new(0.0, -9.81 * scale) };
    let mut world = World::new(gravity);
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let floor = Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 });
    let floor = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![floor], MassSpec::default()).unwrap();
    bodies.extend(world.add_body(floor));
    for _ in 0..1 + source.below(BODIES) {
        let kind = match source.below(8) {
            0 => BodyKind::Fixed,
            1 => BodyKind::Kinematic(Motion::ConstantVelocity),
            _ => BodyKind::Dynamic,
        };
        let at = vector(source, 2.0 * scale) + DVec2::new(0.0, scale);
        let placements = (0..source.below(3)).map(|_| Placement::centred(shape(source, scale))).collect();
        let density = 1000.0 * source.scale(3.0);
        let angle = 3.2 * source.signed();
        let Ok(mut body) = Body::new(kind, at, angle, placements, MassSpec::Density(density)) else {
            continue;
        };
        body.velocity = Velocity { linear: vector(source, 10.0 * scale), angular: 20.0 * source.signed() };
        (body.friction, body.restitution) = (2.0 * source.unit(), source.unit());
        bodies.extend(world.add_body(body));
    }
    for _ in 0..source.below(2 * BODIES) {
        let [a, b] = [*source.pick(&bodies), *source.pick(&bodies)];
        let at = vector(source, 2.0 * scale) + DVec2::new(0.0, scale);
        if source.chance(32) {
            let _ = world.add_spring(
                Spring::between(a, b)
                    .anchors(at, at + vector(source, scale))
                    .stiffness(1e3 * source.scale(4.0)),
            );
            continue;
        }
        let joint = match source.below(4) {
            0 => Joint::weld(a, b).at(at),
            1 => Joint::slider(a, b, DVec2::X).at(at),
            2 => Joint::distance(a, b).anchors(at, at + vector(source, scale)),
            _ => Joint::hinge(a, b).at(at),
        };
        let joint = if source.chance(48) { joint.limits(-source.unit(), source.unit()) } else { joint };
        let joint =
            if source.chance(48) { joint.motor(source.signed(), 100.0 * source.scale(3.0)) } else { joint };
        joints.extend(world.add_joint(joint));
    }
    if !joints.is_empty() && source.chance(64) {
        let tied = [*source.pick(&joints), *source.pick(&joints)];
        joints.extend(world.add_gear(tied, 3.0 * source.signed()));
    }
    (world, bodies, joints)
}

/// What a person does between two steps; what the world refuses leaves it as it was.
fn change(source: &mut Source<'_>, world: &mut World, bodies: &[BodyId], joints: &[JointId]) {
    let body = *source.pick(bodies);
    match source.below(12) {
        0 => {
            let to = vector(source, 3.0);
            let _ = world.edit_body(body, |body| body.pose.position += to);
        }
        1 => {
            let to = vector(source, 30.0);
            let _ = world.edit_body(body, |body| body.velocity.linear = to);
        }
        2 => drop(world.remove_body(body)),
        3 if !joints.is_empty() => drop(world.remove_joint(*source.pick(joints))),
        4 => {
            let _ = world.edit_body(body, |body| body.friction = 3.0);
        }
        5 => {
            let _ = world.grab_body(body, vector(source, 2.0));
            let target = vector(source, 5.0);
            let stiffness = 1e3 * source.scale(4.0);
            let _ = world.edit_grab(|grab| (grab.target, grab.softness.stiffness) = (target, stiffness));
        }
        6 => world.release_grab(),
        7 => drop(world.set_gravity(vector(source, 20.0))),
        _ => {}
    }
}

/// A mixed problem of joints, contacts with friction, bounds and compliant rows, some of them twice; three in eight are
/// consistent: standing still meets their rows.
pub fn problem(source: &mut Source<'_>) -> MixedProblem {
    let inverse_mass = |source: &mut Source<'_>| match source.below(8) {
        0 => DVec3::ZERO,
        _ => {
            let mass = source.scale(3.0);
            DVec3::new(1.0 / mass, 1.0 / mass, 1.0 / (mass * (0.1 + source.unit())))
        }
    };
    let bodies = 2 + source.below(6);
    let consistent = source.chance(96);
    let mut problem = MixedProblem {
        inverse_mass: (0..bodies).map(|_| inverse_mass(source)).collect(),
        free: (0..bodies).map(|_| DVec3::new(source.signed(), source.signed(), source.signed())).collect(),
        rows: Vec::new(),
        rounding: 0.0,
        rests: false,
    };
    // What nothing moves stands still.
    for (inverse_mass, free) in problem.inverse_mass.iter().zip(&mut problem.free) {
        if *inverse_mass == DVec3::ZERO {
            *free = DVec3::ZERO;
        }
    }
    for _ in 0..source.below(16) {
        let (a, b) = (source.below(bodies), source.below(bodies));
        if a == b || (problem.inverse_mass[a] == DVec3::ZERO && problem.inverse_mass[b] == DVec3::ZERO) {
            continue;
        }
        let angle = 3.2 * source.signed();
        let along = DVec2::new(angle.cos(), angle.sin());
        let [ra, rb] = [vector(source, 1.0), vector(source, 1.0)];
        let row = |along: DVec2, law, bias, compliance| MixedRow {
            a,
            b,
            ja: -DVec3::new(along.x, along.y, ra.perp_dot(along)),
            jb: DVec3::new(along.x, along.y, rb.perp_dot(along)),
            bias,
            compliance,
            law,
            further: None,
        };
        let bias =
            if consistent { source.unit() * f64::from(source.below(2) as u8) } else { source.signed() };
        let compliance = if source.chance(32) { source.unit() } else { 0.0 };
        let normal = problem.rows.len();
        match source.below(5) {
            0 if consistent && compliance == 0.0 => problem.rows.push(row(along, Law::Equation, 0.0, 0.0)),
            0 => problem.rows.push(row(along, Law::Equation, bias, compliance)),
            4 if normal > 0 => {
                let again = problem.rows[source.below(normal)];
                if again.law.normal().is_none() {
                    problem.rows.push(again);
                }
            }
            1 => problem.rows.push(row(along, Law::Unilateral, bias, 0.0)),
            2 => {
                let bound = source.unit();
                problem.rows.push(row(along, Law::Bounded { lower: -bound, upper: bound }, bias, 0.0));
            }
            _ => {
                problem.rows.push(row(along, Law::Unilateral, bias, 0.0));
                let coefficient = 1.5 * source.unit();
                problem.rows.push(row(along.perp(), Law::Friction { normal, coefficient }, 0.0, 0.0));
            }
        }
    }
    problem
}
