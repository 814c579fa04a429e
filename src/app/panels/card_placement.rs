//! Where a card lies: in the corner of the canvas in which it covers least of the bodies. It stays there as long as the
//! same thing is shown, so that it does not jump while the bodies move. If it covers bodies that have room beside it,
//! the view slides there once.

use crate::app::canvas;
use crate::app::screen::OnScreen;
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::framing;
use egui_macroquad::egui::{Align2, Id, Pos2, Rect, Vec2, vec2};

/// Distance from the canvas's side, from its top, where the badges are, and from its bottom, where the hint is, points.
const INSET: f32 = 14.0;
const TOP: f32 = 48.0;
const BOTTOM: f32 = 44.0;

/// Distance that is left between a card and the bodies beside it, and between these and the canvas's side, points.
const GAP: f32 = 12.0;
/// Time in which the view goes most of its way, s; what remains of it in the end, points.
const SLIDING: f32 = 0.12;
const ARRIVED: f32 = 0.5;

/// What a place was chosen for.
#[derive(Clone, Copy, PartialEq)]
struct Chosen {
    what: Id,
    canvas: Rect,
    corner: usize,
    /// Size of the card for which room was made.
    size: Vec2,
    /// How far the view still has to slide to the right, points.
    way: f32,
}

/// The corner for a card of that size about the thing `what`, and the corner's place.
pub(super) fn corner(
    ctx: &egui_macroquad::egui::Context,
    model: &Model,
    card: Id,
    what: Id,
    size: Vec2,
) -> (Align2, Pos2) {
    let inner = inner(model);
    let id = card.with("corner");
    let before = ctx.data(|data| data.get_temp::<Chosen>(id));
    let kept = before.filter(|chosen| chosen.what == what && chosen.canvas == model.canvas());
    let corners = corners(model);
    let corner = kept.map_or_else(
        || {
            let outlines = outlines(model);
            let covered = |corner: &usize| {
                covered(corners[*corner].anchor_size(corners[*corner].pos_in_rect(&inner), size), &outlines)
            };
            // `min_by` takes the first of equally covered corners.
            (0..corners.len()).min_by(|a, b| covered(a).total_cmp(&covered(b))).unwrap_or(0)
        },
        |chosen| chosen.corner,
    );
    // The size of a card is known once it has been drawn.
    // It grows with the forces of the first step.
    if size != Vec2::ZERO && kept.is_none_or(|chosen| size.y > chosen.size.y) {
        let card = corners[corner].anchor_size(corners[corner].pos_in_rect(&inner), size);
        let way = way(model, card, &outlines(model));
        ctx.data_mut(|data| {
            data.insert_temp(id, Chosen { what, canvas: model.canvas(), corner, size, way })
        });
    }
    (corners[corner], corners[corner].pos_in_rect(&inner))
}

/// The corner for a label of that size that changes while it is shown: the one in which it lies over nothing, neither
/// bodies nor the texts of the canvas nor what is `taken`. It keeps its corner until something comes to lie there and
/// another one is freer.
pub(super) fn clear(
    ctx: &egui_macroquad::egui::Context,
    model: &Model,
    label: Id,
    size: Vec2,
    taken: Option<Rect>,
) -> (Align2, Pos2) {
    let inner = inner(model);
    let (corners, id) = (corners(model), label.with("corner"));
    let covers: Vec<Rect> =
        shown(model).into_iter().chain(canvas::texts(ctx).iter().copied()).chain(taken).collect();
    let cost = |corner: usize| {
        let place = corners[corner].anchor_size(corners[corner].pos_in_rect(&inner), size);
        covered(place, &covers)
    };
    let least = (0..corners.len()).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(0);
    let kept = ctx.data(|data| data.get_temp::<usize>(id)).filter(|kept| cost(*kept) <= cost(least));
    let corner = kept.unwrap_or(least);
    ctx.data_mut(|data| data.insert_temp(id, corner));
    (corners[corner], corners[corner].pos_in_rect(&inner))
}

/// The part of the canvas in which cards lie.
fn inner(model: &Model) -> Rect {
    Rect::from_min_max(model.canvas().min + vec2(INSET, TOP), model.canvas().max - vec2(INSET, BOTTOM))
}

/// The next part of the way by which the view slides to make room for a card, points.
pub(super) fn slide(ctx: &egui_macroquad::egui::Context, card: Id) -> Option<Vec2> {
    let id = card.with("corner");
    let chosen = ctx.data(|data| data.get_temp::<Chosen>(id)).filter(|chosen| chosen.way != 0.0)?;
    let elapsed = ctx.input(|input| input.predicted_dt).min(SLIDING);
    let part = match chosen.way {
        way if way.abs() < ARRIVED => way,
        way => way * (1.0 - (-elapsed / SLIDING).exp()),
    };
    ctx.data_mut(|data| data.insert_temp(id, Chosen { way: chosen.way - part, ..chosen }));
    ctx.request_repaint();
    Some(vec2(part, 0.0))
}

/// How far the view has to slide to the right so that no body lies under the card; 0 where they have no room beside it.
fn way(model: &Model, card: Rect, outlines: &[Rect]) -> f32 {
    let all = outlines.iter().fold(Rect::NOTHING, |all, outline| all.union(*outline));
    if model.panes().len() > 1 || covered(card, outlines) == 0.0 {
        return 0.0;
    }
    let (canvas, leftwards) = (model.canvas(), card.center().x > model.canvas().center().x);
    let way = if leftwards { card.left() - GAP - all.right() } else { card.right() + GAP - all.left() };
    let there = all.translate(vec2(way, 0.0));
    let fits = there.left() >= canvas.left() + GAP && there.right() <= canvas.right() - GAP;
    if fits { way } else { 0.0 }
}

/// The corners, the best guess first: chains hang in the upper half of the picture, other bodies rest in the lower half.
fn corners(model: &Model) -> [Align2; 4] {
    use Align2 as At;
    if framing::has_ground(model.run().world()) {
        [At::RIGHT_TOP, At::LEFT_TOP, At::RIGHT_BOTTOM, At::LEFT_BOTTOM]
    } else {
        [At::RIGHT_BOTTOM, At::LEFT_BOTTOM, At::RIGHT_TOP, At::LEFT_TOP]
    }
}

/// The boxes about the bodies that move, on the screen: of the main run.
fn outlines(model: &Model) -> Vec<Rect> {
    boxes(model, model.run(), model.pane_rect(0))
}

/// As [`outlines`], of all runs in their panes.
fn shown(model: &Model) -> Vec<Rect> {
    let forks = model.comparison().present().map(|fork| fork.run());
    let runs = [model.run()].into_iter().chain(forks).enumerate();
    runs.flat_map(|(index, run)| boxes(model, run, model.pane_rect(index))).collect()
}

fn boxes(model: &Model, run: &LiveRun, pane: Rect) -> Vec<Rect> {
    let world = run.world();
    let moving = (0..world.bodies().len()).filter(|index| world.bodies()[*index].is_dynamic());
    let place = |index: usize| {
        let points = framing::points(world, index).into_iter();
        Rect::from_points(
            &points.map(|point| model.sight.camera.to_screen(pane, point)).collect::<Vec<_>>(),
        )
    };
    moving.map(place).collect()
}

/// Area of the boxes that a card covers, points².
fn covered(card: Rect, outlines: &[Rect]) -> f32 {
    outlines
        .iter()
        .map(|outline| outline.intersect(card))
        .filter(Rect::is_positive)
        .map(|part| part.area())
        .sum()
}
