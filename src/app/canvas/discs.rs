//! Small circles: a pattern of discs and of a line, rendered once as a texture, and stretched over one square for each part of a
//! circle. A circle with its rim and spoke takes 6 triangles; as smoothed polygons these take about 160, and a software
//! rasteriser's time grows with their number.

use super::bodies::OUTLINE;
use egui_macroquad::egui::epaint::{ColorImage, Vertex};
use egui_macroquad::egui::{
    self, Color32, Context, Id, Mesh, Painter, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2,
    pos2, vec2,
};
use std::sync::Arc;

/// Radii of the discs in the pattern, pixels: each √2 times the one before, so that none is stretched or shrunk by more than
/// 2^¼, which keeps the edge between 0.84 and 1.19 pixels wide.
const RADII: [f32; 9] = [2.83, 4.0, 5.66, 8.0, 11.31, 16.0, 22.63, 32.0, 45.25];
/// Half the ratio of one radius to the next, √(√2).
const HALF_STEP: f32 = 1.189_207_1;
/// Empty pixels round each part of the pattern, which its smoothed edge and the filter of the texture reach into.
const MARGIN: usize = 2;
/// Pixels of the pattern's line: its length, which is stretched, and its height, across which it fades.
const LINE: [usize; 2] = [4, 5];
/// Half the width of that line, pixels: that of an outline at one pixel per point.
const HALF_LINE: f32 = 0.5 * OUTLINE;
/// How much steeper than over one pixel the edge of a disc fades, since a stretched pattern is softened once more.
const SHARPNESS: f32 = 1.3;
/// Opacity of the spoke.
const SPOKE: f32 = 0.8;

/// Whether a circle of this radius, in pixels, can be drawn by the pattern.
pub(super) fn covers(radius: f32) -> bool {
    (RADII[0] / HALF_STEP..RADII[RADII.len() - 1]).contains(&radius)
}

/// A circle on the screen, in points.
pub(super) struct Disc {
    /// Its centre.
    pub center: Pos2,
    /// Its radius.
    pub radius: f32,
    /// From its centre to the end of its spoke.
    pub spoke: Vec2,
    /// Colour inside the rim; opaque, since it covers the rim's own disc.
    pub fill: Color32,
    /// Colour of rim and spoke.
    pub rim: Color32,
}

/// Collects circles that are drawn one after the other.
pub(super) struct Discs {
    pattern: Pattern,
    mesh: Mesh,
    /// Pixels per point.
    scale: f32,
}

impl Discs {
    pub fn new(painter: &Painter) -> Self {
        let pattern = Pattern::of(painter.ctx());
        let mesh = Mesh::with_texture(pattern.texture.id());
        Self { pattern, mesh, scale: painter.pixels_per_point() }
    }

    /// Adds a circle above those that were added before.
    pub fn add(&mut self, disc: &Disc) {
        self.disc(disc.center, disc.radius + 0.5 * OUTLINE, disc.rim);
        self.disc(disc.center, disc.radius - 0.5 * OUTLINE, disc.fill);
        self.line(disc.center, disc.spoke, OUTLINE, disc.rim.gamma_multiply(SPOKE));
    }

    /// Draws what was added, before anything else is drawn above it.
    pub fn paint(&mut self, painter: &Painter) {
        let empty = Mesh::with_texture(self.mesh.texture_id);
        let mesh = std::mem::replace(&mut self.mesh, empty);
        if !mesh.is_empty() {
            painter.add(Shape::mesh(mesh));
        }
    }

    fn disc(&mut self, center: Pos2, radius: f32, color: Color32) {
        let place =
            RADII.partition_point(|size| size * HALF_STEP < radius * self.scale).min(RADII.len() - 1);
        let half = radius * half_side(RADII[place]) as f32 / RADII[place];
        let uv = self.pattern.discs[place];
        self.mesh.add_rect_with_uv(Rect::from_center_size(center, Vec2::splat(2.0 * half)), uv, color);
    }

    fn line(&mut self, from: Pos2, along: Vec2, width: f32, color: Color32) {
        let half_height = 0.5 * LINE[1] as f32 / HALF_LINE * (0.5 * width);
        let across = along.normalized().rot90() * half_height;
        let uv = self.pattern.line;
        let first = self.mesh.vertices.len() as u32;
        let corners = [
            (from - across, uv.left_top()),
            (from + along - across, uv.right_top()),
            (from + along + across, uv.right_bottom()),
            (from + across, uv.left_bottom()),
        ];
        self.mesh.vertices.extend(corners.map(|(pos, uv)| Vertex { pos, uv, color }));
        self.mesh.add_triangle(first, first + 1, first + 2);
        self.mesh.add_triangle(first, first + 2, first + 3);
    }
}

/// Half the side of the square with the disc of that radius, pixels.
fn half_side(radius: f32) -> usize {
    radius.ceil() as usize + MARGIN
}

/// The texture, and where its parts are, in texture coordinates.
#[derive(Clone)]
struct Pattern {
    texture: TextureHandle,
    discs: Arc<[Rect]>,
    line: Rect,
}

impl Pattern {
    /// The pattern of a window, which is rendered at its first use.
    fn of(ctx: &Context) -> Self {
        let id = Id::new("discs");
        if let Some(pattern) = ctx.data(|data| data.get_temp(id)) {
            return pattern;
        }
        let pattern = Self::render(ctx);
        ctx.data_mut(|data| data.insert_temp(id, pattern.clone()));
        pattern
    }

    /// Discs and line side by side, each pixel as opaque as the share of it that they cover.
    fn render(ctx: &Context) -> Self {
        let sides = RADII.map(|radius| 2 * half_side(radius));
        let line_at = sides.iter().sum::<usize>() + MARGIN;
        let size = [line_at + LINE[0] + MARGIN, sides[RADII.len() - 1]];
        let mut image = ColorImage::new(size, Color32::TRANSPARENT);
        let mut discs = Vec::new();
        let mut left = 0;
        for (radius, side) in RADII.into_iter().zip(sides) {
            let center = vec2(left as f32, 0.0) + Vec2::splat(0.5 * side as f32);
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                let pixel = vec2((left + x) as f32, y as f32) + Vec2::splat(0.5);
                let covered = (SHARPNESS * (radius - (pixel - center).length()) + 0.5).clamp(0.0, 1.0);
                image[(left + x, y)] = Color32::WHITE.gamma_multiply(covered);
            }
            discs.push(part(size, [left, 0], [side, side]));
            left += side;
        }
        for y in 0..LINE[1] {
            let distance = (y as f32 + 0.5 - 0.5 * LINE[1] as f32).abs();
            let covered = (HALF_LINE - distance + 0.5).clamp(0.0, 1.0);
            (line_at..line_at + LINE[0])
                .for_each(|x| image[(x, y)] = Color32::WHITE.gamma_multiply(covered));
        }
        // The line's own columns, so that its ends do not fade.
        let line = part(size, [line_at + 1, 0], [LINE[0] - 2, LINE[1]]);
        let texture = ctx.load_texture("discs", image, TextureOptions::LINEAR);
        Self { texture, discs: discs.into(), line }
    }
}

/// The texture coordinates of a rectangle of pixels.
fn part(size: [usize; 2], [left, top]: [usize; 2], [width, height]: [usize; 2]) -> Rect {
    let at = |x: usize, y: usize| pos2(x as f32 / size[0] as f32, y as f32 / size[1] as f32);
    egui::Rect::from_min_max(at(left, top), at(left + width, top + height))
}
