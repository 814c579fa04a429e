//! Passive, consistent worlds from bytes: nothing drives them, nothing overlaps, joints are closed. Under a scheme that
//! promises it they gain no more energy than three terms allow:
//!
//! - the discretisation, by the bound of `tests/contact/energy.rs`;
//! - the work of the corrections, which push out what a step has found to overlap, as the report has it
//!   (`stages/accounts.rs`);
//! - ½ λ J v⁻ of each joint and contact with λ J v⁻ > 0, its impulse against the velocity with which it was found. Of a
//!   joint J v⁻ is what it has turned by in a step, h k, which an impact's impulse makes large. Of a contact it is the
//!   speed at which it parts where the rebounds of others hold it, since rows are held to J v⁺ ≥ 0 and not to J v⁺ ≥ −e
//!   J v⁻, which would let the bodies overlap.
//!
//! What is left is J v⁺: that no contact leaves faster than e times its approach and no joint faster than its error
//! asks for, and that friction adds nothing. By Poisson's law with e = 1 some worlds in a hundred thousand gain more,
//! which are counted and may not become many.

use super::rates::rates;
use super::source::Source;
use super::tally::Tally;
use driftlab::method::{Integrator, Level, Method, Restitution};
use driftlab::model::{Body, BodyKind, Joint, MassSpec, Placement, Shape, Velocity, World};
use driftlab::report::ConstraintImpulse;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::{DVec2, DVec3};

/// The schemes that promise it at the velocity level, and those that do so at the acceleration level by semi-implicit Euler.
const VELOCITIES: [&str; 7] = [
    "none",
    "post_stabilization",
    "anitescu_hart",
    "implicit",
    "projection",
    "rattle",
    "baumgarte_velocity",
];
const FORCES: [&str; 2] = ["none", "post_stabilization"];
/// Of these, those that meet an impact before it is over: the gap is in the row, or the step ends at the first touch.
const IN_TIME: [&str; 4] = ["none", "anitescu_hart", "implicit", "baumgarte_velocity"];
const STEPS: usize = 60;
/// A body whose velocity changes by more than the weight would in so many steps has met something.
const IMPACT_STEPS: f64 = 10.0;
/// Those by Poisson's law with e = 1 that gain more: at most so many in ten thousand of all, and two. It is some 0.06.
const GAINED: &str = "passive: gained more than is allowed, by Poisson's law with e = 1";
const GAINED_IN_TEN_THOUSAND: u64 = 1;
/// None of these gains more than this share of its energy above the floor, whatever it meets.
const MOST: f64 = 1.0;

/// A world, its method and step.
struct Passive {
    world: World,
    method: Method,
    h: f64,
    late: bool,
    restitution: f64,
}

impl Passive {
    fn from(source: &mut Source<'_>) -> Option<Self> {
        let (mut method, late) = if source.chance(64) {
            let key = *source.pick(&FORCES);
            let method = Method::by_key(key)?;
            (method.at_level(Level::Acceleration, Integrator::SemiImplicitEuler)?, true)
        } else {
            let key = *source.pick(&VELOCITIES);
            (Method::by_key(key)?, !IN_TIME.contains(&key))
        };
        method.contact.restitution = *source.pick(&Restitution::ALL);
        let friction = if source.chance(128) { 0.0 } else { 1.5 * source.unit() };
        let restitution = *source.pick(&[0.0, 0.5, 1.0]);
        // With friction Newton's law itself may gain energy in an eccentric impact.
        let newton = method.contact.restitution == Restitution::Newton;
        let restitution = if newton && friction > 0.0 { 0.0 } else { restitution };
        let h = 10f64.powf(-2.5 - source.unit());
        Some(Self { world: build(source, friction, restitution)?, method, h, late, restitution })
    }
}

