//! Augmented vertex block descent against the authors' own program, and against its equations for one body.

use super::worlds::{GRAVITY, id, method, run};
use driftlab::model::joint::Unit;
use driftlab::model::{Body, BodyId, Joint, Shape, Spring, World};
use driftlab::report::ConstraintId;
use driftlab::step::{Workspace, step};
use glam::{DVec2, DVec3};

const FRAME: f64 = 1.0 / 60.0;

/// Adds a box of this size and density, kg/m²; without density it is fixed. `collides` of the authors' boxes that only joined
/// ones would meet is off.
fn block(world: &mut World, (size, density): ([f64; 2], f64), at: [f64; 2], collides: bool) -> BodyId {
    let body = if density > 0.0 { Body::dynamic().density(density) } else { Body::fixed() };
    let body = body.at(at).shape(Shape::rectangle(size[0], size[1])).friction(0.5);
    let body = if collides { body } else { body.without_collisions() };
    world.add_body(body).unwrap()
}

/// A scene of the authors' `scenes.h`.
fn scene(name: &str) -> World {
    let mut world = World::new([0.0, -10.0]);
    let w = &mut world;
    let flat = [1.0, 0.5];
    match name {
        "Rope" | "Heavy Rope" | "Rod" => {
            let mut last = block(w, (flat, 0.0), [0.0, 10.0], true);
            for link in 1..20 {
                let x = f64::from(link);
                let heavy = name == "Heavy Rope" && link == 19;
                // The hinge of the heavy end is half a metre open.
                let (size, half, at) = if heavy { ([30.0, 30.0], 15.0, 34.0) } else { (flat, 0.5, x) };
                let next = block(w, (size, 1.0), [at, 10.0], true);
                let joint = if name == "Rod" { Joint::weld(last, next) } else { Joint::hinge(last, next) };
                w.add_joint(joint.anchors_in_bodies([0.5, 0.0], [-half, 0.0])).unwrap();
                last = next;
            }
        }
        "Motor" => {
            let ground = block(w, ([100.0, 0.5], 0.0), [0.0, -10.0], true);
            let bar = block(w, ([5.0, 0.5], 1.0), [0.0, 0.0], true);
            w.add_joint(Joint::hinge(ground, bar).at([0.0, 0.0]).motor(-20.0, 50.0)).unwrap();
        }
        "Spring" => {
            let anchor = block(w, ([1.0, 1.0], 0.0), [0.0, 0.0], true);
            let load = block(w, ([4.0, 4.0], 1.0), [0.0, -8.0], true);
            w.add_spring(Spring::between(anchor, load).stiffness(100.0).rest_length(4.0)).unwrap();
        }
        "Spring Ratio" => {
            let mut last = block(w, (flat, 0.0), [0.0, 10.0], false);
            for link in 1..8 {
                let density = if link == 7 { 0.0 } else { 1.0 };
                let next = block(w, (flat, density), [4.0 * f64::from(link), 10.0], false);
                let stiffness = if link % 2 == 0 { 1e3 } else { 1e6 };
                let spring = Spring::between(last, next).anchors_in_bodies([0.5, 0.0], [-0.5, 0.0]);
                w.add_spring(spring.stiffness(stiffness).rest_length(0.1)).unwrap();
                last = next;
            }
        }
        "Stack" => {
            block(w, ([100.0, 1.0], 0.0), [0.0, 0.0], true);
            (0..20).for_each(|level| {
                block(w, ([1.0, 1.0], 1.0), [0.0, 2.0 * f64::from(level) + 1.0], true);
            });
        }
        "Stack Ratio" => {
            block(w, ([100.0, 1.0], 0.0), [0.0, 0.0], true);
            let (mut y, mut side) = (1, 1);
            for _ in 0..6 {
                block(w, ([f64::from(side); 2], 1.0), [0.0, f64::from(y)], true);
                y += side * 3 / 2;
                side *= 2;
            }
        }
        "Pyramid" => {
            block(w, ([100.0, 0.5], 0.0), [0.0, -2.0], true);
            for level in 0..20 {
                for place in 0..20 - level {
                    let (x, y) = (f64::from(place), f64::from(level));
                    block(w, (flat, 1.0), [1.1 * x + 0.5 * y - 10.0, 0.85 * y], true);
                }
            }
        }
        other => panic!("no scene {other}"),
    }
    world
}

