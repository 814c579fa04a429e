//! The laws of impact.

/// How an impact rebounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restitution {
    /// Newton's law, J v⁺ ≥ −e J v, in the right-hand side [Trefny's c].
    #[default]
    Newton,
    /// Poisson's law in two phases: compression with e = 0, then decompression with e times its normal impulse
    /// [Anitescu & Potra 1997].
    AnitescuPotra,
}

impl Restitution {
    /// All laws, in the order of the panel.
    pub const ALL: [Self; 2] = [Self::Newton, Self::AnitescuPotra];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::AnitescuPotra => "anitescu_potra",
        }
    }
}
