//! What a scene's window shows: the runs beside, each in its own state, the start to which all go back, the layout, the
//! view and the plots. Read and written as the top-level key `window`. A run without a window does not read it.
//!
//! The keys that a link knows, too, are called as there: `beside`, `panes`, `speed`, `paused`, `slider`.

use super::problems::brief;
use super::reader::Cursor;
use super::write::{number, object, pair};
use super::{Settings, alike, read_whole, settings, world_value};
use crate::model::World;
use crate::peers;
use crate::schemes::TABLE;
use glam::DVec2;
use serde_json::{Value, json};

/// Most runs beside the main one.
pub const MOST_BESIDE: usize = 5;
/// The slider of the time step; every other one is a parameter of a scheme.
const TIME_STEP: &str = "h";
/// How many time steps the runs may be apart: while they are stepped, one of them is ahead.
const APART: f64 = 2.0;

/// What the window shows of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// The start to which the runs go back, where the scene's world is a later state.
    pub start: Option<World>,
    /// The runs beside the main one.
    pub beside: Vec<Beside>,
    /// Whether each run is shown in a pane of its own.
    pub panes: bool,
    /// What the canvas shows, where a person has chosen it.
    pub view: Option<Outlook>,
    /// What is plotted.
    pub plot: Plotted,
    /// What the canvas shows of the world, where that is not the usual.
    pub layers: Option<Layers>,
    /// What is watched, if something is.
    pub watch: Option<Watch>,
    /// Simulated seconds per real second.
    pub speed: Option<f64>,
    /// Whether it waits instead of playing.
    pub paused: bool,
    /// The parameter whose slider is shown where there is room for one alone: its key, or `h`.
    pub slider: Option<String>,
    /// The runs' steps at equal cost, if they are.
    pub equal_cost: Option<Charged>,
    /// Files of the trajectories that are played back beside the runs: names in the scene's folder, or whole paths,
    /// which are not opened unasked.
    pub trajectories: Vec<String>,
}

impl Window {
    /// What it shows that is neither a run nor has a key of its own in links: view, plots, layers and what is watched,
    /// as JSON; none for the usual.
    pub fn view_json(&self) -> Option<String> {
        let Self { view, plot, layers, watch, .. } = self.clone();
        let view = Self { view, plot, layers, watch, ..Self::default() };
        (view != Self::default()).then(|| write(&view).to_string())
    }
}

/// What the canvas shows of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Names from [`LAYERS`].
    pub shown: Vec<&'static str>,
    /// Factor by which gaps and penetrations are drawn larger.
    pub magnify: f64,
    /// Factor by which arrows of impulses are drawn larger.
    pub arrows: f64,
}

/// All that the canvas can show beside the bodies, and that the view goes with them.
pub const LAYERS: [&str; 14] = [
    "grid",
    "joints",
    "contacts",
    "normals",
    "impulses",
    "cones",
    "velocities",
    "centers",
    "joint_forces",
    "boxes",
    "islands",
    "trails",
    "outlines",
    "follow",
];

/// Runs whose time steps were chosen so that a frame of each costs the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Charged {
    /// Length of a frame, s of simulation time.
    pub frame: f64,
    /// Processor time of a frame that all runs come near to, s.
    pub budget: f64,
    /// The time steps before, to which they return, s: of the main run, then of those beside that are no reference, as
    /// far as they were there.
    pub before: Vec<f64>,
}

/// A run beside the main one.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// How it is stepped.
    pub settings: Settings,
    /// Its state, where it differs from the main run's.
    pub world: Option<World>,
    /// Whether the others are measured against it.
    pub reference: bool,
}

/// A part of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Its middle, m.
    pub center: DVec2,
    /// Its width, m.
    pub width: f64,
}

/// What the plots show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plotted {
    /// The tab: one of [`TABS`].
    pub tab: Option<&'static str>,
    /// Names of the quantities in each of [`QUANTITIES`]; none for the usual ones.
    pub quantities: [Option<Vec<&'static str>>; QUANTITIES.len()],
    /// The last so many seconds, infinite for the whole run; none for the usual time.
    pub span: Option<f64>,
}

/// A body, joint, spring or contact whose readings are plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Which: its kind, one of [`KINDS`], and its place among the scene's bodies, joints or springs; of a contact those
    /// of its two bodies, the smaller one first; of bodies that of the one that is watched and of the one from which it is seen.
    pub kind: &'static str,
    /// As above; the second one of two bodies alone.
    pub places: [usize; 2],
    /// The reading, one of [`READINGS`].
    pub reading: &'static str,
    /// What it is plotted over; none: over time.
    pub over: Option<&'static str>,
}

