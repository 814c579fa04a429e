//! A cart-pole that a controller of our own balances, driven through a rack and pinion of our own, in a fluid of our
//! own, under a scheme of our own: everything that a crate may bring to driftlab, and everything that it may ask.

use driftlab::method::{GapTerm, Level, Origin, Scheme, SchemeInfo, Stabilizer};
use driftlab::prelude::*;
use driftlab::step::Step;

type Failure = Box<dyn std::error::Error>;

/// Rack and pinion: x_b − x₀ + r θ_a = 0, body a the pinion, body b the rack that slides along x.
#[derive(Debug)]
struct Rack {
    radius: f64,
    start: f64,
}

impl CustomJoint for Rack {
    fn key(&self) -> &'static str {
        "rack"
    }

    fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
        emit(Equation {
            g: b.position.x - self.start + self.radius * a.angle,
            ja: DVec3::new(0.0, 0.0, self.radius),
            jb: DVec3::X,
            k: 0.0,
            unit: Unit::Metre,
        });
    }
}

/// J v⁺ + c + g/(2h) = 0: half of the error per step.
const INFO: SchemeInfo = SchemeInfo {
    key: "halving",
    name: "Halving",
    short: "Halving",
    origin: Origin::Papers,
    synonyms: &[],
    equation: "J v⁺ + c + g/(2h) = 0",
    summary: "Removes half of the error in each step.",
    source: "none",
    levels: &[Level::Velocity],
    departures: &[],
    parameters: &[],
    per_step: &[],
    languages: &[],
};

static HALVING: Scheme = Scheme::new(INFO, advance);

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let rate = 0.5 / step.length();
    step.evaluate(GapTerm::Touching);
    step.kick();
    step.solve(|row| rate * row.g)?;
    step.drift();
    Ok(())
}

struct CartPole {
    world: World,
    cart: BodyId,
    pole: BodyId,
    pinion: BodyId,
    /// Of the pinion on the frame: its motor drives the cart.
    axle: JointId,
    rack: JointId,
}

const RADIUS: f64 = 0.05;

fn cart_pole() -> Result<CartPole, ModelError> {
    let mut world = World::new(mint::Vector2 { x: 0.0, y: -9.81 });
    let frame = world.add_body(Body::fixed())?;
    let free = |shape: Shape, mass: f64| Body::dynamic().shape(shape).mass(mass).without_collisions();
    let cart = world.add_body(free(Shape::rectangle(0.3, 0.1), 1.0))?;
    let pole = free(Shape::rectangle(0.02, 1.0), 0.1).at(mint::Point2 { x: 0.0, y: 0.5 });
    let pole = world.add_body(pole)?;
    let pinion = world.add_body(free(Shape::circle(RADIUS), 0.2).at([0.0, -RADIUS]))?;
    world.add_joint(Joint::slider(frame, cart, [1.0, 0.0]))?;
    world.add_joint(Joint::hinge(cart, pole).at([0.0, 0.0]))?;
    let axle = world.add_joint(Joint::hinge(frame, pinion).at([0.0, -RADIUS]).motor(0.0, 0.0))?;
    let rack = world.add_joint(Joint::custom(pinion, cart, Rack { radius: RADIUS, start: 0.0 }))?;
    // Air: each body is slowed by c v at its centre.
    for body in [cart, pole] {
        world.add_force_law(move |world, forces| forces.push(body, -0.05 * world[body].velocity.linear));
    }
    Ok(CartPole { world, cart, pole, pinion, axle, rack })
}

