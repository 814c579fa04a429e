//! How well a time step resolves the springs, soft joints and suspensions of a world: hω of each, and what one that it does not
//! resolve loses.
//!
//! ω² = k/m_e of the spring's row at the present pose, m_e being the mass that it moves with the joints of its bodies
//! (`engine/src/stages/springs.rs`). `engine/src/model/spring.rs` has the rule: springs keep their energy up to hω = ½,
//! and beyond they are more and more implicit.

use crate::internal::mobilities;
use crate::method::{Integrator, Level, Linearised, Method, Operation};
use crate::model::{RESOLVED, Softness, Spring, World};
use std::f64::consts::TAU;

/// How a step resolves a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringPhase {
    /// hω, h being the length of a substep where the scheme makes some.
    pub phase: f64,
    /// The share of its energy that an undamped oscillation of this ω has after a period: 1 where it keeps its energy.
    pub left: f64,
}

impl SpringPhase {
    /// Whether the spring keeps its energy.
    pub fn is_resolved(&self) -> bool {
        self.phase <= RESOLVED[0]
    }
}

/// How steps of `h` by `method` resolve each spring of the world: `None` where the scheme has a rule of its own, RATTLE the
/// midpoint rule, generalised-α methods and the explicit integrators theirs, and where there is no stiffness or nothing that
/// moves.
pub fn spring_phases(world: &World, method: &Method, h: f64) -> Vec<Option<SpringPhase>> {
    let springs = world.springs();
    let Some(h) = substep(method, h) else { return vec![None; springs.len()] };
    let mobilities = mobilities(world);
    let mut next = 0;
    let of = |spring: &Spring| {
        let own = &mobilities[next..next + spring.rows()];
        next += spring.rows();
        phase(spring.softness, h, own.iter().fold(0.0_f64, |most, own| most.max(*own)))
    };
    springs.iter().map(of).collect()
}

/// How steps of `h` by `method` resolve each soft joint, by its stiffest row, and each suspension of a wheel: the index of the
/// joint among the world's, and what [`spring_phases`] says of a spring.
pub fn joint_phases(world: &World, method: &Method, h: f64) -> Vec<(usize, SpringPhase)> {
    let Some(h) = substep(method, h) else { return Vec::new() };
    let of_springs: usize = world.springs().iter().map(Spring::rows).sum();
    let mut mobilities = mobilities(world).into_iter().skip(of_springs);
    let mut found = Vec::new();
    for (index, joint) in world.joints().iter().enumerate().filter(|(_, joint)| joint.is_soft()) {
        let Some(softness) = joint.softness else { continue };
        let [a, b] = joint.bodies().map(|body| world.frame(body));
        let mut stiffest: Option<SpringPhase> = None;
        joint.soft_equations(&a, &b, |row| {
            let own = mobilities.next().and_then(|mobility| phase(softness.of(row.unit), h, mobility));
            stiffest = stiffest.into_iter().chain(own).reduce(|a, b| if b.phase > a.phase { b } else { a });
        });
        found.extend(stiffest.map(|own| (index, own)));
    }
    let sprung = world.joints().iter().enumerate().filter_map(|(i, joint)| Some((i, joint.suspension()?)));
    found.extend(
        sprung.zip(mobilities).filter_map(|((i, own), mobility)| Some((i, phase(own, h, mobility)?))),
    );
    found
}

/// The length of a substep; `None` of a method with a rule of its own.
fn substep(method: &Method, h: f64) -> Option<f64> {
    let operations = (method.stabilizer.scheme().operations)(method, h);
    let own_rule = operations.iter().any(|operation| matches!(operation, Operation::Verlet))
        || matches!((method.stabilizer.scheme().linearised)(method, h), Some(Linearised::Newmark { .. }))
        || method.level == Level::Acceleration && method.integrator != Integrator::SemiImplicitEuler;
    let values = &method.stabilizer.values;
    let named = values.parameters().iter().zip(values.numbers()).find(|(own, _)| own.key == "substeps");
    (!own_rule).then(|| h / named.map_or(1.0, |(_, substeps)| *substeps))
}

fn phase(softness: Softness, h: f64, mobility: f64) -> Option<SpringPhase> {
    let stiff = Softness { damping: 0.0, ..softness };
    let phase = stiff.phase(h, mobility);
    if phase.is_nan() || phase <= 0.0 {
        return None;
    }
    // The determinant of the step (model/spring.rs), to the power of the steps in a period.
    let kept = stiff
        .impulse(h, mobility)
        .map_or(1.0, |own| (1.0 - own.before * mobility) / (1.0 + own.after * mobility));
    let left = if phase <= RESOLVED[0] { 1.0 } else { kept.powf(TAU / phase) };
    Some(SpringPhase { phase, left })
}
