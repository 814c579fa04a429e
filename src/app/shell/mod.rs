//! The window itself: its start, its loop, keys, time and pictures.

mod clip;
#[cfg(target_os = "linux")]
mod display;
#[cfg(target_os = "linux")]
mod drops;
mod keyboard;
mod memory;
#[cfg(target_os = "linux")]
mod messenger;
mod picture;
mod probe;
mod speaker;
mod title;
#[cfg(target_os = "linux")]
mod uri_list;
// Elsewhere than under X11 nothing of its thread is used.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]
mod waker;

use super::canvas::NOTCH;
use super::frame;
use super::text::fonts;
use crate::app::keys::taken_from_browser;
use crate::app::screen::OnScreen;
use crate::app::theme::Coloured;
use crate::platform::address;
use crate::platform::clock::Instant;
use crate::platform::ending::{CAN_QUIT, ask_before, report_panics};
use crate::platform::files::{Brought, brought};
use crate::platform::store::folder_of_own;
use crate::platform::{keys, screen_keyboard};
use crate::workbench::command::Command;
use crate::workbench::engine::{Notifier, Stepping, panic_text};
use crate::workbench::intent::Intent;
use crate::workbench::model::{Model, Request};
use crate::workbench::options::Options;
use crate::workbench::runs::player::Player;
use anyhow::{anyhow, bail};
use clip::Clip;
use egui_macroquad::egui;
use keyboard::Keyboard;
use macroquad::conf::{Conf, UpdateTrigger};
use macroquad::miniquad;
use macroquad::prelude as mq;
use memory::Memory;
use probe::Probe;
use speaker::Speaker;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;
use title::Title;
use waker::{Next, Waker};

/// Words in the address of the page: for the embedded window, and for the light theme.
const EMBED: &str = "embed";
const LIGHT: &str = "light";
/// Class of the window under X11.
const CLASS: &str = "driftlab";
/// Size of the window at the start, points.
const SIZE: [i32; 2] = [1280, 800];
/// Samples per pixel. All shapes are drawn by egui, which smooths their edges itself; several samples look the same and take a
/// software rasteriser twice the time.
const SAMPLES: i32 = 1;
/// Largest batch that the u16 indices of the renderer allow, in vertices and indices.
const BATCH: [usize; 2] = [60_000, 120_000];
/// Simulated time of a frame when frames are counted, s.
const COUNTED_FRAME: f64 = 1.0 / 60.0;
/// Shortest frame, if the display does not limit the frame rate.
const SHORTEST_FRAME: Duration = Duration::from_millis(8);
/// Frames drawn after a command even if nothing moves: what it opened takes its size in the first and its place in the second.
const FRAMES_AFTER_COMMAND: u32 = 3;
/// Frames after a command while the file dialog is open: it reads its folder in another thread.
const FRAMES_OF_DIALOG: u32 = 20;
/// Interval of frames while nothing moves but egui has asked for a later repaint (a tooltip).
const WAITING_FRAME: Duration = Duration::from_millis(50);
/// Interval of frames at rest once there was unsaved work: a request to close the window brings no frame of its own.
const GUARDED_FRAME: Duration = Duration::from_millis(1000);
/// Longest wait for a step that is under way: what tells its progress, such as the rate, is drawn at least so often. An
/// input that arrives while a frame is drawn has to wait for it, so that frames without news cost latency.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// One notch of the wheel as reported under X11, in egui's lines.
const LINES_PER_NOTCH: f32 = 1.0 / 90.0;

/// Opens the window and returns when it is closed.
///
/// # Errors
/// No display, no graphics, a scene catalogue that does not load, or a picture that cannot be written.
pub fn run(mut options: Options) -> anyhow::Result<()> {
    require_display()?;
    // Counted frames are reproducible: each makes all of its steps.
    let stepping = if options.frames.is_some() { Stepping::within_frame(None) } else { Stepping::suited() };
    let notifier = stepping.notifier().clone();
    let model = Model::new(None, Player::new(true), stepping);
    let mut model = model.map_err(|problem| anyhow!(problem))?;
    if options.embed || asks_for(EMBED) {
        model.embed();
    }
    model.library.shelf.folder = folder_of_own("scenes");
    if let Some(folder) = folder_of_own("tours") {
        model.add_tours(&folder);
    }
    let mut memory = Memory::new(options.frames.is_none() && !model.layout.embedded);
    options.link = options.link.or_else(address::fragment);
    let remembered = memory.recall(&mut model);
    model.start(remembered.as_ref(), &options);
    model.view.dark &= !asks_for(LIGHT);
    #[cfg(target_os = "linux")]
    let display = display::Display::present();
    #[cfg(target_os = "linux")]
    let (size, scale) =
        display.as_ref().map_or((SIZE, None), |display| (display.window(SIZE), Some(display.scale as f32)));
    #[cfg(not(target_os = "linux"))]
    let (size, scale) = (SIZE, None);
    let outcome = Rc::new(RefCell::new(Ok(())));
    let result = Rc::clone(&outcome);
    let hook = take_hook();
    // macroquad panics if display or driver do not work; its message is replaced by the one-line error below.
    set_hook(Box::new(|_| {}));
    let ended = catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(configuration(size), async move {
            *result.borrow_mut() = run_loop(model, memory, options, scale, notifier).await;
        });
    }));
    set_hook(hook);
    if let Err(payload) = ended {
        let text = panic_text(payload.as_ref());
        bail!("the window could not be opened or drawn ({text}); without a window: driftlab run SCENE");
    }
    outcome.replace(Ok(()))
}