/// What can be watched.
pub const KINDS: [&str; 5] = ["body", "joint", "spring", "contact", "bodies"];
/// All that can be read off it, whatever the kind.
pub const READINGS: [&str; 35] = [
    "x",
    "y",
    "angle",
    "speed",
    "angular_velocity",
    "kinetic_energy",
    "net_force",
    "travel",
    "rate",
    "error",
    "velocity_error",
    "force",
    "motor",
    "limit",
    "moment",
    "length",
    "elongation",
    "energy",
    "torque",
    "normal_force",
    "friction",
    "overlap",
    "sliding",
    "points",
    "vx",
    "vy",
    "ax",
    "ay",
    "angular_acceleration",
    "force_x",
    "force_y",
    "distance",
    "distance_rate",
    "slack",
    "tension",
];

/// The tabs under the canvas.
pub const TABS: [&str; 6] = ["errors", "energy", "watch", "solver", "compare", "judge"];
/// What files may say instead of a tab's name: `watch` was `body` when bodies alone could be watched.
pub const ONCE: (&str, &str) = ("body", "watch");
/// The plots that have quantities to choose from, with their names: those of the columns of a run's CSV file, where it has them.
pub const QUANTITIES: [(&str, &[&str]); 3] = [
    (
        "errors",
        &["joint_error", "joint_error_before", "contact_error", "contact_error_before", "velocity_error"],
    ),
    (
        "energy",
        &[
            "kinetic_energy",
            "potential_energy",
            "total_energy",
            "correction_work",
            "gravity_work",
            "spring_work",
            "applied_work",
            "motor_work",
            "driver_work",
            "hand_work",
            "friction_work",
            "impact_work",
            "drag_work",
            "method_work",
        ],
    ),
    ("solver", &["rows", "contacts", "islands", "solver_iterations"]),
];
/// The word for the whole run, as the span of a plot.
const ALL: &str = "all";

/// Reads `window` of a scene whose world is `main`, stepped by `of`.
pub(super) fn read(cursor: &Cursor<'_>, main: &World, of: &Settings) -> Option<Window> {
    let keys = cursor.object("a window {\"beside\": […]}")?;
    let start = keys.maybe("start", |c| earlier(c, main));
    let beside = keys.or("beside", Vec::new(), |c| runs(c, main, of));
    let panes = keys.or("panes", false, Cursor::boolean);
    let view = keys.maybe("view", outlook);
    let plot = keys.or("plot", Plotted::default(), plotted);
    let layers = keys.maybe("layers", layers);
    let watch = keys.maybe("watch", |c| watch(c, main));
    let speed = keys.maybe("speed", Cursor::positive);
    let paused = keys.or("paused", false, Cursor::boolean);
    let slider = keys.maybe("slider", slider);
    let equal_cost = keys.maybe("equal_cost", charged);
    let trajectories = keys.or("trajectories", Vec::new(), files);
    keys.finish();
    Some(Window {
        start: start?,
        beside: beside?,
        panes: panes?,
        view: view?,
        plot: plot?,
        layers: layers?,
        watch: watch?,
        speed: speed?,
        paused: paused?,
        slider: slider?,
        equal_cost: equal_cost?,
        trajectories: trajectories?,
    })
}

fn world(cursor: &Cursor<'_>) -> Option<World> {
    let keys = cursor.object("a world {\"bodies\": […]}")?;
    let read = read_whole(&keys);
    keys.finish();
    // Where it began is said once, with the scene's own state.
    read.map(|(world, _)| world)
}

/// A state of the scene at its own time or before.
fn earlier(cursor: &Cursor<'_>, main: &World) -> Option<World> {
    let start = world(cursor)?;
    let (latest, found) = (main.time(), start.time());
    if found > latest {
        cursor.problem(format!("expected a time of at most the scene's, {latest} s, found {found} s"));
        return None;
    }
    Some(start)
}

fn runs(cursor: &Cursor<'_>, main: &World, of: &Settings) -> Option<Vec<Beside>> {
    let items = cursor.items("an array of runs [{\"settings\": …}]")?;
    if items.len() > MOST_BESIDE {
        cursor.problem(format!("expected at most {MOST_BESIDE} runs, found {}", items.len()));
        return None;
    }
    let read: Vec<_> = items.iter().map(|item| run(item, main, of)).collect();
    read.into_iter().collect()
}