/// The largest distance of two points that joints hold together.
fn gap(world: &World) -> f64 {
    let of_joint = |joint: &Joint| {
        let mut sum = 0.0;
        joint.equations(
            |body| world.frame(body),
            |equation, _| {
                if equation.unit != Unit::Radian {
                    sum += equation.g * equation.g;
                }
            },
        );
        f64::sqrt(sum)
    };
    world.joints().iter().map(of_joint).fold(0.0, f64::max)
}

/// The method is the one of Giles, Diaz & Yuksel: as long as nothing collides, ten frames of their scenes agree with their own
/// program to 1e-6 m and rad, and errors and overlaps after one and five seconds to 5 %. The towers, of which each box meets
/// the one below flush, agree so to the end.
#[test]
fn it_moves_as_the_authors_program_does() {
    let table = include_str!("avbd.csv");
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut current = (String::new(), World::default(), Workspace::default(), 0);
    for line in lines {
        let (name, figures) = line.split_once(',').unwrap();
        let figures: Vec<f64> = figures.split(',').map(|figure| figure.parse().unwrap()).collect();
        let [iterations, post, frame, joint, depth] = figures[..5] else { panic!("{line}") };
        let which = format!("{name}, {iterations} iterations, post-stabilization {post}");
        if current.0 != which {
            current = (which.clone(), scene(name), Workspace::default(), 0);
        }
        let (_, world, workspace, made) = &mut current;
        let own = [("iterations", iterations), ("post_stabilize", 1.0 - post)];
        let (method, mut overlap) = (method("avbd", &own), 0.0);
        while *made < frame as usize {
            overlap = step(world, &method, FRAME, workspace).unwrap().contact_error;
            *made += 1;
        }
        let moving: Vec<&Body> = world.bodies().iter().filter(|body| body.is_dynamic()).collect();
        let ends = [moving[0], moving[moving.len() - 1]].map(|body| body.pose.coordinates());
        let apart = ends.iter().flat_map(DVec3::to_array).zip(&figures[5..]);
        let apart = apart.map(|(own, theirs)| (own - theirs).abs()).fold(0.0, f64::max);
        if frame <= 10.0 || !["Rope", "Pyramid"].contains(&name) {
            assert!(apart < 1e-6, "{which}, frame {frame}: {apart:e} apart");
        }
        for (own, theirs) in [(gap(world), joint), (overlap, depth)] {
            let off = (own - theirs).abs();
            let bound = if frame <= 10.0 { 1e-6 } else { 1e-9 + 0.05 * theirs };
            assert!(off <= bound, "{which}, frame {frame}: {own} for {theirs}");
        }
    }
}

/// A point mass of 2 kg that hangs on a wall by a hinge in its centre.
fn hanging(gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bob = world.add_body(Body::dynamic().mass_and_inertia(2.0, 0.1)).unwrap();
    world.add_joint(Joint::hinge(wall, bob).at([0.0, 0.0])).unwrap();
    world
}

