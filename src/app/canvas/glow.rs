//! The glow of an error: a soft disk in the error's colour about an open joint or an overlap, by the logarithm of the error, so
//! that a gap far too small to be drawn is seen.
//!
//! ```text
//! s = (lg(e/L) − lg 10⁻⁹)/(lg 10⁻² − lg 10⁻⁹)   between 0 and 1,   L the extent of the scene
//! ```
//!
//! The radius grows with s, the opacity with s²: rounding does not glow, an error of 10⁻⁵ L does, a hundredth of L has
//! its full glow. It fades as a Gaussian that is zero at the edge, rendered once as a texture: a square for each glow
//! in place of rings of triangles.

use super::Picture;
use egui_macroquad::egui::{
    Color32, ColorImage, Context, Id, Mesh, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2, pos2,
};

/// lg(e/L) where the glow begins, a little above what position corrections leave, and where it no longer grows.
const DECADES: [f64; 2] = [-9.0, -2.0];
/// Radius of the weakest and of the strongest glow, points.
const RADII: [f32; 2] = [5.0, 26.0];
/// Opacity in the middle of the strongest glow.
const BRIGHTEST: f32 = 0.85;
/// Glows fainter than this are left out: they cannot be seen.
const FAINTEST: f32 = 0.01;
/// Standard deviation of the Gaussian as a share of the radius.
const DEVIATION: f32 = 0.4;
/// Side of the texture, pixels: the largest glow on a display with one pixel per point; larger ones are as smooth.
const SIDE: usize = 52;

/// s of an error in a scene of this extent, both in m: 0 is no glow, 1 the strongest.
fn strength(error: f64, extent: f64) -> f32 {
    let [none, full] = DECADES;
    let decade = (error.abs() / extent).log10();
    // Neither no error (−∞) nor an error that is not a number glows.
    if decade > none { ((decade - none) / (full - none)).min(1.0) as f32 } else { 0.0 }
}

/// All glows in one mesh: there may be hundreds.
pub(super) struct Glows {
    mesh: Mesh,
    extent: f64,
}

impl Glows {
    /// No glow yet in a scene of that extent, m.
    pub fn new(ctx: &Context, extent: f64) -> Self {
        Self { mesh: Mesh::with_texture(texture(ctx).id()), extent }
    }

    /// The glow of an error (m) at a point of the screen, of at most the radius `most`, points.
    pub fn add(&mut self, picture: &Picture<'_>, at: Pos2, error: f64, most: f32) {
        let s = strength(error, self.extent);
        let radius = (RADII[0] + s * (RADII[1] - RADII[0])).min(most.max(RADII[0]));
        let opacity = BRIGHTEST * s * s;
        if opacity < FAINTEST || !picture.rect.expand(radius).contains(at) {
            return;
        }
        let place = Rect::from_center_size(at, Vec2::splat(2.0 * radius));
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        self.mesh.add_rect_with_uv(place, whole, picture.palette.error.gamma_multiply(opacity));
    }

    /// Draws them.
    pub fn paint(self, picture: &Picture<'_>) {
        if !self.mesh.is_empty() {
            picture.painter.add(Shape::mesh(self.mesh));
        }
    }
}

/// The glow of opacity 1, rendered at its first use.
fn texture(ctx: &Context) -> TextureHandle {
    let id = Id::new("glow");
    if let Some(texture) = ctx.data(|data| data.get_temp(id)) {
        return texture;
    }
    let gaussian = |r: f32| (-0.5 * (r / DEVIATION).powi(2)).exp();
    let mut image = ColorImage::new([SIDE, SIDE], Color32::TRANSPARENT);
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let [across, down] = [x, y].map(|pixel| (2 * pixel + 1) as f32 / SIDE as f32 - 1.0);
        let edge = gaussian(1.0);
        let share = (gaussian(across.hypot(down)) - edge) / (1.0 - edge);
        image[(x, y)] = Color32::WHITE.gamma_multiply(share.clamp(0.0, 1.0));
    }
    let texture = ctx.load_texture("glow", image, TextureOptions::LINEAR);
    ctx.data_mut(|data| data.insert_temp(id, texture.clone()));
    texture
}
