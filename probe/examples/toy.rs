//! A toy engine, and below its attachment to a recording: a chain of rods on a wall falls onto the ground.
//!
//! `cargo run -p driftlab-probe --example toy -- toy.jsonl`
//!
//! Semi-implicit Euler at h = 1/240 s: v += h g, then impulses row after row (projected Gauss–Seidel, 40 sweeps), then q += h v.
//! A hinge keeps J v = −(0.2/h) g, g the distance of its two points; a corner near the ground keeps v_n ≥ −gap/h, with Coulomb's
//! friction. Each rod's origin is its centre of mass.

use std::array;
use std::io;

const H: f64 = 1.0 / 240.0;
const RODS: usize = 6;
const SWEEPS: usize = 40;
const GRAVITY: f64 = -9.81;
const LENGTH: f64 = 0.4;
const WIDTH: f64 = 0.06;
const FRICTION: f64 = 0.5;
const GROUND: f64 = -1.2;
/// Distance at which a corner counts as a contact, m.
const CLOSE: f64 = 0.02;

type Vec2 = [f64; 2];

fn add(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] + b[0], a[1] + b[1]]
}

fn scale(a: Vec2, s: f64) -> Vec2 {
    [s * a[0], s * a[1]]
}

fn turned([x, y]: Vec2, angle: f64) -> Vec2 {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

fn cross(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[derive(Clone, Copy, Default)]
struct Body {
    at: Vec2,
    angle: f64,
    v: Vec2,
    omega: f64,
    mass: f64,
    inertia: f64,
    /// 0 of what cannot move.
    inverse_mass: f64,
    inverse_inertia: f64,
}

impl Body {
    /// Velocity of the point with this arm from the centre.
    fn velocity(&self, arm: Vec2) -> Vec2 {
        [self.v[0] - self.omega * arm[1], self.v[1] + self.omega * arm[0]]
    }

    fn push(&mut self, arm: Vec2, p: Vec2) {
        self.v = add(self.v, scale(p, self.inverse_mass));
        self.omega += self.inverse_inertia * cross(arm, p);
    }
}

#[derive(Clone, Copy, Default)]
struct Hinge {
    bodies: [usize; 2],
    anchors: [Vec2; 2],
    arms: [Vec2; 2],
    impulse: Vec2,
}

struct Corner {
    body: usize,
    point: Vec2,
    arm: Vec2,
    gap: f64,
    p_n: f64,
    p_t: f64,
}

struct World {
    /// The wall, the ground, the rods.
    bodies: [Body; RODS + 2],
    hinges: [Hinge; RODS],
    corners: Vec<Corner>,
}

impl World {
    fn new() -> Self {
        let mass = 1000.0 * LENGTH * WIDTH;
        let inertia = mass * (LENGTH * LENGTH + WIDTH * WIDTH) / 12.0;
        let rod = Body {
            mass,
            inertia,
            inverse_mass: 1.0 / mass,
            inverse_inertia: 1.0 / inertia,
            ..Body::default()
        };
        let bodies = array::from_fn(|i| match i {
            0 => Body::default(),
            1 => Body { at: [0.0, GROUND], ..Body::default() },
            _ => Body { at: [(i as f64 - 1.5) * LENGTH, 0.0], ..rod },
        });
        let half = LENGTH / 2.0;
        let hinges = array::from_fn(|i| Hinge {
            bodies: [if i == 0 { 0 } else { 1 + i }, 2 + i],
            anchors: [[if i == 0 { 0.0 } else { half }, 0.0], [-half, 0.0]],
            ..Hinge::default()
        });
        World { bodies, hinges, corners: Vec::new() }
    }

    fn step(&mut self) {
        for body in &mut self.bodies[2..] {
            body.v[1] += H * GRAVITY;
        }
        for hinge in &mut self.hinges {
            hinge.arms =
                array::from_fn(|end| turned(hinge.anchors[end], self.bodies[hinge.bodies[end]].angle));
            hinge.impulse = [0.0; 2];
        }
        self.find_corners();
        for _ in 0..SWEEPS {
            self.hinges.iter_mut().for_each(|hinge| solve_hinge(hinge, &mut self.bodies));
            self.corners.iter_mut().for_each(|corner| solve_corner(corner, &mut self.bodies[corner.body]));
        }
        for body in &mut self.bodies[2..] {
            body.at = add(body.at, scale(body.v, H));
            body.angle += H * body.omega;
        }
    }

    /// The corners near the ground, at the poses before the step.
    fn find_corners(&mut self) {
        self.corners.clear();
        for (number, body) in self.bodies.iter().enumerate().skip(2) {
            for [x, y] in [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]] {
                let arm = turned([x * LENGTH, y * WIDTH], body.angle);
                let point = add(body.at, arm);
                let gap = point[1] - GROUND;
                if gap < CLOSE {
                    self.corners.push(Corner { body: number, point, arm, gap, p_n: 0.0, p_t: 0.0 });
                }
            }
        }
    }
}

/// p = −K⁻¹ (J v + (0.2/h) g) with K = J M⁻¹ Jᵀ of the two equations.
fn solve_hinge(hinge: &mut Hinge, bodies: &mut [Body]) {
    let Hinge { bodies: [a, b], arms: [arm_a, arm_b], .. } = *hinge;
    let open = add(add(bodies[b].at, arm_b), scale(add(bodies[a].at, arm_a), -1.0));
    let v = add(bodies[b].velocity(arm_b), scale(bodies[a].velocity(arm_a), -1.0));
    let v = add(v, scale(open, 0.2 / H));
    let mass = bodies[a].inverse_mass + bodies[b].inverse_mass;
    let [i, j] = [bodies[a].inverse_inertia, bodies[b].inverse_inertia];
    let xx = mass + i * arm_a[1] * arm_a[1] + j * arm_b[1] * arm_b[1];
    let yy = mass + i * arm_a[0] * arm_a[0] + j * arm_b[0] * arm_b[0];
    let xy = -i * arm_a[0] * arm_a[1] - j * arm_b[0] * arm_b[1];
    let p = scale([yy * v[0] - xy * v[1], xx * v[1] - xy * v[0]], -1.0 / (xx * yy - xy * xy));
    bodies[a].push(arm_a, scale(p, -1.0));
    bodies[b].push(arm_b, p);
    hinge.impulse = add(hinge.impulse, p);
}

/// Along the normal (0, 1), then along the tangent (n_y, −n_x) = (1, 0).
fn solve_corner(corner: &mut Corner, body: &mut Body) {
    let arm = corner.arm;
    let k = body.inverse_mass + body.inverse_inertia * arm[0] * arm[0];
    let allowed = if corner.gap > 0.0 { corner.gap / H } else { 0.1 * corner.gap / H };
    let before = corner.p_n;
    corner.p_n = (before - (body.velocity(arm)[1] + allowed) / k).max(0.0);
    body.push(arm, [0.0, corner.p_n - before]);
    let k = body.inverse_mass + body.inverse_inertia * arm[1] * arm[1];
    let most = FRICTION * corner.p_n;
    let before = corner.p_t;
    corner.p_t = (before - body.velocity(arm)[0] / k).clamp(-most, most);
    body.push(arm, [corner.p_t - before, 0.0]);
}

// ---- The attachment begins here ----

use driftlab_probe::Probe;
use driftlab_probe::format::{Acted, Contact, Header, Impulse, Moment, Step};
use driftlab_probe::scene::{self, Joint, Outline, Scene, Shape};

fn header(world: &World) -> serde_json::Result<Header> {
    let mut scene = Scene::new([0.0, GRAVITY]);
    let ground = Shape::from(Outline::HalfPlane { normal: [0.0, 1.0] }).surface(FRICTION, 0.0);
    scene.body(scene::Body::fixed("wall"));
    scene.body(scene::Body::fixed("ground").at(0.0, GROUND, 0.0).shape(ground));
    for (i, body) in world.bodies.iter().enumerate().skip(2) {
        let outline = Shape::from(Outline::Box { size: [LENGTH, WIDTH] }).surface(FRICTION, 0.0);
        let rod = scene::Body::dynamic(format!("rod{}", i - 1), body.mass, body.inertia);
        scene.body(rod.at(body.at[0], body.at[1], body.angle).shape(outline));
    }
    for hinge in &world.hinges {
        let [a, b] = hinge.bodies.map(|body| scene.bodies[body].name.clone());
        scene.joint(Joint::hinge(&a, &b, hinge.anchors[0], hinge.anchors[1]));
    }
    Ok(Header { contacts_at: Moment::Begin, ..scene.header("toy", H)? })
}

fn line(world: &World, t: f64) -> Step {
    let acted = world.hinges.iter().enumerate().map(|(joint, hinge)| {
        let Hinge { bodies: [a, b], arms, impulse: p, .. } = *hinge;
        let on =
            vec![Impulse(a, -p[0], -p[1], -cross(arms[0], p)), Impulse(b, p[0], p[1], cross(arms[1], p))];
        Acted { joint: Some(joint), on, ..Acted::default() }
    });
    let contacts = world.corners.iter().map(|corner| Contact {
        bodies: [1, corner.body],
        point: corner.point,
        normal: [0.0, 1.0],
        gap: Some(corner.gap),
        impulse: Some([corner.p_n, corner.p_t, 0.0]),
        ..Contact::default()
    });
    Step {
        t,
        q: world.bodies.iter().map(|body| Some([body.at[0], body.at[1], body.angle])).collect(),
        v: Some(world.bodies.iter().map(|body| Some([body.v[0], body.v[1], body.omega])).collect()),
        acted: Some(acted.collect()),
        contacts: Some(contacts.collect()),
        ..Step::default()
    }
}

// ---- and ends here ----

/// Runs so many steps into a file, `-`, or an address.
pub fn run(target: &str, steps: u32) -> io::Result<u64> {
    let mut world = World::new();
    let mut probe = Probe::open(target, &header(&world)?)?;
    for step in 1..=steps {
        world.step();
        probe.step(line(&world, f64::from(step) * H));
    }
    probe.finish()
}

fn main() -> io::Result<()> {
    let mut words = std::env::args().skip(1);
    let target = words.next().unwrap_or_else(|| "toy.jsonl".to_owned());
    let steps = words.next().and_then(|word| word.parse().ok()).unwrap_or(480);
    let lost = run(&target, steps)?;
    if lost > 0 {
        eprintln!("{lost} lines were lost");
    }
    Ok(())
}
