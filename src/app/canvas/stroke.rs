//! Shapes that egui lacks: hatching of an outline, zigzags, arrows, outlines clipped by a line.

use egui_macroquad::egui::{Painter, Pos2, Shape, Stroke, Vec2};

/// Width of the outlines of bodies, points.
pub const OUTLINE: f32 = 1.4;
/// Distance between hatching lines, points.
const HATCH: f32 = 7.0;
/// Largest number of hatching lines; an outline that needs more is hatched in part.
const MOST_LINES: usize = 400;

/// Segments at 45° that fill a closed outline: even–odd along each line x + y = c.
pub fn hatching(outline: &[Pos2], seen: egui_macroquad::egui::Rect) -> Vec<[Pos2; 2]> {
    let level = |p: &Pos2| p.x + p.y;
    let low = outline.iter().map(level).fold(f32::INFINITY, f32::min).max(seen.min.x + seen.min.y);
    let high = outline.iter().map(level).fold(f32::NEG_INFINITY, f32::max).min(seen.max.x + seen.max.y);
    let mut segments = Vec::new();
    let mut c = (low / HATCH).ceil() * HATCH;
    let mut lines = 0;
    while c < high && lines < MOST_LINES {
        let mut hits: Vec<Pos2> = outline
            .iter()
            .zip(outline.iter().cycle().skip(1))
            .filter(|(a, b)| (level(a) > c) != (level(b) > c))
            .map(|(a, b)| a.lerp(*b, (c - level(a)) / (level(b) - level(a))))
            .collect();
        hits.sort_by(|a, b| a.x.total_cmp(&b.x));
        segments.extend(hits.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
        c += HATCH;
        lines += 1;
    }
    segments
}

/// A zigzag from `a` to `b`, `width` points wide, with straight ends.
pub fn zigzag(a: Pos2, b: Pos2, width: f32) -> Vec<Pos2> {
    const TEETH: usize = 10;
    let along = b - a;
    let across = along.normalized().rot90() * (0.5 * width);
    let mut points = vec![a, a.lerp(b, 0.15)];
    for i in 0..TEETH {
        let share = 0.15 + 0.7 * (i as f32 + 0.5) / TEETH as f32;
        let side = if i % 2 == 0 { across } else { -across };
        points.push(a.lerp(b, share) + side);
    }
    points.extend([a.lerp(b, 0.85), b]);
    points
}

/// The corners of a square of half width `half` about `at`, turned so that one side lies along `along`.
pub fn square(at: Pos2, half: f32, along: Vec2) -> Vec<Pos2> {
    let x = along.normalized() * half;
    let y = x.rot90();
    vec![at + x + y, at - x + y, at - x - y, at + x - y]
}

/// The part of a convex outline where `depth`, linear over the plane, is not negative.
pub fn kept(outline: &[Pos2], depth: impl Fn(Pos2) -> f32) -> Vec<Pos2> {
    let mut part = Vec::with_capacity(outline.len() + 1);
    for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let (here, there) = (depth(*a), depth(*b));
        if here >= 0.0 {
            part.push(*a);
        }
        if (here < 0.0) != (there < 0.0) {
            part.push(a.lerp(*b, here / (here - there)));
        }
    }
    part
}

/// An arrow with a small head of fixed size.
pub fn arrow(painter: &Painter, from: Pos2, tip: Vec2, stroke: Stroke) {
    let head = tip.normalized() * tip.length().min(6.0);
    let side = head.rot90() * 0.5;
    let to = from + tip;
    painter.line_segment([from, to - head * 0.5], stroke);
    let triangle = vec![to, to - head + side, to - head - side];
    painter.add(Shape::convex_polygon(triangle, stroke.color, Stroke::NONE));
}
