//! What couples the coordinates of bodies in a written file: torsional springs of hinges, and gears.

use crate::model::joint::Gear;
use crate::model::{Joint, JointId, World};

/// The equality q₁ = c₀ + c₁ q₂ of a gear's two joints, whose coordinates count from where they are placed; `held` has for each
/// body the joint by which it hangs in the file. `None` where one of the joints holds no body.
pub(super) fn of_gear(world: &World, held: &[Option<(usize, usize)>], gear: &Gear) -> Option<String> {
    let side = |id: JointId| {
        let number = world.joint_ids().iter().position(|own| *own == id)?;
        let joint = &world.joints()[number];
        let holds = |end: usize| held[joint.bodies()[end]].is_some_and(|(own, _)| own == number);
        let sign = if holds(1) { 1.0 } else { -1.0 };
        let x = joint.driven(|index| world.frame(index))?.0.g;
        (holds(0) || holds(1)).then_some((number, sign, x))
    };
    let [first, second] = gear.joints();
    let ((one, sign, x), (other, sign_of_other, y)) = (side(first)?, side(second)?);
    let apart = sign * (gear.constant - x - gear.ratio * y);
    let slope = -gear.ratio * sign * sign_of_other;
    Some(format!(
        "    <joint joint1=\"j{one}\" joint2=\"j{other}\" polycoef=\"{apart:?} {slope:?} 0 0 0\"/>\n"
    ))
}

/// Torsional springs between the bodies of a hinge become its stiffness, if there is one alone.
pub(super) fn torsion(world: &World, joint: &Joint, apart: f64, sign: f64) -> String {
    let ours = world
        .springs()
        .iter()
        .filter(|spring| spring.rest_angle.is_some() && same(spring.bodies(), joint.bodies()));
    let mut ours = ours.take(2);
    match (ours.next(), ours.next()) {
        (Some(spring), None) => {
            let direct = spring.bodies() == joint.bodies();
            let rest = spring.rest_angle.unwrap_or_default() * if direct { 1.0 } else { -1.0 };
            let (k, d) = (spring.softness.stiffness, spring.softness.damping);
            format!(" stiffness=\"{k:?}\" damping=\"{d:?}\" springref=\"{:?}\"", sign * (rest - apart))
        }
        _ => String::new(),
    }
}

pub(super) fn same(a: [usize; 2], b: [usize; 2]) -> bool {
    a == b || a == [b[1], b[0]]
}
