//! Hinges, fixes and springs of Algodoo.

use super::thyme::Block;
use super::{Placed, Shapes};
use crate::import::draft::Draft;
use crate::model::{Body, BodyId, Breaking, Joint, Spring};
use glam::DVec2;
use std::collections::BTreeMap;

/// The two ends of a joint: bodies and points in the world.
struct Ends {
    bodies: [BodyId; 2],
    points: [DVec2; 2],
}

/// Adds all joints and springs; `rate` is that of Algodoo's steps, Hz.
pub(super) fn add(draft: &mut Draft, blocks: &[Block], shapes: &Shapes, rate: f64) {
    // Springs name their ends, which are blocks of their own.
    let points: BTreeMap<u64, &Block> = blocks
        .iter()
        .filter(|block| block.adds() == Some("LineEndPoint"))
        .filter_map(|block| Some((block.id("entityID")?, block)))
        .collect();
    let mut background = None;
    for block in blocks {
        let mut end =
            |draft: &mut Draft, geom: Option<u64>, point: Option<DVec2>| -> Option<(BodyId, DVec2)> {
                let point = point?;
                match geom.filter(|id| *id > 0) {
                    Some(id) => shapes.get(&id).map(|shape: &Placed| (shape.body, shape.at(point))),
                    None => {
                        let still = || Body::fixed().name("background");
                        background = background.or_else(|| draft.body("background", still()));
                        background.map(|body| (body, point))
                    }
                }
            };
        let adds = block.adds().unwrap_or_default();
        let pair = match adds {
            "Hinge" | "Fixjoint" | "Fixate" => [("geom0", "geom0pos"), ("geom1", "geom1pos")]
                .map(|(geom, at)| end(draft, block.id(geom), block.point(at))),
            "Spring" if block.values.contains_key("lineEndPoint0") => ["lineEndPoint0", "lineEndPoint1"]
                .map(|key| {
                    let point = points.get(&block.id(key)?)?;
                    end(draft, point.id("geom"), point.point("relPoint"))
                }),
            "Spring" => [("geom0", "geom0pos"), ("geom1", "geom1pos")]
                .map(|(geom, at)| end(draft, block.id(geom), block.point(at))),
            _ => continue,
        };
        let [Some(a), Some(b)] = pair else {
            draft.leave_out(block.place(), "it is left out: a shape or a point of its ends is not there");
            continue;
        };
        let ends = Ends { bodies: [a.0, b.0], points: [a.1, b.1] };
        let held =
            ends.bodies.iter().all(|id| draft.world.body(*id).is_some_and(|body| !body.is_dynamic()));
        if ["Fixjoint", "Fixate"].contains(&adds) && (held || ends.bodies[0] == ends.bodies[1]) {
            // What it holds together is one body, or stands still.
            continue;
        }
        if ends.bodies[0] == ends.bodies[1] {
            draft.leave_out(block.place(), "it is left out: both of its ends are of one body");
            continue;
        }
        if held {
            draft.leave_out(block.place(), "it is left out: neither of its bodies moves");
            continue;
        }
        match adds {
            "Hinge" => hinge(draft, block, &ends, rate),
            "Spring" => spring(draft, block, &ends),
            _ => {
                let [a, b] = ends.bodies;
                draft.joint(block.place(), Joint::weld(a, b).anchors(ends.points[0], ends.points[1]));
            }
        }
    }
}

fn hinge(draft: &mut Draft, block: &Block, ends: &Ends, rate: f64) {
    let place = block.place();
    let [a, b] = ends.bodies;
    let mut joint = Joint::hinge(a, b).anchors(ends.points[0], ends.points[1]);
    let keyed =
        ["buttonForward", "buttonBack", "buttonBrake"].iter().any(|key| block.values.contains_key(*key));
    let brakes = block.is("autoBrake");
    if block.is("motor") {
        let (speed, torque) =
            (block.number(draft, "motorSpeed", 0.0), block.number(draft, "motorTorque", 0.0));
        let speed = if block.is("ccw") { -speed } else { speed };
        if keyed {
            let what = if brakes { "the brake acts" } else { "the motor is off" };
            draft.leave_out(&place, format!("the keys of the motor are left out: {what}"));
        }
        match (keyed, brakes) {
            (false, _) => joint = joint.motor(speed, torque.max(0.0)),
            (true, true) => joint = joint.motor(0.0, torque.max(0.0)),
            (true, false) => {}
        }
    } else {
        draft.leave_out_if(brakes, &place, "autoBrake without a motor is left out");
    }
    if let Some(impulse) = block.raw("impulseLimit").filter(|impulse| impulse.is_finite()) {
        // An impulse of one step, over its length.
        let force = Some(impulse.max(0.0) * rate);
        joint = joint.breaks_at(Breaking { force, ..Breaking::default() });
    }
    let breaks = block.raw("distanceLimit").is_some_and(f64::is_finite);
    draft.leave_out_if(breaks, &place, "distanceLimit is left out: no distance breaks the hinge");
    draft.leave_out_if(block.is("bend"), &place, "bend is left out: no spring turns the hinge");
    draft.joint(place, joint);
}

/// d = 2 ζ √(k m), with ζ = dampingFactor.
fn spring(draft: &mut Draft, block: &Block, ends: &Ends) {
    let place = block.place();
    let Some(stiffness) = block.raw("constant").filter(|k| k.is_finite() && *k >= 0.0) else {
        draft.leave_out(place, "the spring is left out: expected constant, N/m");
        return;
    };
    let [on_a, on_b] = ends.points;
    let length = block.number(draft, "length", on_a.distance(on_b)).max(0.0);
    let ratio = block.number(draft, "dampingFactor", 0.0).max(0.0);
    let mass = draft.mass_along(ends.bodies, ends.points, (on_b - on_a).normalize_or(DVec2::X));
    let damping = 2.0 * ratio * (stiffness * mass).sqrt();
    draft.leave_out_if(ratio > 0.0, &place, "dampingFactor is taken as a share of the critical damping");
    let [a, b] = ends.bodies;
    let spring = Spring::between(a, b).anchors(on_a, on_b).stiffness(stiffness).rest_length(length);
    draft.spring(place, if damping.is_finite() { spring.damping(damping) } else { spring });
}