/// Bodies in the cells of a grid above a floor, each smaller than its cell, and joints between neighbours, closed and
/// at rest: bodies that are joined have the same velocity and do not turn.
fn build(source: &mut Source<'_>, friction: f64, restitution: f64) -> Option<World> {
    const CELL: f64 = 0.5;
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let floor = Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 });
    let mut floor = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![floor], MassSpec::default()).ok()?;
    (floor.friction, floor.restitution) = (friction, restitution);
    world.add_body(floor).ok()?;
    let joined = source.chance(128);
    let common = DVec2::new(source.signed(), 2.0 * source.signed());
    let mut cells = Vec::new();
    for cell in 0..1 + source.below(8) {
        let at = CELL * DVec2::new((cell % 2) as f64, 0.6 + (cell / 2) as f64);
        // At most CELL/2 from the centre in any pose.
        let size = 0.05 + 0.1 * source.unit();
        let shape = match source.below(4) {
            0 => Shape::Box { size: DVec2::new(2.0 * size, size) },
            1 => Shape::Capsule { length: size, radius: 0.5 * size },
            2 => Shape::polygon([DVec2::new(-size, -size), DVec2::new(size, -size), DVec2::new(0.0, size)]),
            _ => Shape::Circle { radius: size },
        };
        let density = MassSpec::Density(1000.0 * source.scale(1.0));
        let angle = 3.2 * source.signed();
        let mut body =
            Body::new(BodyKind::Dynamic, at, angle, vec![Placement::centred(shape)], density).ok()?;
        let own = DVec2::new(source.signed(), source.signed());
        let turning = 6.0 * source.signed();
        body.velocity = if joined {
            Velocity { linear: common, angular: 0.0 }
        } else {
            Velocity { linear: common + own, angular: turning }
        };
        (body.friction, body.restitution) = (friction, restitution);
        cells.push((world.add_body(body).ok()?, at));
    }
    if joined {
        for pair in cells.windows(2) {
            let [(a, from), (b, to)] = [pair[0], pair[1]];
            let joint = match source.below(4) {
                0 => continue,
                1 => Joint::weld(a, b).at((from + to) / 2.0),
                2 => Joint::distance(a, b).anchors(from, to),
                _ => Joint::hinge(a, b).at((from + to) / 2.0),
            };
            world.add_joint(joint).ok()?;
        }
    }
    Some(world)
}

/// The velocity of each body that forces move, and zero of the others.
fn velocities(world: &World) -> Vec<DVec3> {
    let of = |body: &Body| body.velocity.linear.extend(body.velocity.angular);
    world.bodies().iter().map(|body| if body.is_dynamic() { of(body) } else { DVec3::ZERO }).collect()
}

/// Σ ½ λ J v where that is positive, of the joints and contacts of the last step at the velocities `v` before it, J.
fn against(workspace: &Workspace, world: &World, v: &[DVec3]) -> f64 {
    let of = |impulse: &ConstraintImpulse| {
        let [a, b] = impulse.bodies.map(|id| world.index_of(id).expect("a body of the world"));
        let own = impulse.on_bodies[1].dot(v[b]);
        if a == b { own } else { own + impulse.on_bodies[0].dot(v[a]) }
    };
    workspace.impulses().map(|impulse| 0.5 * of(impulse).max(0.0)).sum()
}

/// Steps a passive world and judges its energy. The discretisation allows 2 h Σ m g |v|, with e = 1 under a scheme that finds
/// impacts when they are over once more for each impact, and the share h ω of the energy above the floor where joints
/// turn. A step that fails ends the run.
pub fn gains_nothing(data: &[u8], tally: &mut Tally) {
    let source = &mut Source::new(data);
    let Some(Passive { mut world, method, h, late, restitution }) = Passive::from(source) else { return };
    let mut workspace = Workspace::default();
    let start = world.kinetic_energy() + world.potential_energy();
    let (mut falling, mut turning, mut impacts) = (0.0_f64, 0.0_f64, 0);
    let (mut work, mut largest_work, mut found) = (0.0, 0.0_f64, 0.0);
    let mut most = f64::NEG_INFINITY;
    let least = IMPACT_STEPS * h * world.gravity().length();
    for _ in 0..STEPS {
        let before = velocities(&world);
        let Ok(report) = step(&mut world, &method, h, &mut workspace) else {
            tally.count("passive: a step failed");
            break;
        };
        if report.infeasible > 0 {
            tally.count("passive: a violated row");
            return;
        }
        let mut changes = velocities(&world).into_iter().zip(&before).map(|(v, before)| v - *before);
        impacts += usize::from(changes.any(|change| change.truncate().length() > least));
        let (fall, turn) = rates(&world);
        (falling, turning) = (falling.max(h * fall), turning.max(h * turn));
        work += report.correction_work;
        largest_work = largest_work.max(work);
        found += against(&workspace, &world, &before);
        most = most.max(report.total_energy() - start - largest_work - found);
    }
    let again = if late && restitution == 1.0 { impacts as f64 } else { 0.0 };
    most -= 2.0 * (1.0 + again) * falling + turning * start;
    let by_poisson = restitution == 1.0 && method.contact.restitution == Restitution::AnitescuPotra;
    let excused = if by_poisson { MOST * start } else { 0.0 };
    assert!(
        most <= excused,
        "{}, {:?}, {:?}, e = {restitution}: {start} J at the start, {most} J more than is allowed",
        method.stabilizer.info().key,
        method.level,
        method.contact.restitution
    );
    if most > 0.0 {
        tally.count(GAINED);
        return;
    }
    tally.count(if world.joints().is_empty() {
        "passive: kept, bodies alone"
    } else {
        "passive: kept, with joints"
    });
}

/// Judges how many of the worlds of a run have gained more than is allowed.
pub fn gains_are_rare(tally: &Tally) -> bool {
    tally.of(GAINED) <= 2 + GAINED_IN_TEN_THOUSAND * tally.of("passive: kept") / 10_000
}
