//! Bodies that roll or tip over without slipping have one degree of freedom, the angle θ: RATTLE and Runge–Kutta against
//! Lagrange's equation in it, integrated to rounding,
//!
//! ```text
//! I_p(θ) θ̈ + ½ I_p'(θ) θ̇² + m g y'(θ) = 0 ,     I_p = I + m |c − p|² about the point of contact p
//! ```

use super::worlds::{G, block, ground};
use crate::physics::worlds::{method, run};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use glam::DVec2;

/// Enough that nothing slips.
const FRICTION: f64 = 3.0;
/// Simulated time, s: the ellipse turns by 0.35 rad, the box by 0.3 rad.
const TIME: f64 = 0.2;

/// A body in contact, and its Lagrange equation.
struct Rolling {
    world: World,
    /// θ, θ̇ at the start.
    start: [f64; 2],
    /// θ̈ of θ, θ̇.
    acceleration: fn(f64, f64) -> f64,
}

/// An ellipse with semi-axes of 1 and ½ m. Its centre stands y = √(a² sin²θ + b² cos²θ) above the ground and y' beside the
/// point of contact.
fn ellipse() -> Rolling {
    fn height(angle: f64) -> [f64; 3] {
        let (sin, cos) = angle.sin_cos();
        let y = (sin * sin + 0.25 * cos * cos).sqrt();
        let slope = 0.75 * sin * cos / y;
        [y, slope, (0.75 * (cos * cos - sin * sin) - slope * slope) / y]
    }
    let start = [0.3, -2.0];
    let [y, slope, _] = height(start[0]);
    let placed = Placement::centred(Shape::Ellipse { semi_axes: DVec2::new(1.0, 0.5) });
    let at = DVec2::new(0.0, y);
    let mut body = Body::new(BodyKind::Dynamic, at, start[0], vec![placed], MassSpec::default()).unwrap();
    body.velocity.linear = start[1] * DVec2::new(-y, slope);
    Rolling {
        world: world(body, start[1]),
        start,
        acceleration: |angle, rate| {
            let [y, slope, bend] = height(angle);
            // By unit mass: I/m = (a² + b²)/4.
            let inertia = 1.25 / 4.0 + y * y + slope * slope;
            -(rate * rate * slope * (y + bend) + G * slope) / inertia
        },
    }
}

/// A box of 0.2 m × 1 m on the corner that its centre is to the right of, with c − p at the angle θ + ψ: a pendulum.
fn tipping_box() -> Rolling {
    let (start, size) = ([-0.25, -1.5], DVec2::new(0.2, 1.0));
    let arm = DVec2::from_angle(start[0]).rotate(DVec2::new(-0.5, 0.5) * size);
    let mut body = block(size, arm, start[0], FRICTION);
    body.velocity.linear = start[1] * arm.perp();
    Rolling {
        world: world(body, start[1]),
        start,
        acceleration: |angle, _| {
            let arm = DVec2::from_angle(angle).rotate(DVec2::new(-0.1, 0.5));
            -G * arm.x / (1.04 / 12.0 + arm.length_squared())
        },
    }
}

fn world(mut body: Body, rate: f64) -> World {
    body.friction = FRICTION;
    body.velocity.angular = rate;
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, FRICTION)).unwrap();
    world.add_body(body).unwrap();
    world
}

/// θ and θ̇ after [`TIME`], by Runge–Kutta with 20,000 steps: 1e-14 from the limit.
fn exact(rolling: &Rolling) -> [f64; 2] {
    let h = TIME / 20_000.0;
    let slope = |[angle, rate]: [f64; 2]| [rate, (rolling.acceleration)(angle, rate)];
    let ahead = |[a, b]: [f64; 2], [c, d]: [f64; 2], h: f64| [a + h * c, b + h * d];
    let mut y = rolling.start;
    for _ in 0..20_000 {
        let k1 = slope(y);
        let k2 = slope(ahead(y, k1, h / 2.0));
        let k3 = slope(ahead(y, k2, h / 2.0));
        let k4 = slope(ahead(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y
}

/// The observed order from 40 to 80 steps, in angle and rate together.
fn order(rolling: &Rolling, method: &Method) -> f64 {
    let [angle, rate] = exact(rolling);
    let error = |steps: usize| {
        let mut world = rolling.world.clone();
        run(&mut world, method, TIME / steps as f64, steps);
        let body = &world.bodies()[1];
        (body.pose.angle - angle).hypot(body.velocity.angular - rate)
    };
    (error(40) / error(80)).log2()
}

/// While a contact sticks, Runge–Kutta is of order 4, RATTLE of order 2 and semi-implicit Euler of order 1, as with joints.
/// Without J̇_t v, by which the tangential row turns, all would have an error that does not vanish with h.
#[test]
fn rolling_by_friction_keeps_the_order() {
    for (what, rolling) in [("ellipse", ellipse()), ("box", tipping_box())] {
        let at_level = |integrator| method("none", &[]).at_level(Level::Acceleration, integrator).unwrap();
        for (method, expected, within) in [
            (at_level(Integrator::Rk4), 4.0, 0.2),
            (method("rattle", &[]), 2.0, 0.05),
            (at_level(Integrator::SemiImplicitEuler), 1.0, 0.05),
        ] {
            let order = order(&rolling, &method);
            assert!((order - expected).abs() < within, "{what}, {:?}: {order}", method.stabilizer);
        }
    }
}

/// The angular acceleration of a sticking body, taken from one short explicit Euler step, is that of Lagrange's equation:
/// −0.759 rad/s² for the box and −7.564 rad/s² for the ellipse.
#[test]
fn sticking_contacts_turn_with_their_bodies() {
    for (rolling, published) in [(tipping_box(), -0.759), (ellipse(), -7.564)] {
        let method = method("none", &[]).at_level(Level::Acceleration, Integrator::ExplicitEuler).unwrap();
        let mut world = rolling.world.clone();
        run(&mut world, &method, 1e-6, 1);
        let [angle, rate] = rolling.start;
        let found = (world.bodies()[1].velocity.angular - rate) / 1e-6;
        assert!((found - (rolling.acceleration)(angle, rate)).abs() < 1e-8, "{found}");
        assert!((found - published).abs() < 6e-4, "{found} against {published}");
    }
}
