//! Parts of the window, in points: x to the right, y down. A place or a way on the screen is `[f32; 2]`, which every library
//! of drawing takes and gives.

use glam::{Vec2, vec2};

/// An upright rectangle of the window, points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Its left upper corner.
    pub min: Vec2,
    /// Its right lower corner.
    pub max: Vec2,
}

impl Area {
    /// The area of that size with that left upper corner.
    pub fn new(corner: Vec2, size: Vec2) -> Self {
        Self { min: corner, max: corner + size }
    }

    /// Its width and height.
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// Its middle.
    pub fn center(self) -> Vec2 {
        (self.min + self.max) / 2.0
    }

    /// Its left lower and its right upper corner.
    pub fn lowest_and_highest(self) -> [Vec2; 2] {
        [vec2(self.min.x, self.max.y), vec2(self.max.x, self.min.y)]
    }

    /// Whether it has that place, its edge included.
    pub fn contains(self, place: Vec2) -> bool {
        self.min.cmple(place).all() && place.cmple(self.max).all()
    }
}
