//! Bodies that touch before an impact: the law of impact then acts on several contacts at once.
//!
//! A ball that strikes the first of a row of equal balls at the speed v, all of them with e = 1, is to leave with −v/3
//! and the row with 2v/3 if the row is of two balls that touch: every contact that is hit parts at e times the speed at
//! which it met, and 0 stays 0. With gaps the impacts come one after the other, and the last ball leaves with v.

use crate::detect::{Detector, Reach};
use crate::experiment::name_of;
use crate::method::smallest_shape;
use crate::model::World;

/// Gap up to which bodies touch, as a share of the smallest shape.
const TOUCH: f64 = 1e-3;
/// Most bodies among which they are looked for.
const MOST: usize = 300;

/// What is to be said about two bodies that move, touch, and rebound, if there are any.
pub(crate) fn said(world: &World) -> Option<String> {
    let bodies = world.bodies();
    if bodies.len() > MOST || bodies.iter().all(|body| body.restitution == 0.0) {
        return None;
    }
    let frames: Vec<_> = (0..bodies.len()).map(|index| world.frame(index)).collect();
    let reach = Reach { distance: TOUCH * smallest_shape(world), travel: 0.0 };
    let mut contacts = Vec::new();
    Detector::default().detect(world, &frames, &reach, &mut contacts);
    let pair = contacts.iter().map(|contact| contact.id.bodies).find(|pair| {
        let pair = pair.map(|id| &world[id]);
        pair.iter().all(|body| body.is_dynamic()) && pair.iter().any(|body| body.restitution > 0.0)
    })?;
    let [a, b] = pair.map(|id| name_of(world, id));
    Some(format!(
        "{a} and {b} touch and rebound. What strikes one of them strikes both at the same moment, and the law of impact acts on all \
         contacts at once: of equal balls with e = 1 the first leaves with −1/3 of its speed, the two with 2/3. As in a cradle, where each \
         ball hands all of it on to the next, they are struck one after the other if a gap is left: a tenth of the way that they go in a step."
    ))
}
