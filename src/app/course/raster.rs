//! What egui draws, as pixels, without a display and a graphics card: triangles with colours at their corners, times
//! those of a texture, over what lies beneath.
//!
//! Colours are premultiplied by their opacity a and mixed as the window's shader mixes them, in the values of sRGB: d ←
//! s + (1 − a) d. Edges are smooth because egui's triangles fade out at them.

use egui_macroquad::egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui_macroquad::egui::{Color32, ImageData, Pos2, TextureId, TexturesDelta};

/// Colour and opacity, premultiplied, each from 0 to 255.
type Rgba = [f32; 4];

/// A texture.
struct Texture {
    id: TextureId,
    size: [usize; 2],
    pixels: Vec<Rgba>,
}

impl Texture {
    /// The colour at a point between 0 and 1, from the four pixels about it.
    fn at(&self, uv: Pos2) -> Rgba {
        let [width, height] = self.size;
        let place = |share: f32, pixels: usize| {
            let at = (share * pixels as f32 - 0.5).clamp(0.0, (pixels - 1) as f32);
            (at as usize, (at as usize + 1).min(pixels - 1), at.fract())
        };
        let ((left, right, x), (top, bottom, y)) = (place(uv.x, width), place(uv.y, height));
        let row =
            |row: usize| mixed(&self.pixels[row * width + left], &self.pixels[row * width + right], x);
        mixed(&row(top), &row(bottom), y)
    }
}

fn mixed(a: &Rgba, b: &Rgba, share: f32) -> Rgba {
    std::array::from_fn(|i| a[i] + share * (b[i] - a[i]))
}

fn rgba(color: Color32) -> Rgba {
    color.to_array().map(f32::from)
}

/// The textures that egui has handed over.
#[derive(Default)]
pub(super) struct Textures(Vec<Texture>);

impl Textures {
    /// Takes over what has changed in a frame.
    pub fn update(&mut self, delta: &TexturesDelta) {
        for (id, change) in &delta.set {
            let pixels: Vec<Rgba> = match &change.image {
                ImageData::Color(image) => image.pixels.iter().copied().map(rgba).collect(),
                ImageData::Font(image) => image.srgba_pixels(None).map(rgba).collect(),
            };
            let size = change.image.size();
            let Some([left, top]) = change.pos else {
                self.0.retain(|texture| texture.id != *id);
                self.0.push(Texture { id: *id, size, pixels });
                continue;
            };
            let Some(whole) = self.0.iter_mut().find(|texture| texture.id == *id) else { continue };
            for (row, line) in pixels.chunks(size[0]).enumerate() {
                let from = (top + row) * whole.size[0] + left;
                whole.pixels[from..from + line.len()].copy_from_slice(line);
            }
        }
    }
}

/// A picture that is drawn.
pub(super) struct Raster {
    /// Width and height, px.
    size: [usize; 2],
    /// Pixels of a point.
    scale: f32,
    pixels: Vec<[f32; 3]>,
}

impl Raster {
    /// An empty picture.
    pub fn new(size: [usize; 2], scale: f32, background: Color32) -> Self {
        let [red, green, blue, _] = rgba(background);
        Self { size, scale, pixels: vec![[red, green, blue]; size[0] * size[1]] }
    }

