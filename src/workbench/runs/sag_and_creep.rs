//! Sag and creep: what a scheme foretells of both, and what a run has of them.
//!
//! Schemes of engines let constraints yield under a load, some by design. Their cards have formulas for it
//! (`Stabilizer::remark`); beside these stands what is measured after a step.

use crate::method::{Method, Origin};
use crate::model::World;
use crate::numbers::length;
use crate::report::StepReport;
use crate::workbench::map::verdict;

/// Share of μ λ_n from which a contact counts as sliding: convex models come close to the bound, and do not always reach it.
const SLIDES: f64 = 0.999;

/// A length that is rounding, m, and a speed, m/s: they are not told.
const ROUNDING: f64 = 1e-12;

/// How far the constraints of a world have yielded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Yielded {
    /// The largest opening of a joint, m.
    pub opening: f64,
    /// The deepest overlap of a contact, m.
    pub overlap: f64,
    /// The fastest slip of a contact whose friction could still grow, m/s; none where friction holds nothing.
    pub creep: Option<f64>,
}

/// How far the constraints of `world` yielded in the step of this report.
pub fn yielded(world: &World, report: &StepReport) -> Yielded {
    let slips = world.contacts().iter().filter_map(|contact| {
        let [normal, tangential] = contact.impulse.map(f64::abs);
        let [a, b] = contact.id.bodies.map(|id| world.body(id));
        let (a, b) = (a?, b?);
        let moves = a.surface_speed != 0.0 || b.surface_speed != 0.0;
        if moves || tangential == 0.0 || tangential >= SLIDES * contact.friction * normal {
            return None;
        }
        let [va, vb] = [a, b].map(|body| {
            let arm = contact.point - body.pose.position;
            body.velocity.linear + body.velocity.angular * arm.perp()
        });
        Some((vb - va).dot(contact.normal.perp()).abs())
    });
    Yielded {
        opening: report.joint_errors.metre,
        overlap: report.contact_error,
        creep: slips.reduce(f64::max),
    }
}

/// What the card of an engine's scheme says of sag and creep: its formulas at this time step, where the verdict on the map does
/// not have them, and what was measured after the last step.
pub fn sag_and_creep(method: &Method, h: f64, world: &World, report: &StepReport) -> Option<String> {
    let scheme = &method.stabilizer;
    if scheme.info().origin != Origin::Engines {
        return None;
    }
    let said = verdict(method, h, None).map_or(String::new(), |verdict| verdict.text);
    let foretold = scheme.remark(h).filter(|remark| !said.contains(remark.as_str()));
    let Yielded { opening, overlap, creep } = yielded(world, report);
    let measured = [
        (opening > ROUNDING).then(|| format!("joints are open by {}", length(opening))),
        (overlap > ROUNDING).then(|| format!("contacts overlap by {}", length(overlap))),
        creep
            .filter(|speed| *speed > ROUNDING)
            .map(|speed| format!("what friction holds creeps at {}/s", length(speed))),
    ];
    let measured: Vec<String> = measured.into_iter().flatten().collect();
    let measured = (!measured.is_empty()).then(|| format!("Measured: {}.", measured.join(", ")));
    let foretold = foretold.map(|remark| format!("Foretold: {remark}."));
    let parts: Vec<String> = foretold.into_iter().chain(measured).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}