/// Whether the address of the page has that word behind `?`.
fn asks_for(word: &str) -> bool {
    address::query().is_some_and(|query| query.split('&').any(|part| part == word))
}

/// Under X11 a missing display is detected before anything is opened.
fn require_display() -> anyhow::Result<()> {
    let missing = std::env::var_os("DISPLAY").is_none_or(|display| display.is_empty());
    if cfg!(target_os = "linux") && missing {
        bail!(
            "there is no display (DISPLAY is not set); with a display in memory: xvfb-run -a driftlab … --frames N --shot FILE.png; \
             without a window: driftlab run SCENE, or for a recording driftlab judge FILE"
        );
    }
    Ok(())
}

/// The configuration of a window of this size, in pixels under X11, in points elsewhere.
fn configuration([window_width, window_height]: [i32; 2]) -> Conf {
    let everything = UpdateTrigger {
        key_down: true,
        mouse_down: true,
        mouse_up: true,
        mouse_motion: true,
        mouse_wheel: true,
        specific_key: None,
        touch: true,
    };
    Conf {
        miniquad_conf: miniquad::conf::Conf {
            window_title: title::first(),
            window_width,
            window_height,
            high_dpi: true,
            sample_count: SAMPLES,
            platform: miniquad::conf::Platform {
                blocking_event_loop: true,
                linux_wm_class: CLASS,
                ..Default::default()
            },
            ..Default::default()
        },
        update_on: Some(everything),
        draw_call_vertex_capacity: BATCH[0],
        draw_call_index_capacity: BATCH[1],
        ..Default::default()
    }
}

async fn run_loop(
    mut model: Model,
    mut memory: Memory,
    options: Options,
    scale: Option<f32>,
    notifier: Notifier,
) -> anyhow::Result<()> {
    report_panics();
    keys::take(&taken_from_browser());
    egui_macroquad::cfg(|ctx| {
        fonts::install(ctx);
        if cfg!(target_os = "linux") {
            ctx.options_mut(|options| options.line_scroll_speed = NOTCH / LINES_PER_NOTCH);
        }
    });
    let waker = Waker::for_window(CLASS, &notifier);
    let mut title = Title::of(CLASS);
    let mut guarded = false;
    let mut keyboard = Keyboard::new();
    #[cfg(target_os = "linux")]
    let drops = drops::Drops::onto(CLASS);
    let mut probe = Probe::asked_for();
    let mut speaker = Speaker::default();
    let mut clip = None;
    let mut last = Instant::now();
    let mut frames = 0;
    let mut settling_frames = 0_u32;
    loop {
        let start = Instant::now();
        let elapsed = start - last;
        last = start;
        // What was finished until now is taken in by this frame.
        waker.frame_begins();
        #[cfg(target_os = "linux")]
        let dropped = drops.take();
        #[cfg(not(target_os = "linux"))]
        let dropped = Vec::new();
        if receive(&mut model, &mut keyboard, dropped) {
            settling_frames =
                if model.files.file_action.is_some() { FRAMES_OF_DIALOG } else { FRAMES_AFTER_COMMAND };
        }
        model.advance(if options.frames.is_some() { COUNTED_FRAME } else { elapsed.as_secs_f64() });
        let scale = model.layout.magnification() * scale.unwrap_or_else(mq::screen_dpi_scale);
        let repaint = picture_of(&mut model, &keyboard, scale);
        frames += 1;
        title.set(&model.window_title());
        let unsaved = model.is_unsaved();
        if unsaved && !guarded {
            // From now on a request to close the window is a command, which may ask first.
            mq::prevent_quit();
            guarded = true;
        }
        ask_before(unsaved);
        memory.keep(&mut model);
        film(&mut model, &mut clip, scale);
        if serve(&mut model, &mut memory) {
            memory.close(&mut model);
            return Ok(());
        }
        screen_keyboard::show(wants_keyboard());
        speaker.tell(&model);
        if let Some(probe) = &mut probe {
            probe.tell(&model);
        }
        if options.frames.is_some_and(|count| frames >= count) {
            return match options.shot {
                Some(path) => picture::write(&path),
                None => Ok(()),
            };
        }
        let counted = options.frames.is_some();
        let settling = settling_frames > 0;
        settling_frames = settling_frames.saturating_sub(1);
        let at_once = counted
            || model.runs.player.playing
            || model.is_busy()
            || clip.is_some()
            || settling
            || repaint == Some(Duration::ZERO);
        let earliest = start + SHORTEST_FRAME;
        waker.frame_ends(if counted {
            Next::AtOnce
        } else if at_once {
            let still = !settling && repaint != Some(Duration::ZERO);
            // Until the step is finished or a person acts, the picture stays the same.
            let latest = Instant::now() + repaint.unwrap_or(LONGEST_WAIT);
            if still && model.awaits() { Next::News { earliest, latest } } else { Next::At(earliest) }
        } else {
            let idle = if guarded { Next::At(Instant::now() + GUARDED_FRAME) } else { Next::Input };
            repaint.map_or(idle, |delay| Next::At(Instant::now() + delay.min(WAITING_FRAME)))
        });
        mq::next_frame().await;
    }
}

