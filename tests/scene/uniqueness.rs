//! What runs report about other solutions of their steps, and that asking changes nothing.

use driftlab::experiment::{Run, Summary, UniquenessSummary};
use driftlab::report::StepReport;
use driftlab::scene::{Scene, catalogue};
use driftlab::stabilizer::{Method, TABLE};

fn shipped(key: &str) -> Scene {
    catalogue::find(key).unwrap().scene().unwrap()
}

fn examined(key: &str, scheme: &str, steps: u64) -> Option<UniquenessSummary> {
    let scene = shipped(key);
    let method = Method::by_key(scheme).unwrap();
    let mut run = Run::under(&scene, method.clone(), steps).examining_uniqueness();
    let mut summary = Summary::under(&scene, &method, run.initial());
    run.by_ref().for_each(|report| summary.add(&report.unwrap()));
    summary.uniqueness
}

/// Steps under every scheme, and at the acceleration level, come to the same bits whether or not they are examined; unexamined
/// reports say nothing.
#[test]
fn examining_changes_no_bit() {
    for key in ["block-on-incline", "two-wall-weld", "newtons-cradle", "overlap-recovery"] {
        let scene = shipped(key);
        for scheme in TABLE {
            let method = Method::new((*scheme).into());
            let mut plain = Run::under(&scene, method.clone(), 40);
            let mut asked = Run::under(&scene, method, 40).examining_uniqueness();
            for (plain, asked) in plain.by_ref().zip(asked.by_ref()) {
                let asked = asked.map(|report| StepReport { uniqueness: None, ..report });
                assert_eq!(plain, asked, "{key}, {}", scheme.info().key);
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

/// A box of μ = 0.5 at rest on its two contacts: their friction may be exchanged, each between ±μ of its normal impulse, which is
/// the largest one. A box stands in one way only.
#[test]
fn a_box_at_rest_has_one_direction() {
    for scheme in ["anitescu_hart", "baumgarte_velocity", "post_stabilization", "rattle"] {
        let found = examined("box-at-rest", scheme, 50).unwrap();
        assert_eq!((found.steps, found.impulse_steps, found.directions), (50, 50, 1), "{scheme}");
        assert!((found.exchange - 1.0).abs() < 1e-6, "{scheme}: {}", found.exchange);
        assert_eq!((found.velocity_steps, found.searched_steps), (0, 50), "{scheme}");
    }
}

/// A body welded to two walls: three rows too many, by the factorisation of the joints alone, and no bound on how the walls share
/// the load. Schemes that sweep solve no problem that could be examined.
#[test]
fn a_body_welded_to_two_walls_has_three_directions() {
    let found = examined("two-wall-weld", "anitescu_hart", 5).unwrap();
    assert_eq!((found.steps, found.directions, found.exchange), (5, 3, f64::INFINITY));
    assert_eq!((found.velocity_steps, found.searched_steps, found.unexamined_steps), (0, 0, 0));
    assert_eq!(examined("two-wall-weld", "soft", 5), None);
}

/// Blocks of different friction slide apart from each other until one catches up with the next, at ½ g cos θ (0.42 − 0.35) t² =
/// 2 − 0.6 m: 2.1 s. From then on the face between them leaves their velocity open, as `tests/lcp/uniqueness.rs` has it by hand.
#[test]
fn blocks_that_catch_up_have_more_than_one_velocity() {
    let caught_up = (2.0 * 1.4 / (9.81 * 0.4_f64.cos() * 0.07)).sqrt();
    let found = examined("block-on-incline", "anitescu_hart", 220).unwrap();
    let first = found.first_at.unwrap();
    assert!((first - caught_up).abs() < 0.02, "{first} s, {caught_up} s");
    assert!(found.velocity_steps > 0 && found.apart > 1e-4 && found.apart < 0.1, "{found:?}");
}
