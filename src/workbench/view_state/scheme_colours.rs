//! The colours of plots: that of each scheme, by which its runs are known in pictures, plots and tables, and two more.

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Number of schemes that have a colour of their own.
pub const SCHEMES: usize = 12;

/// The colours of the schemes, in the order of the table: everywhere the same, at full strength in lines and outlines.
///
/// Any two are at least ΔE₀₀ = 10 apart, those of no correction and of post-stabilization 25, also for eyes without
/// one of the three cones; and each is legible as text. `tests/window/colours.rs` computes both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchemeColours {
    /// Of the schemes.
    pub schemes: [Colour; SCHEMES],
    /// Of a trajectory that no scheme has made, as far from those of the schemes.
    pub trajectory: Colour,
    /// Of what steps back: futures that were left, a budget.
    pub weak: Colour,
    /// Of published levels.
    pub level: Colour,
}

impl SchemeColours {
    /// That of the scheme at that place of the table; behind its end that of trajectories, which no scheme has made.
    pub fn of(&self, place: usize) -> Colour {
        self.schemes.get(place).copied().unwrap_or(self.trajectory)
    }
}

/// On dark ground.
pub const DARK: SchemeColours = SchemeColours {
    schemes: [
        [0xff, 0x42, 0x4e],
        [0xff, 0x97, 0x2b],
        [0xfa, 0xe6, 0x68],
        [0x41, 0xe8, 0xca],
        [0x79, 0xad, 0xff],
        [0x93, 0x73, 0xfb],
        [0xaa, 0xd6, 0xff],
        [0xf7, 0xf9, 0xfd],
        [0xd9, 0x94, 0xc4],
        [0x9e, 0x8d, 0x6d],
        [0x97, 0xcb, 0x77],
        [0x81, 0x8a, 0x98],
    ],
    trajectory: [0xd2, 0xff, 0xc3],
    weak: [0x93, 0x9d, 0xac],
    level: [0x9f, 0xe0, 0x8a],
};

/// On light ground.
pub const LIGHT: SchemeColours = SchemeColours {
    schemes: [
        [0xcd, 0x10, 0x21],
        [0x5c, 0x3c, 0x98],
        [0x13, 0x4f, 0x5e],
        [0x00, 0x75, 0x7d],
        [0x0e, 0x60, 0xe7],
        [0x14, 0x02, 0xf1],
        [0x45, 0x14, 0x16],
        [0x20, 0x26, 0x2e],
        [0x00, 0x00, 0x8d],
        [0x81, 0x61, 0x4f],
        [0x70, 0x3d, 0x44],
        [0x7e, 0x01, 0x02],
    ],
    trajectory: [0x2c, 0x1b, 0x48],
    weak: [0x5d, 0x67, 0x75],
    level: [0x2f, 0x74, 0x20],
};