/// One body on one row is the scalar recursion of eqs. 2, 5, 11, 16, 18 and 19, in both ways of stabilization.
#[test]
fn one_row_is_the_published_recursion() {
    let (mass, alpha, gamma, beta, least, n) = (2.0, 0.9, 0.97, 3e4, 50.0, 3);
    for post in [true, false] {
        let own = [
            ("iterations", f64::from(n)),
            ("post_stabilize", if post { 0.0 } else { 1.0 }),
            ("alpha", alpha),
            ("gamma", gamma),
            ("beta", beta),
            ("least_penalty", least),
        ];
        let (method, mut world, mut workspace) =
            (method("avbd", &own), hanging(GRAVITY), Workspace::default());
        let (weight, heavy) = (mass * 9.81, mass / (FRAME * FRAME));
        let (mut x, mut v, mut lambda, mut k) = (0.0_f64, 0.0, 0.0, 0.0_f64);
        for made in 0..200 {
            step(&mut world, &method, FRAME, &mut workspace).unwrap();
            let inertial = x + FRAME * v - 9.81 * FRAME * FRAME;
            k = (gamma * k).max(least);
            lambda *= if post { 1.0 } else { alpha * gamma };
            let (start, left) = (x, if post { 1.0 } else { alpha });
            for _ in 0..n {
                x = (heavy * inertial + k * left * start - lambda) / (heavy + k);
                let c = x - left * start;
                lambda += k * c;
                k += beta * c.abs();
            }
            v = (x - start) / FRAME;
            if post {
                x = (heavy * inertial - lambda) / (heavy + k);
            }
            let bob = &world.bodies()[1];
            let off = [bob.pose.position.y - x, FRAME * (bob.velocity.linear.y - v)];
            assert!(off.iter().all(|off| off.abs() < 1e-12), "post {post}, step {made}: {off:?} of {x}");
        }
        // Kept whole, λ is the weight in the end, and nothing sags.
        assert!(!post || (lambda + weight).abs() < 1e-5 && x.abs() < 1e-5, "{lambda} N, {x} m");
    }
}

/// Post-stabilization leaves no sag, whatever the ratio of masses: a rope of five light links with a load a hundred times as
/// heavy hangs in its hinges to a nanometre, each of which bears what is below it.
#[test]
fn settled_multipliers_bear_the_load_without_sag() {
    let mut world = World::new(GRAVITY);
    let mut above = world.add_body(Body::fixed()).unwrap();
    let mut hinges = Vec::new();
    for link in 0..6 {
        let mass = if link == 5 { 100.0 } else { 1.0 };
        let at = [0.0, -f64::from(link) - 0.5];
        let next = world.add_body(Body::dynamic().at(at).mass_and_inertia(mass, 0.1 * mass)).unwrap();
        let at = [0.0, -f64::from(link)];
        hinges.push(world.add_joint(Joint::hinge(above, next).at(at)).unwrap());
        above = next;
    }
    let mut workspace = Workspace::default();
    let method = method("avbd", &[("least_penalty", 1e5)]);
    for _ in 0..3000 {
        step(&mut world, &method, FRAME, &mut workspace).unwrap();
    }
    assert!(gap(&world) < 1e-9, "{:e} m", gap(&world));
    for (above, hinge) in hinges.into_iter().enumerate() {
        let force = workspace.impulse_of(hinge).unwrap().multipliers[1] / FRAME;
        let weight = 9.81 * (100.0 + (5 - above) as f64);
        assert!((force.abs() - weight).abs() < 1e-6 * weight, "hinge {above}: {force} N of {weight}");
    }
}

/// Without post-stabilization a step leaves the share α of an error; with it no error is left, and no speed comes of it.
#[test]
fn a_step_leaves_the_share_alpha_of_an_error() {
    for (post, alpha) in [(false, 0.99), (false, 0.5), (true, 0.99)] {
        let own = [
            ("iterations", 50.0),
            ("post_stabilize", if post { 0.0 } else { 1.0 }),
            ("alpha", alpha),
            ("least_penalty", 1e9),
        ];
        let mut world = hanging(DVec2::ZERO);
        let bob = id(&world, 1);
        world.edit_body(bob, |body| body.pose.position.y = -0.1).unwrap();
        run(&mut world, &method("avbd", &own), FRAME, 1);
        let left = -world.bodies()[1].pose.position.y / 0.1;
        let speed = world.bodies()[1].velocity.linear.length();
        let (right, moved) = if post { (0.0, 0.0) } else { (alpha, (1.0 - alpha) * 0.1 / FRAME) };
        assert!((left - right).abs() < 1e-4, "α = {alpha}, post {post}: {left} is left");
        assert!((speed - moved).abs() < 1e-4 * (1.0 + moved), "α = {alpha}, post {post}: {speed} m/s");
    }
}

