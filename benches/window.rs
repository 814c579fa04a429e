//! The window's own work per frame: laying out and painting panels, canvas and plots (`lay_out`), and turning them into triangles
//! (`tessellate`). Steps are not part of it, since the engine makes them in threads of their own, nor is what the
//! graphics card or a software rasteriser does with the triangles. And the time that the stability map needs for its
//! first picture (`map`).
//!
//!     cargo bench --bench window

use divan::{Bencher, black_box};
use driftlab::app::frame;
use driftlab::app::text::fonts;
use driftlab::method::Stabilizer;
use driftlab::scene::catalogue;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::map::StabilityMap;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::view_state::arrangement::Arrangement;
use egui_macroquad::egui::{Context, FullOutput, Pos2, RawInput, Rect, vec2};
use std::time::{Duration, Instant};

/// Size of the window, points.
const SIZE: [f32; 2] = [1280.0, 800.0];
/// Simulated seconds before a frame is measured: as many as the plot shows.
const PLAYED: f64 = 5.0;
/// Real time that this may take.
const LONGEST: Duration = Duration::from_secs(10);
/// Length of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

/// What is shown: a scene, the number of runs beside the main one, and how they are arranged.
const SHOWN: [(&str, usize, Arrangement); 9] = [
    ("six-link-chain", 0, Arrangement::Overlay),
    ("six-link-chain", 5, Arrangement::Overlay),
    ("six-link-chain", 5, Arrangement::Panes),
    ("card-house", 0, Arrangement::Overlay),
    ("card-house", 5, Arrangement::Overlay),
    ("card-house", 5, Arrangement::Panes),
    ("pyramid-10", 0, Arrangement::Overlay),
    ("rush", 0, Arrangement::Overlay),
    ("confined", 0, Arrangement::Overlay),
];

fn main() {
    divan::main();
}

struct Window {
    ctx: Context,
    model: Model,
}

impl Window {
    fn new((key, forks, arrangement): (&str, usize, Arrangement)) -> Self {
        let entry = catalogue::find(key).expect("a shipped scene");
        let scene = OpenScene { title: key.to_owned(), path: None, text: entry.text.to_owned() };
        let stepping = Stepping::within_frame(None);
        let mut model = Model::new(Some(scene), Player::new(true), stepping).expect("a model");
        // Those that differ in cost and colour: the first ones of the table.
        (0..forks).for_each(|place| model.apply(Intent::Beside(place)));
        model.apply(Intent::Arrange(arrangement));
        let ctx = Context::default();
        let mut window = Self { ctx, model };
        let _first = window.ctx.run(RawInput::default(), fonts::install);
        window.lay_out();
        let start = Instant::now();
        for _ in 0..(PLAYED / FRAME) as usize {
            window.model.advance(FRAME);
            // Hard scenes are measured earlier in their motion.
            if start.elapsed() > LONGEST {
                break;
            }
        }
        // The last frames settle the sizes of the panels and the ranges of the plots.
        (0..30).for_each(|_| drop(window.lay_out()));
        window
    }

    fn lay_out(&mut self) -> FullOutput {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(SIZE[0], SIZE[1])));
        let input = RawInput { screen_rect, predicted_dt: FRAME as f32, ..RawInput::default() };
        let model = &mut self.model;
        self.ctx.run(input, |ctx| frame::show(ctx, model))
    }
}

#[divan::bench(args = SHOWN, sample_count = 50)]
fn lay_out(bencher: Bencher, shown: (&str, usize, Arrangement)) {
    let mut window = Window::new(shown);
    bencher.bench_local(|| black_box(window.lay_out()));
}

#[divan::bench(args = SHOWN, sample_count = 50)]
fn tessellate(bencher: Bencher, shown: (&str, usize, Arrangement)) {
    let mut window = Window::new(shown);
    let output = window.lay_out();
    let ctx = &window.ctx;
    bencher
        .with_inputs(|| output.shapes.clone())
        .bench_local_values(|shapes| black_box(ctx.tessellate(shapes, 1.0)));
}

/// From a change of a parameter to the first picture of the stability map, in the map's own thread.
#[divan::bench(args = ["baumgarte_velocity", "baumgarte_acceleration", "soft"], sample_count = 10)]
fn map(bencher: Bencher, scheme: &str) {
    let mut model = Window::new(("six-link-chain", 0, Arrangement::Overlay)).model;
    let mut values = (0..).map(|i| 5.0 + f64::from(i));
    bencher.bench_local(|| {
        let mut stabilizer = Stabilizer::by_key(scheme).expect("a scheme");
        let key = if scheme == "soft" { "hertz" } else { "alpha" };
        stabilizer.values.set(key, values.next().expect("a value")).expect("a parameter");
        model.apply(Setting::Stabilizer(stabilizer));
        let mut map = StabilityMap::new(&Stepping::threaded());
        let run = model.run();
        map.follow(run.world(), run.method(), run.time_step(), true, true);
        while map.field().is_none() {
            std::thread::sleep(Duration::from_millis(1));
            map.collect();
        }
        black_box(map);
    });
}