    /// Draws what egui has cut into triangles, in order.
    pub fn draw(&mut self, primitives: &[ClippedPrimitive], textures: &Textures) {
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            // The program paints nothing by callbacks.
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some(texture) = textures.0.iter().find(|texture| texture.id == mesh.texture_id) else {
                continue;
            };
            let pixel = |at: f32, most: usize| (at * self.scale).round().clamp(0.0, most as f32) as usize;
            let [width, height] = self.size;
            let columns = [pixel(clip_rect.min.x, width), pixel(clip_rect.max.x, width)];
            let rows = [pixel(clip_rect.min.y, height), pixel(clip_rect.max.y, height)];
            self.mesh(mesh, texture, columns, rows);
        }
    }

    fn mesh(&mut self, mesh: &Mesh, texture: &Texture, columns: [usize; 2], rows: [usize; 2]) {
        for corners in mesh.indices.chunks_exact(3) {
            let corner = |place: usize| mesh.vertices.get(corners[place] as usize);
            if let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) {
                self.triangle([a, b, c], texture, columns, rows);
            }
        }
    }

    /// A triangle: each pixel whose middle lies in it. Of two triangles with a common edge one has the middles on it.
    fn triangle(
        &mut self,
        corners: [&Vertex; 3],
        texture: &Texture,
        columns: [usize; 2],
        rows: [usize; 2],
    ) {
        let [a, mut b, mut c] = corners;
        let at = |vertex: &Vertex| [vertex.pos.x, vertex.pos.y].map(|x| f64::from(x * self.scale));
        let cross = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2], [x, y]: [f64; 2]| {
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        };
        let mut area = cross(at(a), at(b), at(c));
        if area < 0.0 {
            (b, c, area) = (c, b, -area);
        }
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let ends = [at(a), at(b), at(c)];
        let within = |axis: usize, [from, to]: [usize; 2]| {
            let low = ends.iter().map(|end| end[axis]).fold(f64::INFINITY, f64::min);
            let high = ends.iter().map(|end| end[axis]).fold(f64::NEG_INFINITY, f64::max);
            let from = (low - 0.5).ceil().max(from as f64) as usize;
            from..((high + 0.5).floor().clamp(0.0, to as f64) as usize).max(from)
        };
        let (across, down) = (within(0, columns), within(1, rows));
        let edges = [(ends[1], ends[2]), (ends[2], ends[0]), (ends[0], ends[1])];
        let counts = |share: f64, (from, to): ([f64; 2], [f64; 2])| {
            share > 0.0 || share == 0.0 && (from[1] == to[1] && to[0] > from[0] || to[1] < from[1])
        };
        let colors = [a, b, c].map(|vertex| rgba(vertex.color));
        for row in down {
            for column in across.clone() {
                let middle = [column as f64 + 0.5, row as f64 + 0.5];
                let shares = edges.map(|(from, to)| cross(from, to, middle));
                if !shares.iter().zip(edges).all(|(share, edge)| counts(*share, edge)) {
                    continue;
                }
                let [u, v, w] = shares.map(|share| (share / area) as f32);
                let color: Rgba =
                    std::array::from_fn(|i| u * colors[0][i] + v * colors[1][i] + w * colors[2][i]);
                let uv = a.uv.to_vec2() * u + b.uv.to_vec2() * v + c.uv.to_vec2() * w;
                let texel = texture.at(uv.to_pos2());
                let opacity = color[3] * texel[3] / (255.0 * 255.0);
                let pixel = &mut self.pixels[row * self.size[0] + column];
                for (i, own) in pixel.iter_mut().enumerate() {
                    *own = color[i] * texel[i] / 255.0 + (1.0 - opacity) * *own;
                }
            }
        }
    }

    /// Red, green and blue of each pixel, from the top left on.
    pub fn bytes(&self) -> Vec<u8> {
        self.pixels.iter().flatten().map(|value| value.round().clamp(0.0, 255.0) as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{Rect, pos2};

    /// Two triangles with a common edge cover each pixel of their square once, also where its middle lies on the edge:
    /// what is half transparent is nowhere darker.
    #[test]
    fn neighbours_cover_each_pixel_once() {
        let texture = Texture { id: TextureId::default(), size: [1, 1], pixels: vec![[255.0; 4]] };
        let textures = Textures(vec![texture]);
        let half = Color32::from_rgba_premultiplied(0, 0, 0, 128);
        for corners in [[0, 1, 2, 0, 2, 3], [1, 0, 2, 0, 3, 2]] {
            let mut mesh = Mesh::default();
            for (x, y) in [(1.0, 1.0), (5.0, 1.0), (5.0, 5.0), (1.0, 5.0)] {
                mesh.colored_vertex(pos2(x, y), half);
            }
            mesh.indices = corners.to_vec();
            let clip_rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(4.0, 6.0));
            let mut raster = Raster::new([6, 6], 1.0, Color32::WHITE);
            raster.draw(&[ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }], &textures);
            for (place, value) in raster.bytes().chunks(3).enumerate() {
                let (x, y) = (place % 6, place / 6);
                let inside = (1..4).contains(&x) && (1..5).contains(&y);
                assert_eq!(value[0], if inside { 127 } else { 255 }, "{x}, {y}");
            }
        }
    }
}