fn run(cursor: &Cursor<'_>, main: &World, of: &Settings) -> Option<Beside> {
    let keys = cursor.object("a run {\"settings\": …}")?;
    let settings = keys.require("settings", "{\"time_step\": …}").and_then(|c| settings::read(&c));
    let own = keys.maybe("world", world);
    let reference = keys.or("reference", false, Cursor::boolean);
    let place = keys.get("world");
    keys.finish();
    let (settings, own, reference) = (settings?, own?, reference?);
    if let (Some(own), Some(place)) = (&own, place) {
        let counts = |world: &World| {
            [world.bodies().len(), world.joints().len(), world.springs().len(), world.nonholonomic().len()]
        };
        if counts(own) != counts(main) {
            place.problem("expected the bodies, joints and springs of the scene, in its order");
            return None;
        }
        let apart = APART * of.time_step.max(settings.time_step);
        if (own.time() - main.time()).abs() > apart {
            let (expected, found) = (main.time(), own.time());
            place.problem(format!("expected the scene's time, {expected} s, found {found} s"));
            return None;
        }
        if let Some(difference) = alike::difference(main, own) {
            place.problem(difference);
            return None;
        }
    }
    Some(Beside { settings, world: own, reference })
}

fn outlook(cursor: &Cursor<'_>) -> Option<Outlook> {
    let keys = cursor.object("a view {\"center\": …, \"width\": …}")?;
    let center = keys.require("center", "a point [x, y]").and_then(|c| c.vector());
    let width = keys.require("width", "a number of m greater than 0").and_then(|c| c.positive());
    keys.finish();
    Some(Outlook { center: center?, width: width? })
}

fn layers(cursor: &Cursor<'_>) -> Option<Layers> {
    let keys = cursor.object("what the canvas shows {\"shown\": […]}")?;
    let shown =
        keys.require("shown", "an array of names of layers").and_then(|c| chosen(&c, "a layer", &LAYERS));
    let (magnify, arrows) =
        (keys.or("magnify", 1.0, Cursor::positive), keys.or("arrows", 1.0, Cursor::positive));
    keys.finish();
    Some(Layers { shown: shown?, magnify: magnify?, arrows: arrows? })
}

fn charged(cursor: &Cursor<'_>) -> Option<Charged> {
    let keys = cursor.object("runs at equal cost {\"frame\": …, \"budget\": …}")?;
    let seconds = |key| keys.require(key, "a number of s greater than 0").and_then(|c| c.positive());
    let (frame, budget) = (seconds("frame"), seconds("budget"));
    let before = keys.or("before", Vec::new(), |c| {
        let items = c.items("the time steps before, s")?;
        let read: Vec<_> = items.iter().map(Cursor::positive).collect();
        read.into_iter().collect()
    });
    keys.finish();
    Some(Charged { frame: frame?, budget: budget?, before: before? })
}

fn files(cursor: &Cursor<'_>) -> Option<Vec<String>> {
    let items = cursor.items("an array of files")?;
    let read: Vec<_> = items.iter().map(|item| item.name().map(str::to_owned)).collect();
    read.into_iter().collect()
}

fn plotted(cursor: &Cursor<'_>) -> Option<Plotted> {
    let keys = cursor.object("what is plotted {\"tab\": …}")?;
    let tabs: Vec<_> = TABS.into_iter().map(|tab| (tab, tab)).chain([ONCE]).collect();
    let tab = keys.maybe("tab", |c| c.one_of("a tab", &tabs));
    let quantities = QUANTITIES.map(|(plot, names)| keys.maybe(plot, |c| chosen(c, "a quantity", names)));
    let span = keys.maybe("span", |c| {
        if c.is_text() { c.one_of("seconds, or", &[(ALL, f64::INFINITY)]) } else { c.positive() }
    });
    keys.finish();
    let [errors, energy, solver] = quantities;
    Some(Plotted { tab: tab?, quantities: [errors?, energy?, solver?], span: span? })
}

fn watch(cursor: &Cursor<'_>, world: &World) -> Option<Watch> {
    let keys = cursor.object("what is watched {\"joint\": 0, \"reading\": \"force\"}")?;
    let bodies = world.bodies().len();
    let counts = [bodies, world.joints().len(), world.springs().len(), bodies, bodies];
    let mut found = Vec::new();
    for (kind, count) in KINDS.into_iter().zip(counts) {
        let Some(cursor) = keys.get(kind) else { continue };
        let place = |cursor: &Cursor<'_>| {
            let expected = format!("a number below {count}, counted from 0");
            let place = cursor.number_that(&expected, |place| {
                place.fract() == 0.0 && (0.0..count as f64).contains(&place)
            })?;
            Some(place as usize)
        };
        let places = if kind == KINDS[3] || kind == KINDS[4] {
            let [a, b] = cursor.exactly("two bodies [0, 1]")?;
            let (a, b) = (place(&a)?, place(&b)?);
            if kind == KINDS[3] { [a.min(b), a.max(b)] } else { [a, b] }
        } else {
            [place(&cursor)?, 0]
        };
        found.push((kind, places));
    }
    let named = READINGS.map(|name| (name, name));
    let reading = keys.require("reading", "a reading, such as \"force\"");
    let reading = reading.and_then(|c| c.one_of("a reading", &named));
    let over = keys.maybe("over", |c| c.one_of("a reading", &named));
    keys.finish();
    let &[(kind, places)] = found.as_slice() else {
        cursor.problem(format!("expected one of {}, found {}", KINDS.join(", "), found.len()));
        return None;
    };
    Some(Watch { kind, places, reading: reading?, over: over? })
}

