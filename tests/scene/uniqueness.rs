//! Reports on the uniqueness of a run's solutions, and that examining it changes nothing.

use driftlab::experiment::{Run, Summary, UniquenessSummary};
use driftlab::method::Method;
use driftlab::scene::{Scene, catalogue};
use driftlab::schemes::TABLE;

fn shipped(key: &str) -> Scene {
    catalogue::find(key).unwrap().scene().unwrap()
}

fn examined(key: &str, scheme: &str, steps: u64) -> Option<UniquenessSummary> {
    let scene = shipped(key);
    let method = Method::by_key(scheme).unwrap();
    let mut run = Run::under(&scene, method.clone(), steps);
    let mut summary = Summary::under(&scene, &method, run.initial());
    while let Some(report) = run.next() {
        summary.add(&report.unwrap());
        run.uniqueness().iter().for_each(|found| summary.add_uniqueness(found));
    }
    summary.uniqueness
}

/// Steps under every scheme at its default level give the same bits whether or not uniqueness is examined.
#[test]
fn examining_changes_no_bit() {
    for key in ["block-on-incline", "two-wall-weld", "newtons-cradle", "overlap-recovery"] {
        let scene = shipped(key);
        for scheme in TABLE {
            let method = Method::new((*scheme).into());
            let mut plain = Run::under(&scene, method.clone(), 40);
            let mut asked = Run::under(&scene, method, 40);
            for plain in plain.by_ref() {
                assert_eq!(Some(plain), asked.next(), "{key}, {}", scheme.info().key);
                asked.uniqueness();
            }
            let bits = |run: &Run| -> Vec<_> {
                let numbers = |body: &driftlab::model::Body| {
                    let (q, v) = (body.pose.coordinates(), body.velocity);
                    [q.x, q.y, q.z, v.linear.x, v.linear.y, v.angular].map(f64::to_bits)
                };
                run.world().bodies().iter().map(numbers).collect()
            };
            assert_eq!(bits(&plain), bits(&asked), "{key}, {}", scheme.info().key);
        }
    }
}

/// The impulses of a box at rest on two contacts with μ = 0.5 are not unique in one direction: friction may be exchanged between
/// ±μ of the normal impulse, the largest one. Its velocity is unique.
#[test]
fn a_box_at_rest_has_one_direction() {
    for scheme in ["anitescu_hart", "baumgarte_velocity", "post_stabilization", "rattle"] {
        let found = examined("box-at-rest", scheme, 50).unwrap();
        assert_eq!((found.steps, found.impulse_steps, found.directions), (50, 50, 1), "{scheme}");
        assert!((found.exchange - 1.0).abs() < 1e-6, "{scheme}: {}", found.exchange);
        assert_eq!((found.velocity_steps, found.searched_steps), (0, 50), "{scheme}");
    }
}

/// The impulses of a body welded to two walls are not unique in three directions, without bound on how the walls share the
/// load. Sweeping schemes solve no problem that could be examined.
#[test]
fn a_body_welded_to_two_walls_has_three_directions() {
    let found = examined("two-wall-weld", "anitescu_hart", 5).unwrap();
    assert_eq!((found.steps, found.directions, found.exchange), (5, 3, f64::INFINITY));
    assert_eq!((found.velocity_steps, found.searched_steps, found.unexamined_steps), (0, 0, 0));
    assert_eq!(examined("two-wall-weld", "soft", 5), None);
}

/// The velocity of sliding blocks with different friction is not unique once they push each other: one catches up with the next
/// after 2.1 s, when ½ g cos θ (0.42 − 0.35) t² = 2 − 0.6 m. (`tests/lcp/uniqueness.rs` derives the range of velocities.)
#[test]
fn blocks_that_catch_up_have_more_than_one_velocity() {
    let caught_up = (2.0 * 1.4 / (9.81 * 0.4_f64.cos() * 0.07)).sqrt();
    let found = examined("block-on-incline", "anitescu_hart", 220).unwrap();
    let first = found.first_at.unwrap();
    assert!((first - caught_up).abs() < 0.02, "{first} s, {caught_up} s");
    assert!(found.velocity_steps > 0 && found.apart > 1e-4 && found.apart < 0.1, "{found:?}");
}