/// Protects the closed forms of an error's decay, whatever the penalty: with t = 1/(1 + k h²/m) and s = tⁿ a row whose k stays
/// obeys the linear recursions of its scheme's page, in both ways of stabilization; a stiff row keeps α of its error without
/// post-stabilization and m/(k h²) of it with, and of one that is very soft (k h² < m/1000 at n = 10) the oscillation of √(s γ)
/// is what decays last.
#[test]
fn an_error_decays_as_the_closed_form_says() {
    let (mass, alpha, gamma) = (2.0, 0.99, 0.98);
    for (stiffness, n) in [(0.02, 10), (1.0, 10), (0.3, 1), (1.0, 1), (1.0, 4), (1e4, 2), (1e5, 10)] {
        let k = stiffness * mass / (FRAME * FRAME);
        let t = 1.0 / (1.0 + stiffness);
        let s = f64::powi(t, n);
        for post in [true, false] {
            let own = [
                ("iterations", f64::from(n)),
                ("post_stabilize", if post { 0.0 } else { 1.0 }),
                ("alpha", alpha),
                ("gamma", gamma),
                ("beta", 0.0),
                ("least_penalty", k),
                ("most_penalty", k),
            ];
            let (method, mut workspace) = (method("avbd", &own), Workspace::default());
            let mut world = hanging(DVec2::ZERO);
            let bob = id(&world, 1);
            let (x, v) = (-0.1, 0.3);
            let begin = |body: &mut Body| (body.pose.position.y, body.velocity.linear.y) = (x, v);
            world.edit_body(bob, begin).unwrap();
            // x, x⁻ and x⁼, as if the bob had come there freely; and h v, λ h²/m.
            let (mut errors, mut moved, mut lambda) =
                ([x, x - FRAME * v, x - 2.0 * FRAME * v], FRAME * v, 0.0);
            for made in 0..200 {
                step(&mut world, &method, FRAME, &mut workspace).unwrap();
                let [now, last, before] = errors;
                let next = if post {
                    let change = s * (moved - lambda);
                    (lambda, moved) = (moved - change, change);
                    t * (now + moved)
                } else {
                    let left = (1.0 - alpha) * now + (1.0 + alpha * gamma) * (now - last)
                        - alpha * gamma * (last - before);
                    alpha * now + s * left
                };
                errors = [next, now, last];
                let found = world.bodies()[1].pose.position.y;
                let scale = 1e-12 + 1e-9 * x.abs();
                assert!(
                    (found - next).abs() < scale,
                    "{stiffness}, {n}, post {post}, step {made}: {found} or {next}"
                );
            }
            let share = errors[0] / errors[1];
            if !post && stiffness >= 1.0 {
                let off = s * (1.0 - alpha) * (1.0 - alpha) * (1.0 - gamma) / alpha;
                assert!((share - alpha + off).abs() < 1e-9 + 4e-6 * s, "{stiffness}, {n}: {share}");
            }
        }
    }
}

/// Contacts rest at the margin δ, C_n = φ + δ = 0, and those that stick do not creep: a box on a slope of 0.4 rad, tan 0.4 <
/// μ = 0.6.
#[test]
fn a_box_rests_at_the_margin_and_does_not_creep() {
    for (angle, margin) in [(0.0_f64, 1e-3), (0.4, 2e-4)] {
        let mut world = World::new(DVec2::from_angle(-angle).rotate(GRAVITY));
        let floor = Body::fixed().shape(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }).friction(0.6);
        world.add_body(floor).unwrap();
        let shape = Shape::rectangle(1.0, 1.0);
        world.add_body(Body::dynamic().at([0.0, 0.5]).density(2.0).shape(shape).friction(0.6)).unwrap();
        let method = method("avbd", &[("margin", margin)]);
        run(&mut world, &method, FRAME, 600);
        let before = world.bodies()[1].pose.position;
        run(&mut world, &method, FRAME, 600);
        let after = world.bodies()[1].pose.position;
        assert!((after.y - 0.5 + margin).abs() < 1e-8, "it overlaps by {} m", 0.5 - after.y);
        let creep = (after - before).length() / 10.0;
        assert!(creep < 1e-6, "slope {angle}: {creep:e} m/s");
    }
}