/// Balances the pole for ten seconds, from 0.1 rad beside the upright, by a torque on the pinion; returns the largest
/// motor torque that the workspace tells.
fn balance(method: &Method) -> Result<f64, Failure> {
    const H: f64 = 1e-3;
    let CartPole { mut world, cart, pole, pinion, axle, rack } = cart_pole()?;
    // About the hinge at its foot.
    let lean = 0.1_f64;
    world.edit_body(pole, |body| {
        body.pose.angle = -lean;
        body.pose.position = 0.5 * DVec2::new(lean.sin(), lean.cos());
    })?;
    let mut workspace = Workspace::default();
    let mut largest = 0.0_f64;
    for _ in 0..10_000 {
        let (x, theta) = (&world[cart], &world[pole]);
        // Full state feedback: lean, its rate, place, speed.
        let force = -60.0 * theta.pose.angle - 12.0 * theta.velocity.angular
            + 4.0 * x.pose.position.x
            + 6.0 * x.velocity.linear.x;
        // A motor of unlimited speed at a limited torque is a torque: −F r on the pinion pushes the cart by F.
        let torque = -force * RADIUS;
        world.edit_joint(axle, |joint| {
            let motor = joint.motor.as_mut().expect("the axle has a motor");
            (motor.speed, motor.max_force) = (1e3 * torque.signum(), torque.abs());
        })?;
        step(&mut world, method, H, &mut workspace)?;
        let told = workspace.motor_force(axle).ok_or("the axle has a motor")?;
        assert!((told - torque).abs() <= 1e-6 + 1e-6 * torque.abs(), "told {told} N m, asked for {torque}");
        largest = largest.max(told.abs());
    }
    let meshed = world[cart].pose.position.x + RADIUS * world[pinion].pose.angle;
    assert!(meshed.abs() < 1e-3, "rack and pinion are {meshed} m apart");
    assert!(world[pole].pose.angle.abs() < 1e-2, "the pole leans by {} rad", world[pole].pose.angle);
    assert!(workspace.impulse_of(rack).is_some());
    Ok(largest)
}

/// A pile is asked what lies where, and who touches whom.
fn questions() -> Result<(), Failure> {
    let mut world = World::new([0.0, -9.81]);
    let floor =
        world.add_body(Body::fixed().shape(Shape::rectangle(10.0, 1.0)).at([0.0, -0.5]).friction(0.5))?;
    let mut boxes = Vec::new();
    for level in 0..3 {
        let body = Body::dynamic()
            .at([0.0, 0.5 + f64::from(level)])
            .shape(Shape::rectangle(1.0, 1.0))
            .friction(0.5);
        boxes.push(world.add_body(body.mass(2.0))?);
    }
    let mut pile = Simulation::new(world, "anitescu_hart,gamma=0.5".parse()?, 1e-2);
    pile.run(10)?;
    let weight: f64 =
        pile.world.contacts_of(floor).map(|contact| contact.impulse[0] / pile.time_step).sum();
    assert!((weight - 3.0 * 2.0 * 9.81).abs() < 1e-6, "the floor carries {weight} N");
    assert!(pile.world.contacts_of(floor).all(|contact| contact.other == boxes[0]));
    let space = Space::of(&pile.world);
    let hit = space.ray_cast([0.0, 10.0], [0.0, -10.0])?.ok_or("nothing below")?;
    assert!(hit.body == boxes[2] && (hit.distance - 7.0).abs() < 1e-6);
    assert_eq!(space.bodies_in([-0.1, 1.4], [0.1, 1.6])?, [boxes[1]]);
    assert_eq!(space.nearest([2.0, 0.4])?.ok_or("no shapes")?.body, floor);
    let error = "anitescu-heart".parse::<Method>().unwrap_err().to_string();
    assert!(error.ends_with("did you mean 'anitescu_hart'?)"), "{error}");
    Ok(())
}

fn main() -> Result<(), Failure> {
    questions()?;
    for method in [
        Method::anitescu_hart().gamma(0.5)?,
        Method::rattle(),
        Method::new(Stabilizer::from(&HALVING)),
    ] {
        let torque = balance(&method)?;
        println!("{}: balanced, largest motor torque {torque:.3} N m", method.stabilizer.info().key);
    }
    Ok(())
}
