//! What a scene's window shows: the runs beside, each in its own state, the start to which all go back, the layout, the view and the
//! plots. Read and written as the top-level key `window`. A run without a window does not read it.
//!
//! The keys that a link knows, too, are called as there: `beside`, `panes`, `speed`, `paused`, `slider`.

use super::problems::brief;
use super::reader::Cursor;
use super::write::{number, object, pair};
use super::{Settings, read_whole, settings, world_value};
use crate::model::World;
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
    /// Simulated seconds per real second.
    pub speed: Option<f64>,
    /// Whether it waits instead of playing.
    pub paused: bool,
    /// The parameter whose slider is shown where there is room for one alone: its key, or `h`.
    pub slider: Option<String>,
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

/// The tabs under the canvas.
pub const TABS: [&str; 4] = ["errors", "energy", "solver", "compare"];
/// The plots that have quantities to choose from, with their names: those of the columns of a run's CSV file, where it has them.
pub const QUANTITIES: [(&str, &[&str]); 3] = [
    (
        "errors",
        &["joint_error", "joint_error_before", "contact_error", "contact_error_before", "velocity_error"],
    ),
    ("energy", &["kinetic_energy", "potential_energy", "total_energy", "correction_work"]),
    ("solver", &["rows", "contacts", "islands", "solver_iterations"]),
];
/// The word for the whole run, as the span of a plot.
const ALL: &str = "all";

/// Reads `window` of a scene whose world is `main`, stepped by `of`.
pub(super) fn read(cursor: &Cursor<'_>, main: &World, of: &Settings) -> Option<Window> {
    let keys = cursor.object("a window {\"beside\": […]}")?;
    let start = keys.maybe("start", |c| world(c));
    let beside = keys.or("beside", Vec::new(), |c| runs(c, main, of));
    let panes = keys.or("panes", false, Cursor::boolean);
    let view = keys.maybe("view", outlook);
    let plot = keys.or("plot", Plotted::default(), plotted);
    let speed = keys.maybe("speed", Cursor::positive);
    let paused = keys.or("paused", false, Cursor::boolean);
    let slider = keys.maybe("slider", slider);
    keys.finish();
    Some(Window {
        start: start?,
        beside: beside?,
        panes: panes?,
        view: view?,
        plot: plot?,
        speed: speed?,
        paused: paused?,
        slider: slider?,
    })
}

fn world(cursor: &Cursor<'_>) -> Option<World> {
    let keys = cursor.object("a world {\"bodies\": […]}")?;
    let read = read_whole(&keys);
    keys.finish();
    // Where it began is said once, with the scene's own state.
    read.map(|(world, _)| world)
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

fn plotted(cursor: &Cursor<'_>) -> Option<Plotted> {
    let keys = cursor.object("what is plotted {\"tab\": …}")?;
    let tab = keys.maybe("tab", |c| c.one_of("a tab", &TABS.map(|tab| (tab, tab))));
    let quantities = QUANTITIES.map(|(plot, names)| keys.maybe(plot, |c| chosen(c, names)));
    let span = keys.maybe("span", |c| {
        if c.is_text() { c.one_of("seconds, or", &[(ALL, f64::INFINITY)]) } else { c.positive() }
    });
    keys.finish();
    let [errors, energy, solver] = quantities;
    Some(Plotted { tab: tab?, quantities: [errors?, energy?, solver?], span: span? })
}

fn chosen(cursor: &Cursor<'_>, names: &[&'static str]) -> Option<Vec<&'static str>> {
    let named: Vec<_> = names.iter().map(|name| (*name, *name)).collect();
    let items = cursor.items("an array of names of quantities")?;
    let read: Vec<_> = items.iter().map(|item| item.one_of("a quantity", &named)).collect();
    read.into_iter().collect()
}

fn slider(cursor: &Cursor<'_>) -> Option<String> {
    let key = cursor.name()?;
    let languages = || TABLE.iter().flat_map(|scheme| scheme.info().languages);
    let spelled = languages().filter(|own| own.in_files).flat_map(|own| own.parameters);
    let mut own = TABLE.iter().flat_map(|scheme| scheme.info().parameters).chain(spelled);
    if key == TIME_STEP || own.any(|own| own.key == key) {
        return Some(key.to_owned());
    }
    cursor.problem(format!("expected a parameter of a scheme, or {TIME_STEP}, found '{}'", brief(key)));
    None
}

/// Writes `window`, or nothing for one that shows the scene as any window does.
pub(super) fn write(window: &Window) -> Option<Value> {
    let Window { start, beside, panes, view, plot, speed, paused, slider } = window;
    let mut keys = Vec::new();
    keys.extend(speed.map(|speed| ("speed", number(speed))));
    keys.extend(paused.then(|| ("paused", json!(true))));
    keys.extend(panes.then(|| ("panes", json!(true))));
    keys.extend(slider.iter().map(|slider| ("slider", json!(slider))));
    keys.extend(view.map(|Outlook { center, width }| {
        ("view", object(vec![("center", pair(center)), ("width", number(width))]))
    }));
    keys.extend(write_plotted(plot).map(|plot| ("plot", plot)));
    if !beside.is_empty() {
        keys.push(("beside", beside.iter().map(write_run).collect()));
    }
    keys.extend(start.iter().map(|start| ("start", world_value(start))));
    (!keys.is_empty()).then(|| object(keys))
}

fn write_run(run: &Beside) -> Value {
    let Beside { settings, world, reference } = run;
    let mut keys = vec![("settings", settings::write(settings))];
    keys.extend(reference.then(|| ("reference", json!(true))));
    keys.extend(world.iter().map(|world| ("world", world_value(world))));
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