/// Handles new keys, `dropped` files, with those that the platform tells of itself, and a link that was followed;
/// returns whether there were any.
fn receive(model: &mut Model, keyboard: &mut Keyboard, dropped: Vec<PathBuf>) -> bool {
    let typing = wants_keyboard();
    let mut acted = false;
    for command in keyboard.read(typing, model.switching_keys()) {
        model.apply(command);
        acted = true;
    }
    if mq::is_quit_requested() {
        acted = true;
        model.apply(Command::Quit);
    }
    for path in dropped {
        acted = true;
        model.apply(Intent::OpenPath(path));
    }
    for file in mq::get_dropped_files() {
        acted = true;
        match (file.path, file.bytes) {
            (Some(path), _) => model.apply(Intent::OpenPath(path)),
            (None, Some(bytes)) => model.open_brought(Brought { name: "dropped file".to_owned(), bytes }),
            (None, None) => {}
        }
    }
    while let Some(file) = brought() {
        acted = true;
        model.open_brought(file);
    }
    if let Some(link) = address::followed() {
        acted = true;
        model.apply(Intent::OpenLink(link));
    }
    acted
}

fn wants_keyboard() -> bool {
    let mut typing = false;
    egui_macroquad::cfg(|ctx| typing = ctx.wants_keyboard_input());
    typing
}

/// Draws a frame; returns after which time egui wants the next one, if it does.
fn picture_of(model: &mut Model, keyboard: &Keyboard, scale: f32) -> Option<Duration> {
    let background = model.view.palette().background;
    mq::clear_background(mq::Color::from_rgba(background.r(), background.g(), background.b(), 255));
    egui_macroquad::cfg(|ctx| ctx.set_pixels_per_point(scale));
    egui_macroquad::ui(|ctx| {
        keyboard.repair(ctx);
        frame::show(ctx, model);
    });
    egui_macroquad::draw();
    let mut delay = None;
    egui_macroquad::cfg(|ctx| delay = next_frame_in(ctx));
    delay
}

fn next_frame_in(ctx: &egui::Context) -> Option<Duration> {
    if !ctx.has_requested_repaint() {
        return None;
    }
    // Without a delay egui is animating; with one, it waits for a later moment.
    Some(if ctx.requested_repaint_last_pass() { Duration::ZERO } else { WAITING_FRAME })
}

/// Begins, goes on with or ends the clip; `scale` is the number of pixels per point.
fn film(model: &mut Model, clip: &mut Option<Clip>, scale: f32) {
    if model.layout.clipping && clip.is_none() {
        // This frame still shows the menu from which it was begun.
        *clip = Some(Clip::begin());
        return;
    }
    let Some(running) = clip else { return };
    if !model.layout.clipping && running.is_taking() {
        running.end();
    }
    // The canvas, and all that stands below it.
    let stage = model.canvas().with_max_y(f32::INFINITY);
    let (text, is_over) = running.go_on(stage * scale);
    model.layout.clipping = running.is_taking();
    if let Some(text) = text {
        model.say(text);
    }
    if is_over {
        *clip = None;
    }
}

/// Carries out requests to the window itself; returns whether to close it.
fn serve(model: &mut Model, memory: &mut Memory) -> bool {
    let mut quit = false;
    for request in std::mem::take(&mut model.news.requests) {
        match request {
            Request::Screenshot => match picture::write_next() {
                Ok(path) => model.say(format!("Picture written to {}", path.display())),
                Err(error) => model.say(format!("No picture: {error:#}")),
            },
            Request::Copy(text) => address::copy(&text),
            Request::FullScreen(fill) => mq::set_fullscreen(fill),
            Request::LostSettled => memory.settle_lost(model),
            Request::Quit => quit = CAN_QUIT,
        }
    }
    quit
}
