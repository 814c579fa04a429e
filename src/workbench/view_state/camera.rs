//! The camera: which part of the plane is shown, and at what scale.
//!
//! World: metres, y up. Screen: points, y down. Both directions are exact inverses of each other.

use super::area::Area;
use crate::workbench::text::format::round_down;
use glam::{DVec2, Vec2};

/// Smallest and largest scale, points per metre: a kilometre across, a micrometre across.
const SCALE_RANGE: [f64; 2] = [1e-1, 1e8];
/// Share of the canvas that a fitted scene fills.
const FILL: f64 = 0.96;
/// Least distance between grid lines, points.
const SPACING: f64 = 28.0;
/// Scale change of one notch of the wheel.
pub const WHEEL_FACTOR: f64 = 1.15;

/// Centre and scale of the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World point in the middle of the canvas, m.
    pub center: DVec2,
    /// Points per metre.
    pub scale: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: DVec2::ZERO, scale: 100.0 }
    }
}

impl Camera {
    /// The camera that shows the box from `low` to `high` (m) in `canvas`.
    pub fn fit(low: DVec2, high: DVec2, canvas: impl Into<Area>) -> Self {
        let size = high - low;
        let room = canvas.into().size().as_dvec2().max(DVec2::ONE) * FILL;
        let scale = (room.x / size.x).min(room.y / size.y);
        if scale.is_finite() && scale > 0.0 && low.is_finite() && high.is_finite() {
            Self { center: 0.5 * (low + high), scale: scale.clamp(SCALE_RANGE[0], SCALE_RANGE[1]) }
        } else {
            Self::default()
        }
    }

    /// Where a world point appears on the screen.
    pub fn to_screen<P: From<[f32; 2]>>(&self, canvas: impl Into<Area>, world: DVec2) -> P {
        let middle = canvas.into().center();
        let d = (world - self.center) * self.scale;
        [(f64::from(middle.x) + d.x) as f32, (f64::from(middle.y) - d.y) as f32].into()
    }

    /// The world point under a screen point, m.
    pub fn to_world(&self, canvas: impl Into<Area>, screen: impl Into<[f32; 2]>) -> DVec2 {
        let d = Vec2::from(screen.into()) - canvas.into().center();
        self.center + DVec2::new(f64::from(d.x), -f64::from(d.y)) / self.scale
    }

    /// Length in points of `metres`.
    pub fn length(&self, metres: f64) -> f32 {
        (metres * self.scale) as f32
    }

    /// Distance of the grid's lines, m: in steps of 1, 2, 5.
    pub fn grid_step(&self) -> f64 {
        round_up(SPACING / self.scale)
    }

    /// Changes the scale by `factor`; the world point under `at` stays there.
    pub fn zoom(&mut self, canvas: impl Into<Area>, at: impl Into<[f32; 2]>, factor: f64) {
        let (canvas, at) = (canvas.into(), at.into());
        let held = self.to_world(canvas, at);
        self.scale = (self.scale * factor).clamp(SCALE_RANGE[0], SCALE_RANGE[1]);
        self.center += held - self.to_world(canvas, at);
    }

    /// Moves the picture by `delta` points.
    pub fn pan(&mut self, delta: impl Into<[f32; 2]>) {
        let [x, y] = delta.into();
        self.center += DVec2::new(-f64::from(x), f64::from(y)) / self.scale;
    }

    /// Lowest and highest visible coordinates, m.
    pub fn visible(&self, canvas: impl Into<Area>) -> [DVec2; 2] {
        let canvas = canvas.into();
        canvas.lowest_and_highest().map(|corner| self.to_world(canvas, corner))
    }
}

/// The smallest of 1, 2, 5 × 10ⁿ that is not below `value`.
fn round_up(value: f64) -> f64 {
    let below = round_down(value);
    [1.0, 2.0, 2.5, 5.0]
        .into_iter()
        .map(|factor| round_down(below * factor * (1.0 + 1e-9)))
        .find(|step| *step >= value * (1.0 - 1e-9))
        .unwrap_or(below * 2.0)
}
