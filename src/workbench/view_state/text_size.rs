//! The size of the text, and with it of everything else in the window.

/// The sizes to choose from, per cent of the ordinary one.
pub const SIZES: [u16; 9] = [80, 90, 100, 110, 125, 140, 160, 180, 200];
/// Place of the ordinary size among them.
const ORDINARY: usize = 2;

/// One of the [`SIZES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextSize(usize);

impl Default for TextSize {
    fn default() -> Self {
        Self(ORDINARY)
    }
}

impl TextSize {
    /// All sizes, from the smallest.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SIZES.len()).map(Self)
    }

    /// Per cent of the ordinary size.
    pub fn percent(self) -> u16 {
        SIZES[self.0]
    }

    /// How many times the ordinary size.
    pub fn factor(self) -> f32 {
        f32::from(self.percent()) / 100.0
    }

    /// So many sizes up, at most to the largest, or down.
    pub fn changed(self, by: i32) -> Self {
        let place = i64::try_from(self.0).unwrap_or(0) + i64::from(by);
        Self(place.clamp(0, SIZES.len() as i64 - 1) as usize)
    }
}
