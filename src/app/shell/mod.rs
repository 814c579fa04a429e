//! The window itself: its start, its loop, keys, time and pictures.

mod keyboard;
mod picture;

use super::canvas::NOTCH;
use super::model::{Model, Request};
use super::options::{OpenScene, Options};
use super::simulation::STEPPING_BUDGET;
use super::{fonts, panels};
use anyhow::{anyhow, bail};
use egui_macroquad::egui;
use keyboard::Keyboard;
use macroquad::conf::{Conf, UpdateTrigger};
use macroquad::miniquad;
use macroquad::prelude as mq;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Size of the window at the start, points.
const SIZE: [i32; 2] = [1280, 800];
/// Samples per pixel.
const SAMPLES: i32 = 4;
/// Largest batch that the u16 indices of the renderer allow, in vertices and indices.
const BATCH: [usize; 2] = [60_000, 120_000];
/// Simulated time of a frame when frames are counted, s.
const COUNTED_FRAME: f64 = 1.0 / 60.0;
/// Shortest frame, where the display does not hold the rate: more pictures nobody sees.
const SHORTEST_FRAME: Duration = Duration::from_millis(8);
/// Frames drawn after any input. Events that arrive while a frame is drawn wait in Xlib's own queue, where a loop
/// that blocks on the connection does not see them: a quick Ctrl+O would come with the next movement of the mouse.
const FRAMES_AFTER_INPUT: u32 = 2;
/// Frames drawn after a command even if nothing moves: a dialog that it opened lays itself out and reads its
/// folder in another thread.
const FRAMES_AFTER_COMMAND: u32 = 20;
/// While nothing moves but egui waits for a moment to come (a tooltip), it is looked after this often.
const WAITING_FRAME: Duration = Duration::from_millis(50);
/// What a notch of the wheel arrives as under X11, in egui's lines.
const LINES_PER_NOTCH: f32 = 1.0 / 90.0;

/// Opens the window and returns when it is closed.
///
/// # Errors
/// No display, no graphics, a scene catalogue that does not load, or a picture that cannot be written.
pub fn run(options: Options) -> anyhow::Result<()> {
    require_display()?;
    let model = Model::new(options.scene.clone(), !options.paused).map_err(|problem| anyhow!(problem))?;
    let outcome = Rc::new(RefCell::new(Ok(())));
    let result = Rc::clone(&outcome);
    let hook = take_hook();
    // The stack below reports a display or driver that does not work by a panic: one line is enough, and it is
    // said below.
    set_hook(Box::new(|_| {}));
    let ended = catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(configuration(), async move {
            *result.borrow_mut() = run_loop(model, options).await;
        });
    }));
    set_hook(hook);
    if let Err(payload) = ended {
        let text = reason(payload.as_ref());
        bail!("the window could not be opened or drawn ({text}); without a window: driftlab run SCENE");
    }
    outcome.replace(Ok(()))
}

/// What a panic says, in one line.
fn reason(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Under X11 a missing display is known before anything is opened.
fn require_display() -> anyhow::Result<()> {
    let missing = std::env::var_os("DISPLAY").is_none_or(|display| display.is_empty());
    if cfg!(target_os = "linux") && missing {
        bail!("there is no display (DISPLAY is not set); without a window: driftlab run SCENE");
    }
    Ok(())
}

fn configuration() -> Conf {
    let [window_width, window_height] = SIZE;
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
            window_title: "driftlab".to_owned(),
            window_width,
            window_height,
            high_dpi: true,
            sample_count: SAMPLES,
            platform: miniquad::conf::Platform {
                blocking_event_loop: true,
                linux_wm_class: "driftlab",
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

async fn run_loop(mut model: Model, options: Options) -> anyhow::Result<()> {
    egui_macroquad::cfg(|ctx| {
        fonts::install(ctx);
        if cfg!(target_os = "linux") {
            ctx.options_mut(|options| options.line_scroll_speed = NOTCH / LINES_PER_NOTCH);
        }
    });
    let mut keyboard = Keyboard::new();
    let mut last = Instant::now();
    let mut frames = 0;
    let mut restless = 0_u32;
    loop {
        let start = Instant::now();
        let elapsed = start - last;
        last = start;
        if receive(&mut model, &mut keyboard) {
            restless = FRAMES_AFTER_COMMAND;
        } else if keyboard.stirred() {
            restless = restless.max(FRAMES_AFTER_INPUT);
        }
        match options.frames {
            Some(_) => model.simulation.advance(COUNTED_FRAME, None),
            None => model.simulation.advance(elapsed.as_secs_f64(), Some(STEPPING_BUDGET)),
        };
        let repaint = picture_of(&mut model, &keyboard);
        frames += 1;
        if serve(&mut model) {
            return Ok(());
        }
        if options.frames.is_some_and(|count| frames >= count) {
            return match options.shot {
                Some(path) => picture::write(&path),
                None => Ok(()),
            };
        }
        let counted = options.frames.is_some();
        let settling = restless > 0;
        restless = restless.saturating_sub(1);
        if counted || model.simulation.playing || settling || repaint == Some(Duration::ZERO) {
            miniquad::window::schedule_update();
            if !counted {
                std::thread::sleep(SHORTEST_FRAME.saturating_sub(start.elapsed()));
            }
        } else if let Some(delay) = repaint {
            std::thread::sleep(delay.min(WAITING_FRAME));
            miniquad::window::schedule_update();
        }
        mq::next_frame().await;
    }
}

/// Keys and files that have come in; returns whether anything was done about them.
fn receive(model: &mut Model, keyboard: &mut Keyboard) -> bool {
    let typing = wants_keyboard();
    let mut acted = false;
    for command in keyboard.read(typing) {
        model.apply(command);
        acted = true;
    }
    for file in mq::get_dropped_files() {
        acted = true;
        match (file.path, file.bytes) {
            (Some(path), _) => model.open_path(&path),
            (None, Some(bytes)) => model.open(OpenScene {
                title: "dropped file".to_owned(),
                path: None,
                text: String::from_utf8_lossy(&bytes).into_owned(),
            }),
            (None, None) => {}
        }
    }
    acted
}

fn wants_keyboard() -> bool {
    let mut typing = false;
    egui_macroquad::cfg(|ctx| typing = ctx.wants_keyboard_input());
    typing
}

/// Draws a frame; returns after which time egui wants the next one, if it does.
fn picture_of(model: &mut Model, keyboard: &Keyboard) -> Option<Duration> {
    let background = model.view.palette().background;
    mq::clear_background(mq::Color::from_rgba(background.r(), background.g(), background.b(), 255));
    let scale = mq::screen_dpi_scale();
    egui_macroquad::cfg(|ctx| ctx.set_pixels_per_point(scale));
    egui_macroquad::ui(|ctx| {
        keyboard.repair(ctx);
        panels::show(ctx, model);
        keyboard.take_back_focus(ctx);
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
    // Without a delay it is a frame in motion; with one, a moment that egui waits for.
    match ctx.requested_repaint_last_pass() {
        true => Some(Duration::ZERO),
        false => Some(WAITING_FRAME),
    }
}

/// Does what only the window can do; returns whether it is to be closed.
fn serve(model: &mut Model) -> bool {
    let mut quit = false;
    for request in std::mem::take(&mut model.requests) {
        match request {
            Request::Screenshot => match picture::write_next() {
                Ok(path) => model.say(format!("Picture written to {}", path.display())),
                Err(error) => model.say(format!("No picture: {error:#}")),
            },
            Request::Quit => quit = true,
        }
    }
    quit
}
