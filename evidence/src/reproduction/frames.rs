//! Pictures of bodies: their outlines at some times in a panel each, or at all times in one.

use super::Figure;
use super::outline::{Outline, outlines};
use super::recording::{RecordedStep, Recording, Runs};
use crate::document::{Document, FigureError};
use driftlab::experiment::label;
use driftlab::figure;
use driftlab::figure::canvas::{self, FONT, PlotError, failed};
use driftlab::figure::color;
use driftlab::model::World;
use driftlab::numbers::shortest;
use glam::DVec2;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width of the picture, of the margin about each panel, and height of the titles, px.
const WIDTH: u32 = 1440;
const MARGIN: f64 = 14.0;
const TITLE: u32 = 44;
const CAPTION: f64 = 26.0;
/// Largest number of panels side by side, in general, and for views wider than so many times their height.
const COLUMNS: usize = 4;
const WIDE: (f64, usize) = (2.5, 2);
/// Share of the view that stays free about the bodies.
const FREE: f64 = 0.04;
/// A picture is at most this many times as high as wide, and at least the inverse, per panel.
const ASPECT: [f64; 2] = [0.25, 1.3];
/// The trail's oldest outline, between white (0) and its colour (1).
const OLDEST: f64 = 0.18;

/// What a panel shows: the rows in order, the last one in full colour.
struct Panel<'r> {
    caption: String,
    rows: Vec<&'r RecordedStep>,
}

impl<'r> Panel<'r> {
    /// One moment.
    fn of(row: &'r RecordedStep) -> Self {
        Self { caption: format!("t = {:.2} s", row.time), rows: vec![row] }
    }
}

/// The outlines at the given times, s, a panel each.
pub(crate) fn panels(
    figure: &Figure,
    runs: &mut Runs<'_>,
    stabilizer: &str,
    times: &[f64],
) -> Result<Vec<Document>, FigureError> {
    let (world, h) = (runs.scene.world.clone(), runs.time_step());
    let scheme = runs.scheme(stabilizer)?;
    let run = runs.of(&scheme, h);
    let rows = times.iter().filter_map(|time| run.rows.iter().find(|row| row.time > time - 0.5 * h));
    let panels: Vec<Panel<'_>> = rows.map(Panel::of).collect();
    finish(figure, &world, run, &panels)
}

/// The outlines every so often, s, over each other.
pub(crate) fn trail(
    figure: &Figure,
    runs: &mut Runs<'_>,
    stabilizer: &str,
    every: f64,
) -> Result<Vec<Document>, FigureError> {
    let (world, h) = (runs.scene.world.clone(), runs.time_step());
    let scheme = runs.scheme(stabilizer)?;
    let stride = (every / h).round().max(1.0) as usize;
    let run = runs.of(&scheme, h);
    let rows: Vec<&RecordedStep> = run.rows.iter().step_by(stride).collect();
    let end = rows.last().map_or(0.0, |row| row.time);
    let caption = format!("{}, every {} s to t = {end:.2} s", label(&run.stabilizer), shortest(every));
    finish(figure, &world, run, &[Panel { caption, rows }])
}

