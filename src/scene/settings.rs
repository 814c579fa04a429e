//! Time step, duration and method of a scene, read and written.

use super::method;
use super::reader::{Cursor, Object};
use super::write::{number, object};
use crate::lcp::Solver;
use crate::method::{ContactRules, Effort, Integrator, Level, Method, Restitution, Stabilizer};
use serde_json::{Value, json};

/// How a scene is to be stepped.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// s.
    pub time_step: f64,
    /// How long a headless run lasts, s.
    pub duration: Option<f64>,
    /// Scheme, level, integrator, solver, and the rules of contact.
    pub method: Method,
    /// Whether the file says how much effort `auto` may make; where it does not, the window bounds it.
    pub states_effort: bool,
}

impl Settings {
    /// Sets the time step, s, and with it the parameters of the scheme that nobody has set: their defaults follow it.
    pub fn set_time_step(&mut self, h: f64) {
        self.time_step = h;
        self.method.stabilizer.follow_step(h);
    }
}

/// The scheme whose projection assembles bodies that are placed roughly.
pub const ASSEMBLY: &str = "projection";
/// The scheme of a reference unless another one is asked for: the only one of second order.
pub const REFERENCE: &str = "rattle";
/// The kind of stabilizer where a scene names none.
const DEFAULT_STABILIZER: &str = "none";

/// Reads `settings`.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<Settings> {
    let keys = cursor.object("settings {\"time_step\": …}")?;
    let time_step = keys.require("time_step", "a number greater than 0").and_then(|c| c.positive());
    let duration = keys.maybe("duration", Cursor::positive);
    // Only parameters that are stated in terms of the time step need it; an invalid time step has been reported
    // already.
    let method = read_method(&keys, time_step.unwrap_or(1e-3));
    let contact = read_contact_rules(&keys);
    let states_effort = keys.get("effort").is_some();
    keys.finish();
    let mut method = method?;
    method.contact = contact?;
    Some(Settings { time_step: time_step?, duration: duration?, method, states_effort })
}

fn read_contact_rules(keys: &Object<'_>) -> Option<ContactRules> {
    let active_distance = keys.maybe("active_distance", Cursor::not_negative);
    let contact_tolerance = keys.maybe("contact_tolerance", Cursor::not_negative);
    let active_travel = keys.or("active_travel", 0.0, Cursor::not_negative);
    let laws = Restitution::ALL.map(|law| (law.key(), law));
    let restitution =
        keys.or("restitution_law", Restitution::default(), |c| c.one_of("a law of restitution", &laws));
    let restitution_threshold = keys.maybe("restitution_threshold", Cursor::not_negative);
    Some(ContactRules {
        active_distance: active_distance?,
        contact_tolerance: contact_tolerance?,
        active_travel: active_travel?,
        restitution: restitution?,
        restitution_threshold: restitution_threshold?,
    })
}

fn read_method(keys: &Object<'_>, h: f64) -> Option<Method> {
    let stabilizer = match keys.get("stabilizer") {
        Some(cursor) => method::read_stabilizer(&cursor, h),
        None => Stabilizer::by_key(DEFAULT_STABILIZER),
    };
    let solver = keys.or("solver", Solver::default(), method::read_solver);
    let level = keys.maybe("level", |c| c.one_of("a level", &Level::ALL.map(|l| (l.key(), l))));
    let named = Integrator::ALL.map(|i| (i.key(), i));
    let integrator = keys.or("integrator", Integrator::default(), |c| c.one_of("an integrator", &named));
    let efforts = Effort::ALL.map(|effort| (effort.key(), effort));
    let effort = keys.or("effort", Effort::default(), |c| c.one_of("an effort", &efforts));
    let (stabilizer, level, integrator, effort) = (stabilizer?, level?, integrator?, effort?);
    let natural = Method::new(stabilizer);
    let level_or_natural = level.unwrap_or(natural.level);
    let levels = natural.stabilizer.info().levels;
    if let (false, Some(cursor)) = (levels.contains(&level_or_natural), keys.get("level")) {
        cursor.problem(no_such_level(&natural, level_or_natural));
        return None;
    }
    let method = Method { level: level_or_natural, integrator, solver: solver?, effort, ..natural };
    // The velocity level always steps by semi-implicit Euler; any other integrator would have no effect, and is
    // refused.
    let granted = method.level == Level::Acceleration || integrator == Integrator::default();
    if let (false, Some(cursor)) = (granted, keys.get("integrator")) {
        cursor.problem(no_integrator(&method));
        return None;
    }
    if let (false, Some(cursor)) = (effort == Effort::Exact || method.is_bounded(), keys.get("effort")) {
        cursor.problem(no_effort(&method));
        return None;
    }
    Some(method)
}

/// Why a method's effort cannot be bounded.
pub fn no_effort(method: &Method) -> String {
    let (scheme, solver) = (method.stabilizer.info().key, method.solver.info().key);
    let what = if method.solver.is_automatic() {
        if method.stabilizer.scheme().uses_solver {
            format!("'{scheme}' iterates on solutions until its constraints hold")
        } else {
            format!("'{scheme}' brings its own solver")
        }
    } else {
        format!("the solver is '{solver}', which ends by itself")
    };
    format!("only the effort of the solver 'auto' can be bounded, and {what} (expected effort exact)")
}

/// Why a method at the velocity level cannot have an integrator.
pub fn no_integrator(method: &Method) -> String {
    let info = method.stabilizer.info();
    let way_out = if info.levels.contains(&Level::Acceleration) {
        "expected level acceleration, or no integrator"
    } else {
        "expected no integrator: this stabilizer has no acceleration level"
    };
    format!(
        "an integrator acts at the acceleration level, and '{}' is at level velocity ({way_out})",
        info.key
    )
}

/// Why a scheme does not exist at a level.
pub fn no_such_level(method: &Method, level: Level) -> String {
    let info = method.stabilizer.info();
    let levels: Vec<_> = info.levels.iter().map(|level| level.key()).collect();
    format!("'{}' does not exist at level {} (expected {})", info.key, level.key(), levels.join(" or "))
}

/// Writes `settings`.
pub(super) fn write(settings: &Settings) -> Value {
    let Settings { time_step, duration, method, states_effort } = settings;
    let Method { stabilizer, level, integrator, solver, effort, contact } = method;
    let ContactRules {
        active_distance,
        contact_tolerance,
        active_travel,
        restitution,
        restitution_threshold,
    } = contact;
    let mut keys = vec![("time_step", number(*time_step))];
    keys.extend(duration.map(|duration| ("duration", number(duration))));
    keys.push(("stabilizer", method::write(stabilizer.info().key, &stabilizer.values)));
    keys.push(("level", json!(level.key())));
    if *level == Level::Acceleration {
        keys.push(("integrator", json!(integrator.key())));
    }
    keys.push(("solver", method::write(solver.info().key, &solver.values)));
    if method.is_bounded() || (*states_effort && method.can_be_bounded()) {
        keys.push(("effort", json!(effort.key())));
    }
    keys.extend(active_distance.map(|distance| ("active_distance", number(distance))));
    keys.extend(contact_tolerance.map(|tolerance| ("contact_tolerance", number(tolerance))));
    if *active_travel > 0.0 {
        keys.push(("active_travel", number(*active_travel)));
    }
    if *restitution != Restitution::default() {
        keys.push(("restitution_law", json!(restitution.key())));
    }
    keys.extend(restitution_threshold.map(|speed| ("restitution_threshold", number(speed))));
    object(keys)
}
