//! The colours of plots: that of each scheme, by which its runs are known in pictures, plots and tables, and two more.

use crate::peers;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Number of schemes that have a colour of their own, and of other engines.
const SCHEMES: usize = 18;
const ENGINES: usize = 2;

/// The colours of the schemes by their keys: everywhere the same, at full strength in lines and outlines.
///
/// Any two of one origin are at least ΔE₀₀ = 10 apart, of different origins, which lists show apart, 6.5; those of no
/// correction and of post-stabilization are 25 apart. All of this also holds for eyes without one of the three cones; and
/// each is legible as text. `tests/window/colours.rs` computes both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchemeColours {
    /// Of the schemes, with their keys.
    pub schemes: [(&'static str, Colour); SCHEMES],
    /// Of other engines, as far from those of the schemes, and ΔE₀₀ = 10 from each other.
    pub engines: [(&'static str, Colour); ENGINES],
    /// Of a trajectory that no scheme has made, as far from those of the schemes.
    pub trajectory: Colour,
    /// Of what steps back: futures that were left, a budget.
    pub weak: Colour,
    /// Of published levels.
    pub level: Colour,
}

impl SchemeColours {
    /// That of the scheme at that place (`peers/mod.rs`); that of trajectories where no scheme stands.
    pub fn of(&self, place: usize) -> Colour {
        let key = peers::at(place).map(|scheme| scheme.info().key);
        let own = self.schemes.iter().chain(&self.engines).find(|(scheme, _)| Some(*scheme) == key);
        own.map_or(self.trajectory, |(_, colour)| *colour)
    }
}

/// On dark ground.
pub const DARK: SchemeColours = SchemeColours {
    schemes: [
        ("none", [0xff, 0x42, 0x4e]),
        ("baumgarte_velocity", [0xff, 0x97, 0x2b]),
        ("baumgarte_acceleration", [0xfa, 0xe6, 0x68]),
        ("post_stabilization", [0x41, 0xe8, 0xca]),
        ("anitescu_hart", [0x79, 0xad, 0xff]),
        ("implicit", [0x93, 0x73, 0xfb]),
        ("projection", [0xaa, 0xd6, 0xff]),
        ("rattle", [0xf7, 0xf9, 0xfd]),
        ("ggl", [0xf3, 0xc3, 0xa3]),
        ("generalized_alpha", [0xb4, 0xa8, 0xa5]),
        ("ngs", [0xd9, 0x94, 0xc4]),
        ("split_impulse", [0x9e, 0x8d, 0x6d]),
        ("soft", [0x97, 0xcb, 0x77]),
        ("xpbd", [0x81, 0x8a, 0x98]),
        ("avbd", [0xcf, 0xdd, 0xec]),
        ("direct_iterated", [0xba, 0xff, 0xdb]),
        ("mujoco", [0xe8, 0xff, 0xa1]),
        ("sap", [0xff, 0xff, 0x00]),
    ],
    engines: [("box2d", [0x96, 0xb4, 0x82]), ("rapier", [0xd2, 0xbe, 0xb4])],
    trajectory: [0xd2, 0xff, 0xc3],
    weak: [0x93, 0x9d, 0xac],
    level: [0x9f, 0xe0, 0x8a],
};

/// On light ground.
pub const LIGHT: SchemeColours = SchemeColours {
    schemes: [
        ("none", [0xcd, 0x10, 0x21]),
        ("baumgarte_velocity", [0x5c, 0x3c, 0x98]),
        ("baumgarte_acceleration", [0x13, 0x4f, 0x5e]),
        ("post_stabilization", [0x00, 0x75, 0x7d]),
        ("anitescu_hart", [0x0e, 0x60, 0xe7]),
        ("implicit", [0x14, 0x02, 0xf1]),
        ("projection", [0x45, 0x14, 0x16]),
        ("rattle", [0x20, 0x26, 0x2e]),
        ("ggl", [0x4a, 0x65, 0x5c]),
        ("generalized_alpha", [0x76, 0x5c, 0xab]),
        ("ngs", [0x00, 0x00, 0x8d]),
        ("split_impulse", [0x81, 0x61, 0x4f]),
        ("soft", [0x70, 0x3d, 0x44]),
        ("xpbd", [0x7e, 0x01, 0x02]),
        ("avbd", [0x58, 0x68, 0x10]),
        ("direct_iterated", [0xb6, 0x1f, 0x77]),
        ("mujoco", [0x24, 0x00, 0x0c]),
        ("sap", [0x07, 0x00, 0x43]),
    ],
    engines: [("box2d", [0x8c, 0x32, 0x32]), ("rapier", [0x14, 0x00, 0x1e])],
    trajectory: [0x2c, 0x1b, 0x48],
    weak: [0x5d, 0x67, 0x75],
    level: [0x2f, 0x74, 0x20],
};
