//! The display's scale under X11: pixels per point, and how large a window it can hold.
//!
//! miniquad creates its window in pixels and knows only the resource `Xft.dpi`. Asking before the window is created gives it
//! its size in points at once, so that the first frame is laid out as all others are. A server without that resource may have
//! been told its resolution (`-dpi`, a configured size of the screen in millimetres); one that has not says 96.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt};
use x11rb::rust_connection::RustConnection;

/// Dots per inch at which a pixel is a point.
const ORDINARY: f64 = 96.0;
/// Millimetres per inch.
const INCH: f64 = 25.4;
/// Smallest and largest scale that is believed.
const SCALES: [f64; 2] = [1.0, 4.0];
/// Scales are rounded to multiples of this, so that a resolution computed from millimetres gives sharp lines.
const GRAIN: f64 = 0.25;
/// Share of the screen that a new window may cover: panels and title bars need the rest.
const SHARE: f64 = 0.94;
/// Share of a large screen that a new window covers.
const ROOMY: f64 = 0.6;
/// Longest text of resources that is read, in units of four bytes.
const RESOURCES: u32 = 1 << 14;

/// A screen, as far as the window's size needs it.
///
/// It keeps its connection: a server starts afresh when its last client leaves, and refuses the window meanwhile.
pub(super) struct Display {
    _connection: RustConnection,
    /// Pixels per point.
    pub(super) scale: f64,
    /// Width and height, pixels.
    size: [f64; 2],
}

impl Display {
    /// The screen of the default display; none if it cannot be asked.
    pub(super) fn present() -> Option<Self> {
        let (connection, screen) = x11rb::connect(None).ok()?;
        let screen = connection.setup().roots.get(screen)?.clone();
        let resources = connection
            .get_property(false, screen.root, AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING, 0, RESOURCES)
            .ok()?;
        let text = resources.reply().map(|reply| reply.value).unwrap_or_default();
        let size = [screen.width_in_pixels.into(), screen.height_in_pixels.into()];
        let resolution = resource(&String::from_utf8_lossy(&text), "Xft.dpi")
            .unwrap_or_else(|| INCH * size[1] / f64::from(screen.height_in_millimeters));
        Some(Self { _connection: connection, scale: scale_at(resolution), size })
    }

    /// The window of `points`, in pixels; larger on a large screen, and not larger than the part of the screen that it
    /// may cover. On a small screen with one pixel per point it may fill the screen.
    pub(super) fn window(&self, points: [i32; 2]) -> [i32; 2] {
        let fitted = |axis: usize| {
            let screen = self.size[axis];
            let wanted = (f64::from(points[axis]) * self.scale).max(ROOMY * screen);
            wanted.min(if self.scale > 1.0 { SHARE * screen } else { screen })
        };
        [fitted(0) as i32, fitted(1) as i32]
    }
}

/// Pixels per point at a resolution in dots per inch.
fn scale_at(resolution: f64) -> f64 {
    let scale = (resolution / ORDINARY / GRAIN).round() * GRAIN;
    if scale.is_finite() { scale.clamp(SCALES[0], SCALES[1]) } else { SCALES[0] }
}

/// A number among resources, one `name: value` a line.
fn resource(resources: &str, name: &str) -> Option<f64> {
    let mut lines = resources.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == name)?.1.trim().parse().ok()
}