/// A spring hangs by m g/κ: by its penalty, where that reaches κ, and by its multiplier at any stiffness.
#[test]
fn springs_hang_by_their_own_stiffness() {
    for (compliant, stiffness) in [(0.0, 500.0), (1.0, 500.0), (1.0, 1e6)] {
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bob = Body::dynamic().at([0.0, -1.0]).mass_and_inertia(2.0, 0.1);
        let bob = world.add_body(bob).unwrap();
        let damping = 2.0 * f64::sqrt(2.0 * stiffness);
        let spring = Spring::between(wall, bob).stiffness(stiffness).damping(damping).rest_length(1.0);
        world.add_spring(spring).unwrap();
        run(&mut world, &method("avbd", &[("compliant", compliant)]), FRAME, 3000);
        let (stretch, right) = (-1.0 - world.bodies()[1].pose.position.y, 2.0 * 9.81 / stiffness);
        assert!(
            (stretch - right).abs() < 1e-4 * right,
            "{compliant}, {stiffness} N/m: {stretch} of {right}"
        );
    }
}

/// Impacts of pairs that would pass through each other are stopped in the step, and rebound once: a ball of 100 m/s leaves a
/// wall of 2 cm with e times its speed, to the twentieth that the multiplier of the impact may give it in the step after.
#[test]
fn a_fast_ball_rebounds_from_a_thin_wall() {
    for restitution in [0.0, 0.8] {
        let mut world = World::new(DVec2::ZERO);
        let wall = Body::fixed().shape(Shape::rectangle(0.02, 4.0)).restitution(restitution);
        world.add_body(wall).unwrap();
        let ball =
            Body::dynamic().at([-1.0, 0.0]).velocity([100.0, 0.0]).shape(Shape::Circle { radius: 0.05 });
        world.add_body(ball.restitution(restitution)).unwrap();
        run(&mut world, &method("avbd", &[]), FRAME, 30);
        let (pose, velocity) = (world.bodies()[1].pose, world.bodies()[1].velocity.linear);
        assert!(pose.position.x < 0.0, "it is at {} m", pose.position.x);
        let expected = -100.0 * restitution;
        assert!((velocity.x - expected).abs() < 5.0, "{velocity} m/s, expected {expected}");
    }
}

/// It is backward Euler: the angle of a bar that swings from the horizontal errs by first order in h.
#[test]
fn it_is_of_first_order() {
    let angle = |key: &str, own: &[(&str, f64)], h: f64| {
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = Body::dynamic().at([0.5, 0.0]).density(1.0).shape(Shape::rectangle(1.0, 0.1));
        let bar = world.add_body(bar.without_collisions()).unwrap();
        world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0])).unwrap();
        run(&mut world, &method(key, own), h, (0.4 / h).round() as usize);
        world.bodies()[1].pose.angle
    };
    let right = angle("rattle", &[], 1e-4);
    let own = [("iterations", 60.0), ("least_penalty", 1e6)];
    let errors = [4e-3, 2e-3].map(|h| (angle("avbd", &own, h) - right).abs());
    let order = (errors[0] / errors[1]).log2();
    assert!((0.9..1.1).contains(&order), "{errors:?}: order {order}");
}

/// λ, k, anchors and the last velocities are part of the world's state: a clone goes on as the world itself does.
#[test]
fn its_memory_is_part_of_the_state() {
    let mut world = scene("Stack");
    let method = method("avbd", &[]);
    run(&mut world, &method, FRAME, 30);
    let remembered = world.remembered().expect("the scheme remembers");
    assert!(remembered.of_constraints.iter().any(|(id, _)| matches!(id, ConstraintId::Contact(_))));
    assert_eq!(remembered.of_bodies.len(), world.bodies().len());
    let mut clone = world.clone();
    run(&mut world, &method, FRAME, 30);
    run(&mut clone, &method, FRAME, 30);
    assert!(world == clone);
}
