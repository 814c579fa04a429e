//! The glow of an error: a soft disk in the error's colour about an open joint or an overlap, by the logarithm of the error, so
//! that a gap far too small to be drawn is seen.
//!
//! ```text
//! s = (lg(e/L) − lg 10⁻⁹)/(lg 10⁻² − lg 10⁻⁹)   between 0 and 1,   L the extent of the scene
//! ```
//!
//! The radius grows with s, the opacity with s²: rounding does not glow, an error of 10⁻⁵ L does, a hundredth of L has its full glow.

use super::Picture;
use egui_macroquad::egui::{Mesh, Pos2, Shape, vec2};
use std::f32::consts::TAU;

/// lg(e/L) where the glow begins, a little above what position corrections leave, and where it no longer grows.
const DECADES: [f64; 2] = [-9.0, -2.0];
/// Radius of the weakest and of the strongest glow, points.
const RADII: [f32; 2] = [5.0, 26.0];
/// Opacity in the middle of the strongest glow.
const BRIGHTEST: f32 = 0.85;
/// Glows fainter than this are left out: they cannot be seen.
const FAINTEST: f32 = 0.01;
/// Corners of each ring.
const CORNERS: u32 = 16;
/// Rings: radius and opacity as shares of those of the glow, about those of a Gaussian.
const RINGS: [[f32; 2]; 3] = [[0.33, 0.7], [0.64, 0.27], [1.0, 0.0]];

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
    pub fn new(extent: f64) -> Self {
        Self { mesh: Mesh::default(), extent }
    }

    /// The glow of an error (m) at a point of the screen, of at most the radius `most`, points.
    pub fn add(&mut self, picture: &Picture<'_>, at: Pos2, error: f64, most: f32) {
        let s = strength(error, self.extent);
        let radius = (RADII[0] + s * (RADII[1] - RADII[0])).min(most.max(RADII[0]));
        let opacity = BRIGHTEST * s * s;
        if opacity < FAINTEST || !picture.rect.expand(radius).contains(at) {
            return;
        }
        let color = picture.palette.error;
        let Self { mesh, .. } = self;
        let first = mesh.vertices.len() as u32;
        mesh.colored_vertex(at, color.gamma_multiply(opacity));
        for [share, fading] in RINGS {
            for i in 0..CORNERS {
                let (sin, cos) = (TAU * i as f32 / CORNERS as f32).sin_cos();
                let at = at + share * radius * vec2(cos, sin);
                mesh.colored_vertex(at, color.gamma_multiply(fading * opacity));
            }
        }
        for i in 0..CORNERS {
            let next = (i + 1) % CORNERS;
            mesh.add_triangle(first, first + 1 + i, first + 1 + next);
            for ring in 1..RINGS.len() as u32 {
                let [inner, outer] = [ring - 1, ring].map(|ring| first + 1 + ring * CORNERS);
                mesh.add_triangle(inner + i, outer + i, outer + next);
                mesh.add_triangle(inner + i, outer + next, inner + next);
            }
        }
    }

    /// Draws them.
    pub fn paint(self, picture: &Picture<'_>) {
        if !self.mesh.is_empty() {
            picture.painter.add(Shape::mesh(self.mesh));
        }
    }
}