fn write_watch(watch: &Watch) -> Value {
    let Watch { kind, places: [a, b], reading, over } = watch;
    let place = if KINDS[3..].contains(kind) { json!([a, b]) } else { json!(a) };
    let mut keys = vec![(*kind, place), ("reading", json!(reading))];
    keys.extend(over.map(|over| ("over", json!(over))));
    object(keys)
}

fn chosen(cursor: &Cursor<'_>, what: &str, names: &[&'static str]) -> Option<Vec<&'static str>> {
    let named: Vec<_> = names.iter().map(|name| (*name, *name)).collect();
    let items = cursor.items("an array of names")?;
    let read: Vec<_> = items.iter().map(|item| item.one_of(what, &named)).collect();
    read.into_iter().collect()
}

fn slider(cursor: &Cursor<'_>) -> Option<String> {
    let key = cursor.name()?;
    let schemes = || TABLE.iter().chain(peers::schemes());
    let languages = || schemes().flat_map(|scheme| scheme.info().languages);
    let spelled = languages().filter(|own| own.in_files).flat_map(|own| own.parameters);
    let mut own = schemes().flat_map(|scheme| scheme.info().parameters).chain(spelled);
    if key == TIME_STEP || own.any(|own| own.key == key) {
        return Some(key.to_owned());
    }
    cursor.problem(format!("expected a parameter of a scheme, or {TIME_STEP}, found '{}'", brief(key)));
    None
}

/// Writes `window`; one that shows the scene as usual is empty.
pub(super) fn write(window: &Window) -> Value {
    let Window { start, beside, panes, view, plot, layers, watch, speed, paused, slider, .. } = window;
    let Window { equal_cost, trajectories, .. } = window;
    let mut keys = Vec::new();
    keys.extend(speed.map(|speed| ("speed", number(speed))));
    keys.extend(paused.then(|| ("paused", json!(true))));
    keys.extend(panes.then(|| ("panes", json!(true))));
    keys.extend(slider.iter().map(|slider| ("slider", json!(slider))));
    keys.extend(view.map(|Outlook { center, width }| {
        ("view", object(vec![("center", pair(center)), ("width", number(width))]))
    }));
    keys.extend(write_plotted(plot).map(|plot| ("plot", plot)));
    keys.extend(layers.iter().map(|layers| ("layers", write_layers(layers))));
    keys.extend(watch.iter().map(|watch| ("watch", write_watch(watch))));
    keys.extend(equal_cost.iter().map(|Charged { frame, budget, before }| {
        let before = before.iter().map(|h| number(*h)).collect();
        let keys = vec![("frame", number(*frame)), ("budget", number(*budget)), ("before", before)];
        ("equal_cost", object(keys))
    }));
    if !trajectories.is_empty() {
        keys.push(("trajectories", json!(trajectories)));
    }
    if !beside.is_empty() {
        keys.push(("beside", beside.iter().map(write_run).collect()));
    }
    keys.extend(start.iter().map(|start| ("start", world_value(start))));
    object(keys)
}

fn write_run(run: &Beside) -> Value {
    let Beside { settings, world, reference } = run;
    let mut keys = vec![("settings", settings::write(settings))];
    keys.extend(reference.then(|| ("reference", json!(true))));
    keys.extend(world.iter().map(|world| ("world", world_value(world))));
    object(keys)
}

fn write_layers(layers: &Layers) -> Value {
    let Layers { shown, magnify, arrows } = layers;
    let mut keys = vec![("shown", json!(shown))];
    let factors =
        [("magnify", magnify), ("arrows", arrows)].into_iter().filter(|(_, factor)| **factor != 1.0);
    keys.extend(factors.map(|(key, factor)| (key, number(*factor))));
    object(keys)
}

fn write_plotted(plot: &Plotted) -> Option<Value> {
    let Plotted { tab, quantities, span } = plot;
    let mut keys = Vec::new();
    keys.extend(tab.map(|tab| ("tab", json!(tab))));
    for ((plot, _), chosen) in QUANTITIES.iter().zip(quantities) {
        keys.extend(chosen.iter().map(|chosen| (*plot, json!(chosen))));
    }
    keys.extend(span.map(|span| ("span", if span.is_finite() { number(span) } else { json!(ALL) })));
    (!keys.is_empty()).then(|| object(keys))
}
