//! Small circles: discs with their rims, rendered once for each pair of colours into a texture, and stretched over one square for
//! each circle. A circle with its rim and spoke takes 4 triangles; as smoothed polygons these take about 160, and a software
//! rasteriser's time grows with their number and with the area that is painted twice.
//!
//! The texture has a row for each pair of colours: the discs of all sizes, and at its end the pattern of a line.

use super::stroke::OUTLINE;
use egui_macroquad::egui::epaint::{ColorImage, Vertex};
use egui_macroquad::egui::{
    Color32, Context, Id, Mesh, Painter, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2, pos2, vec2,
};

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
/// Name of the texture.
const NAME: &str = "discs";
/// Opacity of the spoke.
const SPOKE: f32 = 0.8;

/// Rows of the texture. There are fewer colours of bodies and schemes; of more pairs the first would be rendered anew.
const ROWS: usize = 16;

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
    /// Colour inside the rim; opaque.
    pub fill: Color32,
    /// Colour of rim and spoke; opaque.
    pub rim: Color32,
}

/// Collects circles that are drawn one after the other.
pub(super) struct Discs {
    pattern: Pattern,
    mesh: Mesh,
}

impl Discs {
    pub fn new(painter: &Painter) -> Self {
        let pattern = Pattern::of(painter.ctx(), painter.pixels_per_point());
        let mesh = Mesh::with_texture(pattern.texture.id());
        Self { pattern, mesh }
    }

    /// Adds a circle above those that were added before.
    pub fn add(&mut self, disc: &Disc) {
        let radius = disc.radius + 0.5 * OUTLINE;
        let pixels = radius * self.pattern.scale;
        let place = RADII.partition_point(|size| size * HALF_STEP < pixels).min(RADII.len() - 1);
        let half = radius * half_side(RADII[place]) as f32 / RADII[place];
        let uv = self.pattern.disc(place, [disc.rim, disc.fill]);
        let square = Rect::from_center_size(disc.center, Vec2::splat(2.0 * half));
        self.mesh.add_rect_with_uv(square, uv, Color32::WHITE);
        self.line(disc.center, disc.spoke, OUTLINE, disc.rim.gamma_multiply(SPOKE));
    }

    /// Draws what was added, before anything else is drawn above it.
    pub fn paint(&mut self, painter: &Painter) {
        let pattern = self.pattern.clone();
        painter.ctx().data_mut(|data| data.insert_temp(Id::new(NAME), pattern));
        let empty = Mesh::with_texture(self.mesh.texture_id);
        let mesh = std::mem::replace(&mut self.mesh, empty);
        if !mesh.is_empty() {
            painter.add(Shape::mesh(mesh));
        }
    }

    fn line(&mut self, from: Pos2, along: Vec2, width: f32, color: Color32) {
        let half_height = 0.5 * LINE[1] as f32 / HALF_LINE * (0.5 * width);
        let across = along.normalized().rot90() * half_height;
        let uv = line_part();
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

/// The texture, and which pair of colours each of its rows has.
#[derive(Clone)]
struct Pattern {
    texture: TextureHandle,
    /// Rim and fill of each row.
    rows: Vec<[Color32; 2]>,
    /// Pixels per point.
    scale: f32,
}

impl Pattern {
    /// The pattern of a window.
    fn of(ctx: &Context, scale: f32) -> Self {
        let kept = ctx.data(|data| data.get_temp::<Self>(Id::new(NAME)));
        kept.filter(|pattern| pattern.scale == scale).unwrap_or_else(|| {
            let mut image = ColorImage::new(size(), Color32::TRANSPARENT);
            line(&mut image);
            let texture = ctx.load_texture(NAME, image, TextureOptions::LINEAR);
            Self { texture, rows: Vec::new(), scale }
        })
    }

    /// Texture coordinates of a disc with a rim in these colours, rendered where they are new.
    fn disc(&mut self, place: usize, colors: [Color32; 2]) -> Rect {
        let row = self.rows.iter().position(|row| *row == colors).unwrap_or_else(|| {
            if self.rows.len() == ROWS {
                self.rows.clear();
            }
            let row = self.rows.len();
            self.rows.push(colors);
            let image = discs(colors, OUTLINE * self.scale);
            self.texture.set_partial([0, row * row_height()], image, TextureOptions::LINEAR);
            row
        });
        let side = 2 * half_side(RADII[place]);
        part([left(place), row * row_height()], [side, side])
    }
}

/// The discs of all sizes side by side, each pixel as opaque as the share of it that they cover: the rim, `outline`
/// pixels wide, and above it the fill.
fn discs([rim, fill]: [Color32; 2], outline: f32) -> ColorImage {
    let mut image = ColorImage::new([left(RADII.len()), row_height()], Color32::TRANSPARENT);
    for (place, radius) in RADII.into_iter().enumerate() {
        let side = 2 * half_side(radius);
        let center = Vec2::splat(0.5 * side as f32);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let distance = (vec2(x as f32, y as f32) + Vec2::splat(0.5) - center).length();
            let covered = |radius: f32| (SHARPNESS * (radius - distance) + 0.5).clamp(0.0, 1.0);
            let inner = covered(radius - outline);
            let outer = covered(radius) * (1.0 - inner);
            // Colours are premultiplied: those of rim and fill add up.
            let [rim, fill] = [rim.gamma_multiply(outer), fill.gamma_multiply(inner)];
            let sum = |i: usize| rim.to_array()[i].saturating_add(fill.to_array()[i]);
            image[(left(place) + x, y)] = Color32::from_rgba_premultiplied(sum(0), sum(1), sum(2), sum(3));
        }
    }
    image
}

/// The white line behind the place of the first row's discs.
fn line(image: &mut ColorImage) {
    for y in 0..LINE[1] {
        let distance = (y as f32 + 0.5 - 0.5 * LINE[1] as f32).abs();
        let covered = (HALF_LINE - distance + 0.5).clamp(0.0, 1.0);
        let columns = line_at()..line_at() + LINE[0];
        columns.for_each(|x| image[(x, y)] = Color32::WHITE.gamma_multiply(covered));
    }
}

/// Where the line's own columns are, so that its ends do not fade.
fn line_part() -> Rect {
    part([line_at() + 1, 0], [LINE[0] - 2, LINE[1]])
}

/// Half the side of the square with the disc of that radius, pixels.
fn half_side(radius: f32) -> usize {
    radius.ceil() as usize + MARGIN
}

/// Where the square of the disc at `place` begins in a row, pixels.
fn left(place: usize) -> usize {
    RADII[..place].iter().map(|radius| 2 * half_side(*radius)).sum()
}

/// Height of a row, pixels.
fn row_height() -> usize {
    2 * half_side(RADII[RADII.len() - 1])
}

/// Where the pattern of the line begins in the first row, pixels.
fn line_at() -> usize {
    left(RADII.len()) + MARGIN
}

/// Size of the texture, pixels.
fn size() -> [usize; 2] {
    [line_at() + LINE[0] + MARGIN, ROWS * row_height()]
}

/// The texture coordinates of a rectangle of pixels.
fn part([left, top]: [usize; 2], [width, height]: [usize; 2]) -> Rect {
    let [whole, high] = size();
    let at = |x: usize, y: usize| pos2(x as f32 / whole as f32, y as f32 / high as f32);
    Rect::from_min_max(at(left, top), at(left + width, top + height))
}
