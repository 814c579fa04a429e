//! The replay against Box2D itself.

use super::ffi::Engine;
use super::names::Names;
use super::samples;
use super::steps::{Copy, moments};
use super::stream::Stream;
use super::told::{Contact, Moment};

/// What one step of a sample was: its bodies before and after, and its contacts with the sums of what they did.
struct Seen {
    before: Vec<Option<Moment>>,
    after: Vec<Option<Moment>>,
    /// What the player itself has behind the step and all that follows it.
    played: Vec<Option<Moment>>,
    contacts: Vec<(Contact, Vec<[f64; 2]>)>,
}

/// Replays a sample into which nothing comes.
fn replay(bytes: &[u8], mut see: impl FnMut(&Names, Seen)) {
    let stream = Stream::read(bytes).unwrap();
    let engine = Engine::take();
    let mut player = engine.player(bytes).unwrap();
    let mut names = Names::default();
    for key in player.bodies().into_iter().flatten() {
        let (body, moment) = (player.world().body(key).unwrap(), player.world().moment(key).unwrap());
        names.add_body(key, body, &moment);
    }
    let mut copy = Copy::of(&engine, &player.world()).unwrap();
    for frame in &stream.frames {
        assert!(copy.take(&player.world()));
        let before = moments(&player.world(), &names);
        let (_, after) = copy.line(frame, &mut names, &before).unwrap();
        let contacts = copy.contacts(frame, &names);
        assert!(player.step());
        let played = moments(&player.world(), &names);
        see(&names, Seen { before, after, played, contacts });
    }
    assert_eq!(player.diverged_at(), None);
}

/// A step that is made again on a copy is the recorded step, bit by bit.
#[test]
fn a_step_again_is_the_same_step() {
    for sample in [samples::chain, samples::stack, samples::bouncing, samples::sleeping] {
        let mut steps = 0;
        replay(&sample(), |_, seen| {
            assert_eq!(seen.after, seen.played);
            steps += 1;
        });
        assert_eq!(steps, 120);
    }
}

/// With the arms that Box2D keeps for each body, the moments of contacts close to rounding; with one point for both they do not.
#[test]
fn moments_of_contacts_close_with_their_own_arms() {
    let (mut own, mut shared) = (0.0_f64, 0.0_f64);
    replay(&samples::stack(), |names, seen| {
        for (number, named) in names.bodies.iter().enumerate().filter(|(_, named)| named.is_dynamic()) {
            let [before, after] = [seen.before[number].unwrap(), seen.after[number].unwrap()];
            let left = named.body.inertia * (after.spin - before.spin);
            let (mut by_own, mut by_shared) = (left, left);
            for (contact, impulses) in &seen.contacts {
                let numbers = contact.bodies.map(|key| names.body(key).unwrap());
                let Some(side) = (0..2).find(|side| numbers[*side] == number) else { continue };
                let sign = [-1.0, 1.0][side];
                for (point, [normal, tangent]) in contact.points.iter().zip(impulses) {
                    let [nx, ny] = contact.normal;
                    let p = [normal * nx + tangent * ny, normal * ny - tangent * nx];
                    let moment = |arm: [f64; 2]| sign * (arm[0] * p[1] - arm[1] * p[0]);
                    by_own -= moment(point.arms[side]);
                    let first = seen.before[numbers[0]].unwrap().center;
                    let at = [0, 1].map(|axis| first[axis] + point.arms[0][axis] - before.center[axis]);
                    by_shared -= moment(at);
                }
            }
            own = own.max(by_own.abs());
            shared = shared.max(by_shared.abs());
        }
    });
    println!("with own arms {own:e} N m s, with one point {shared:e} N m s, of 0.83 N s on the lowest box");
    assert!(own < 1e-6 && shared > 1e-4, "{own:e} {shared:e}");
}
