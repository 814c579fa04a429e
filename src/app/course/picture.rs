//! The pictures of the course: the stage and the plot of a step of a tour, as the window draws them, without a display.

use super::raster::{Raster, Textures};
use crate::app::frame;
use crate::app::text::fonts;
use crate::app::theme::Coloured;
use crate::workbench::command::Command;
use crate::workbench::engine::Stepping;
use crate::workbench::intent::Intent;
use crate::workbench::library::tours::{Shot, TourStep};
use crate::workbench::link::{Link, Stepped};
use crate::workbench::model::Model;
use crate::workbench::runs::history::Channel;
use crate::workbench::runs::player::Player;
use crate::workbench::text::prose::prose;
use crate::workbench::view_state::plot_view::{ENERGIES, PlotView};
use egui_macroquad::egui::{Context, Pos2, RawInput, Rect, Vec2, ViewportId};
use glam::DVec2;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ColorType, ImageEncoder};

/// Width and height, points, and pixels of a point.
const SIZE: [u16; 2] = [800, 340];
const SCALE: f32 = 1.4;
/// Frames that a picture is given until everything is in its place.
const FRAMES: usize = 6;
/// Length of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

/// A picture of the course, not yet drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of its file, in the folder of pictures.
    pub name: String,
    link: Link,
    shot: Shot,
}

impl Picture {
    /// That of a step in the state of `link`, if it has one; `place` are the numbers of chapter and step.
    pub(super) fn of(place: [usize; 2], step: &TourStep, link: &Link) -> Option<Self> {
        let (shot, [chapter, number]) = (step.picture.clone()?, place);
        Some(Self { name: format!("{chapter}-{number}.png"), link: link.clone(), shot })
    }

    /// What is seen.
    pub(super) fn caption(&self) -> String {
        prose(&self.shot.caption)
    }

    /// Draws it; returns the bytes of its file.
    ///
    /// # Errors
    /// See [`png()`].
    pub fn draw(&self) -> Result<Vec<u8>, String> {
        png(&self.link, &self.shot).map_err(|problem| format!("{}: {problem}", self.name))
    }
}

/// The state that a picture shows: a step of a tour with the runs beside it, at a time.
fn state(link: &Link, shot: &Shot) -> Result<Link, String> {
    let beside = shot.beside.iter().map(|text| Stepped::read(text)).collect::<Result<_, _>>()?;
    Ok(Link { beside, t: Some(shot.time), panes: shot.panes, speed: None, playing: None, ..link.clone() })
}

/// A window in that state.
fn window(link: &Link, shot: &Shot) -> Result<Model, String> {
    let mut model = Model::new(None, Player::new(true), Stepping::within_frame(None))
        .map_err(|error| error.to_string())?;
    // Without the panel no stability map is computed.
    model.layout.panel_open = false;
    model.apply(Intent::OpenLink(state(link, shot)?.to_string()));
    if let Some(refusal) = &model.news.refusal {
        return Err(refusal.problems.join("; "));
    }
    while model.is_going_to_a_time() {
        model.advance(FRAME);
        model.settle();
    }
    (model.layout.pictured, model.view.still, model.view.outlines) = (true, true, shot.outlines);
    model.apply(Command::Fit);
    model.view.magnification = shot.magnification.unwrap_or(model.view.magnification);
    model.layout.plot_open = shot.plot.is_some();
    // Kinetic and potential energy cross all other curves.
    let energies = ENERGIES.each_ref().map(|energy| energy.channel == Channel::Total);
    let tab = shot.plot.unwrap_or_default();
    model.apply(Intent::Plot(PlotView { tab, energies, span: None, ..model.shown.plot.clone() }));
    model.news.toast = None;
    // A picture is no window that somebody has paused.
    model.runs.player.playing = true;
    Ok(model)
}

/// Draws the picture of a step that is in the state of `link`; returns the bytes of a PNG file.
///
/// # Errors
/// The state cannot be reached, or the picture cannot be encoded.
pub fn png(link: &Link, shot: &Shot) -> Result<Vec<u8>, String> {
    let mut model = window(link, shot)?;
    let [width, height] = SIZE.map(f32::from);
    let (ctx, mut textures) = (Context::default(), Textures::default());
    fonts::install(&ctx);
    let mut drawn = Vec::new();
    for frame in 0..FRAMES {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(width, height))),
            time: Some(frame as f64),
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(SCALE);
        // In the first frame the view is fitted.
        if let Some([x, y, width]) = shot.view.filter(|_| frame > 0) {
            model.sight.camera.center = DVec2::new(x, y);
            model.sight.camera.scale = f64::from(model.pane(0).size().x) / width;
        }
        let output = ctx.run(input, |ctx| frame::picture(ctx, &mut model));
        textures.update(&output.textures_delta);
        drawn = ctx.tessellate(output.shapes, output.pixels_per_point);
    }
    let size = [width, height].map(|points| (points * SCALE) as usize);
    let mut raster = Raster::new(size, SCALE, model.view.palette().background);
    raster.draw(&drawn, &textures);
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    let [width, height] = size.map(|pixels| pixels as u32);
    encoder
        .write_image(&raster.bytes(), width, height, ColorType::Rgb8)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}
