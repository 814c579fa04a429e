//! The impulses that a step reports are those that acted: they account for every body's change of momentum.

use driftlab::scene::{Scene, catalogue};
use driftlab::stabilizer::{Integrator, Level, Method, TABLE, Workspace};
use driftlab::step::step;
use glam::DVec3;

/// Share of the momenta at hand that rounding may leave.
const ROUNDING: f64 = 1e-11;

/// Every scheme at each of its levels, under each integrator, with the scene's solver and contact rules.
fn methods(scene: &Scene) -> Vec<Method> {
    let mut methods = vec![scene.settings.method.clone()];
    for scheme in TABLE {
        let mut method = scene.settings.method.clone();
        method.stabilizer = (*scheme).into();
        for level in scheme.info().levels {
            let integrators = match level {
                Level::Velocity => &Integrator::ALL[..1],
                Level::Acceleration => &Integrator::ALL[..],
            };
            methods.extend(integrators.iter().filter_map(|i| method.clone().at_level(*level, *i)));
        }
    }
    methods
}

/// M (v⁺ − v) = h F + Σ Jᵀλ to rounding, for every body in every step of every scheme in every shipped scene.
#[test]
fn impulses_account_for_the_motion() {
    let (mut steps, mut acted) = (0, 0);
    for entry in catalogue::entries() {
        let scene = entry.scene().unwrap();
        // The large scenes have the same joints and contacts as the small ones.
        let count = match scene.world.bodies().len() {
            0..=60 => 12,
            61..=260 => 3,
            _ => continue,
        };
        for method in methods(&scene) {
            let mut world = scene.world.clone();
            let mut workspace = Workspace::default();
            for _ in 0..count {
                let before = world.clone();
                // A run that fails has ended.
                if step(&mut world, &method, scene.settings.time_step, &mut workspace).is_err() {
                    break;
                }
                steps += 1;
                let momentum = |world: &driftlab::model::World, body: usize| {
                    let w = world.bodies()[body].inverse_mass();
                    if w.x > 0.0 { world.velocity_of(body) / w } else { DVec3::ZERO }
                };
                let mut size: Vec<DVec3> = (0..world.bodies().len())
                    .map(|body| momentum(&world, body).abs() + momentum(&before, body).abs())
                    .collect();
                for impulse in workspace.impulses() {
                    acted += usize::from(impulse.multipliers.iter().any(|lambda| *lambda != 0.0));
                    for (body, on) in impulse.bodies.into_iter().zip(impulse.on_bodies) {
                        size[body] += on.abs();
                    }
                }
                for (body, (left, size)) in workspace.momentum_residuals().iter().zip(&size).enumerate() {
                    // Angular momentum by the angular impulses, or by the lever of a metre that linear ones may have.
                    let most = DVec3::new(size.x + size.y, size.x + size.y, size.z) * ROUNDING;
                    assert!(
                        left.abs().cmple(most).all(),
                        "{} under {:?} at {:?} ({:?}), step {}, body {body}: {left} of {size}",
                        entry.key,
                        method.stabilizer,
                        method.level,
                        method.integrator,
                        world.steps
                    );
                }
            }
        }
    }
    assert!(steps > 5000 && acted > 10_000, "{steps} steps, {acted} impulses");
}
