//! What materials, pairs of them and shapes may state of a surface, each of which may also be left out.

use super::property::{not_negative, positive, real};
use crate::model::Surface;
use crate::parameter::Parameter;

/// A number of a surface that may be stated or left out.
pub struct Stated {
    /// Its name, unit, range and meaning; its default is where it begins if nothing else is known.
    pub parameter: Parameter,
    /// Where the surface has it.
    pub place: fn(&mut Surface) -> &mut Option<f64>,
}

impl Stated {
    /// What `surface` states.
    pub fn of(&self, surface: &Surface) -> Option<f64> {
        *(self.place)(&mut surface.clone())
    }
}

/// The numbers of a material and of a shape.
pub static STATED: [Stated; 6] = [
    Stated {
        parameter: Parameter {
            default: 1000.0,
            ..positive(real("density", "density", "", "kg/m²", "Mass per area."))
        },
        place: |own| &mut own.density,
    },
    Stated {
        parameter: Parameter {
            default: 0.3,
            ..not_negative(real("friction", "friction", "μ", "", "Coulomb's coefficient."))
        },
        place: |own| &mut own.friction,
    },
    Stated {
        parameter: Parameter {
            default: 0.3,
            ..not_negative(real(
                "static_friction",
                "static friction",
                "μ_s",
                "",
                "Coulomb's coefficient where nothing slips, at least the friction.",
            ))
        },
        place: |own| &mut own.static_friction,
    },
    Stated {
        parameter: Parameter {
            minimum: 0.0,
            maximum: 1.0,
            ..real("restitution", "restitution", "e", "", "Share of the speed with which it rebounds.")
        },
        place: |own| &mut own.restitution,
    },
    Stated {
        parameter: not_negative(real(
            "rolling_resistance",
            "rolling resistance",
            "c_r",
            "m",
            "Lever: pressed together by N, two bodies resist turning by at most c_r N.",
        )),
        place: |own| &mut own.rolling_resistance,
    },
    Stated {
        parameter: real(
            "surface_speed",
            "surface speed",
            "s",
            "m/s",
            "The surface runs round the shape clockwise, as a belt.",
        ),
        place: |own| &mut own.surface_speed,
    },
];

/// Which of them a pair of materials may state.
pub fn is_of_pair(stated: &Stated) -> bool {
    !matches!(stated.parameter.key, "density" | "surface_speed")
}