fn finish(
    figure: &Figure,
    world: &World,
    run: &Recording,
    panels: &[Panel<'_>],
) -> Result<Vec<Document>, FigureError> {
    let view = View::about(world, panels);
    let most = if view.size.x > WIDE.0 * view.size.y { WIDE.1 } else { COLUMNS };
    // Ten are two rows of five.
    let most = if panels.len().is_multiple_of(most + 1) && most == COLUMNS { most + 1 } else { most };
    let columns = panels.len().clamp(1, most);
    let lines = panels.len().div_ceil(columns).max(1);
    let width = f64::from(WIDTH) / columns as f64;
    let inner = width - 2.0 * MARGIN;
    let height = inner * (view.size.y / view.size.x).clamp(ASPECT[0], ASPECT[1]) + CAPTION + 2.0 * MARGIN;
    let size = (WIDTH, TITLE + (height * lines as f64).ceil() as u32);
    let place = |index: usize| {
        let corner = DVec2::new(
            (index % columns) as f64 * width,
            f64::from(TITLE) + (index / columns) as f64 * height,
        );
        PanelArea { corner, size: DVec2::new(width, height) }
    };
    let picture = Picture { title: figure.title, world, view, panels, place: &place };
    let svg = canvas::svg(size, 1, |area| picture.draw(&area))?;
    let png = canvas::png(size, |area| picture.draw(&area))?;
    let named = |end: &str, bytes| Document { name: format!("{}.{end}", figure.id), bytes };
    Ok(vec![named("csv", csv(world, run, panels).into_bytes()), named("svg", svg), named("png", png)])
}

fn csv(world: &World, run: &Recording, panels: &[Panel<'_>]) -> String {
    let mut rows = vec![["stabilizer", "time", "body", "x", "y", "angle"].map(str::to_owned).to_vec()];
    let scheme = label(&run.stabilizer);
    for row in panels.iter().flat_map(|panel| &panel.rows) {
        for (body, pose) in world.bodies().iter().zip(&row.poses) {
            let [x, y, angle] = pose.to_array().map(shortest);
            rows.push(vec![scheme.clone(), shortest(row.time), body.name.clone(), x, y, angle]);
        }
    }
    figure::csv(rows)
}

/// The part of the world that all panels show.
struct View {
    center: DVec2,
    size: DVec2,
}

impl View {
    /// A view around the outlines of all bounded bodies, so that every panel shows the same region.
    fn about(world: &World, panels: &[Panel<'_>]) -> Self {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for row in panels.iter().flat_map(|panel| &panel.rows) {
            for (body, pose) in world.bodies().iter().zip(&row.poses) {
                for outline in outlines(body, *pose) {
                    let Outline::Line(points) = outline else { continue };
                    for point in points {
                        (low, high) = (low.min(point), high.max(point));
                    }
                }
            }
        }
        if !(low.is_finite() && high.is_finite()) {
            (low, high) = (DVec2::NEG_ONE, DVec2::ONE);
        }
        let free = FREE * (high - low).max_element();
        Self { center: 0.5 * (low + high), size: high - low + 2.0 * DVec2::splat(free) }
    }
}

/// The position of a panel, px.
struct PanelArea {
    corner: DVec2,
    size: DVec2,
}

struct Picture<'p> {
    title: &'p str,
    world: &'p World,
    view: View,
    panels: &'p [Panel<'p>],
    place: &'p dyn Fn(usize) -> PanelArea,
}

impl Picture<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(failed)?;
        area.draw_text(self.title, &(FONT, 22).into(), (MARGIN as i32, 10)).map_err(failed)?;
        for (index, panel) in self.panels.iter().enumerate() {
            self.draw_panel(area, panel, &(self.place)(index))?;
        }
        area.present().map_err(failed)
    }

    fn draw_panel<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        panel: &Panel<'_>,
        place: &PanelArea,
    ) -> Result<(), PlotError> {
        let room = place.size - DVec2::new(2.0 * MARGIN, 2.0 * MARGIN + CAPTION);
        let scale = (room / self.view.size).min_element();
        let middle = place.corner + DVec2::new(MARGIN, MARGIN + CAPTION) + 0.5 * room;
        let pixel = |point: DVec2| {
            let p = middle + (point - self.view.center) * scale * DVec2::new(1.0, -1.0);
            (p.x.round() as i32, p.y.round() as i32)
        };
        let corner = (place.corner + DVec2::splat(MARGIN)).as_ivec2();
        area.draw_text(&panel.caption, &(FONT, 17).into(), (corner.x, corner.y)).map_err(failed)?;
        let count = panel.rows.len();
        for (index, row) in panel.rows.iter().enumerate() {
            let age = OLDEST + (1.0 - OLDEST) * (index + 1) as f64 / count as f64;
            for (number, (body, pose)) in self.world.bodies().iter().zip(&row.poses).enumerate() {
                let [red, green, blue] = if body.is_dynamic() { color(number) } else { [0, 0, 0] };
                let color = RGBColor(red, green, blue);
                let width = if index + 1 == count { 2 } else { 1 };
                let style = color.mix(if body.is_dynamic() { age } else { 1.0 }).stroke_width(width);
                for outline in outlines(body, *pose) {
                    let points = self.clipped(outline);
                    let line: Vec<(i32, i32)> = points.into_iter().map(pixel).collect();
                    area.draw(&PathElement::new(line, style)).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// The part of an unbounded line that crosses the view; any other line unchanged.
    fn clipped(&self, outline: Outline) -> Vec<DVec2> {
        let (point, normal) = match outline {
            Outline::Line(points) => return points,
            Outline::Endless(point, normal) => (point, normal),
        };
        let (half, along) = (0.5 * self.view.size, normal.perp());
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..2 {
            let (start, slope) = (point[axis] - self.view.center[axis], along[axis]);
            if slope.abs() < f64::EPSILON {
                if start.abs() > half[axis] {
                    return Vec::new();
                }
                continue;
            }
            let ends = [(-half[axis] - start) / slope, (half[axis] - start) / slope];
            from = from.max(ends[0].min(ends[1]));
            to = to.min(ends[0].max(ends[1]));
        }
        if from < to { vec![point + from * along, point + to * along] } else { Vec::new() }
    }
}
