//! How long the arrows of forces are, and which of them are drawn where there are many.
//!
//! The scene's typical force, the 90th percentile, is as long as a body; longer arrows are cut off at one and a half
//! bodies. Above a hundred arrows only the largest of each cell of the screen is drawn, so that the bodies are seen.

use super::Picture;
use crate::model::{Body, World};
use crate::workbench::stage::outline;
use egui_macroquad::egui::{Pos2, Vec2, vec2};
use glam::DVec2;

/// Length of the typical force's arrow, points: as long as a body, but within these bounds.
const LENGTHS: [f32; 2] = [5.0, 60.0];
/// Longest arrow, in arrows of the typical force.
const LONGEST: f32 = 1.5;
/// Longer than any screen, points.
const SCREEN: f32 = 1e4;
/// Largest number of arrows that are all drawn.
const MOST: usize = 100;
/// Smallest cell of which one arrow is drawn, points; larger cells grow by this factor.
const CELL: f32 = 16.0;
const LARGER: f32 = 1.5;

/// The scale of arrows.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// Points per N.
    per_newton: f64,
    /// Longest arrow, points.
    longest: f32,
}

impl Scale {
    /// Arrows of the length of a body, of that size in points, for the typical force, N, times the user's factor.
    pub fn new(typical: f64, size: f32, factor: f64) -> Self {
        let [least, most] = LENGTHS;
        let length = size.clamp(least, most);
        let per_newton = if typical > 0.0 { factor * f64::from(length) / typical } else { 0.0 };
        Self { per_newton, longest: LONGEST * length * factor.max(1.0) as f32 }
    }

    /// Arrows of `length` points for the force `reference`, N, none of them cut off within the reach of a screen.
    pub fn uncut(reference: f64, length: f32) -> Self {
        let per_newton = if reference > 0.0 { f64::from(length) / reference } else { 0.0 };
        Self { per_newton, longest: SCREEN }
    }

    /// The arrow of a force, and the factor by which it was cut.
    pub fn arrow(&self, force: DVec2) -> (Vec2, f32) {
        let tip = self.per_newton * force;
        let cut = (f64::from(self.longest) / tip.length()).min(1.0);
        let tip = cut * tip;
        (vec2(tip.x as f32, -tip.y as f32), cut as f32)
    }

    /// Points of a force along an arrow that was cut by `cut`.
    pub fn length(&self, force: f64, cut: f32) -> f32 {
        (self.per_newton * force) as f32 * cut
    }

    /// The force that an arrow of `length` points stands for, N; none while no force is known.
    pub fn force(&self, length: f32) -> Option<f64> {
        (self.per_newton > 0.0).then(|| f64::from(length) / self.per_newton)
    }

    /// Longest arrow, points.
    pub fn longest(&self) -> f32 {
        self.longest
    }
}

/// Size of the largest shape of the median body that moves, m; 0 if none does.
pub(super) fn median_size(world: &World) -> f64 {
    let moving = world.bodies().iter().filter(|body| body.is_dynamic());
    let size = |body: &Body| body.shapes().iter().map(outline::size).fold(0.0, f64::max);
    let mut sizes: Vec<f64> = moving.map(size).collect();
    let middle = sizes.len() / 2;
    if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// Which of the arrows at these points, of these lengths, are drawn: their indices in ascending order.
pub(super) fn thinned(picture: &Picture<'_>, arrows: &[(Pos2, f32)]) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..arrows.len()).collect();
    let mut cell = CELL;
    while chosen.len() > MOST {
        // Cells are fixed in the world, so that a moving view does not choose others.
        let origin = picture.at(DVec2::ZERO);
        let place = |index: usize| {
            let at = (arrows[index].0 - origin) / cell;
            (at.x.floor() as i64, at.y.floor() as i64)
        };
        // By cell, the longest first.
        chosen.sort_by(|a, b| {
            place(*a).cmp(&place(*b)).then(arrows[*b].1.total_cmp(&arrows[*a].1)).then(a.cmp(b))
        });
        chosen.dedup_by_key(|index| place(*index));
        cell *= LARGER;
    }
    chosen.sort_unstable();
    chosen
}
