//! The quantities of small motions about a scene's state, an equilibrium: they come from the linearised step and need no run.

use crate::document::method;
use driftlab::experiment::internal::stepped;
use driftlab::experiment::stability::{Loaded, Mode, StabilityError, modes};
use driftlab::method::Stabilizer;
use driftlab::scene::{Quantity, Scene};

/// Whether the quantity is one of these.
pub(super) fn is_about(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::MotionDecay | Quantity::MotionFrequency | Quantity::MotionError)
}

/// Its value; the error of a scheme is that of its step of `h` s.
pub(super) fn number(
    scene: &Scene,
    scheme: &Stabilizer,
    quantity: Quantity,
    h: f64,
) -> Result<f64, String> {
    let words = |error: StabilityError| error.to_string();
    let slowest = *modes(&scene.world).map_err(words)?.first().ok_or("nothing can move")?;
    Ok(match quantity {
        Quantity::MotionDecay => slowest.decay,
        Quantity::MotionFrequency => slowest.frequency,
        _ => {
            let scene = stepped(scene, h);
            let step = Loaded::of(&scene.world, &method(&scene.settings, scheme), h).map_err(words)?;
            let own = step.modes().map_err(words)?;
            let apart = own.into_iter().map(|mode| mode.distance(slowest));
            let still = Mode { decay: 0.0, frequency: 0.0 };
            apart.fold(f64::INFINITY, f64::min) / slowest.distance(still)
        }
    })
}
