//! A program that has other engines: their schemes, and a peer that is always at the state of the world that it is asked to step.
//!
//! Before each step the peer's state is compared with the world's, number of steps and bits. Where both are the same, it goes
//! on; where what it remembers at the world's state was kept and handed to it, it goes back to that, so that repeated steps give
//! the same bits; else it takes over the world's poses and velocities. A world whose parts are others, other settings and another
//! time step are built anew.
//!
//! An engine goes back only within a world that it has built. So the last [`MOST_BUILT`] of a run stay, each with what was
//! kept of it; beyond so many changes of settings or parts the way back begins with contacts that remember nothing. Of all
//! who have been handed the peer only the last may step it: steps that were abandoned, and are still being made, end with the
//! present one.

use super::foretold;
use crate::method::{Level, Method, Origin, Scheme, SchemeInfo};
use crate::model::World;
use crate::parameter::{Parameter, ParameterKind};
use crate::report::StepError;
use driftlab_peers::peer::{self, Error, Kind, Settings, Snapshot, Value};
use driftlab_probe::format::{Engine, Impulses, Moment, Precision, Step};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

/// From this ratio of its largest to its smallest value on a parameter spans decades.
const DECADES: f64 = 1e3;
/// Built worlds that stay with a run: Box2D has room for 128 in a program, which compares up to six runs.
const MOST_BUILT: usize = 8;
/// The words of a switch, in the order of its values.
const SWITCH: [&str; 2] = ["off", "on"];

static SCHEMES: LazyLock<Vec<&'static Scheme>> = LazyLock::new(|| {
    let built = Kind::ALL.into_iter().filter(|kind| kind.is_built());
    // They last as long as the program.
    built.map(|kind| &*Box::leak(Box::new(scheme(kind)))).collect()
});

pub(super) fn schemes() -> &'static [&'static Scheme] {
    &SCHEMES
}

fn scheme(kind: Kind) -> Scheme {
    let parameters: Vec<Parameter> = kind.parameters().iter().map(parameter).collect();
    let of = |box2d: &'static str, rapier: &'static str| match kind {
        Kind::Box2d => box2d,
        Kind::Rapier => rapier,
    };
    let info = SchemeInfo {
        key: kind.key(),
        name: of("Box2D itself", "Rapier itself"),
        short: kind.name(),
        origin: Origin::Engines,
        synonyms: &[],
        equation: "v⁺ = v + M⁻¹ (h F + Jᵀλ)",
        summary: of(
            "Box2D makes the steps, in single precision, of a copy of the scene; h F and λ are its own, and sleeping is off.",
            "Rapier makes the steps, in double precision, of a copy of the scene; h F and λ are its own, and sleeping is off.",
        ),
        source: Box::leak(format!("{}, revision {}", kind.name(), kind.version()).into_boxed_str()),
        levels: &[Level::Velocity],
        departures: &[],
        parameters: Box::leak(parameters.into_boxed_slice()),
        per_step: &[],
        languages: &[],
    };
    let no_step = |_: &mut crate::step::Step<'_>| {
        Err(StepError::Outside("a step of another engine is made by that engine".to_owned()))
    };
    Scheme {
        uses_solver: false,
        takes_approximate_solutions: false,
        holds_velocities: |_| false,
        remark: match kind {
            Kind::Box2d => foretold::box2d,
            Kind::Rapier => foretold::rapier,
        },
        ..Scheme::new(info, no_step)
    }
}

fn parameter(own: &peer::Parameter) -> Parameter {
    let peer::Parameter { key, unit, value, default, range: [minimum, maximum], doc } = *own;
    let kind = match value {
        Value::Switch => ParameterKind::Choice(&SWITCH),
        Value::Whole => ParameterKind::Integer,
        Value::Number if maximum >= DECADES * minimum && maximum >= DECADES => ParameterKind::Logarithmic,
        Value::Number => ParameterKind::Linear,
    };
    let name = Box::leak(key.replace('_', " ").into_boxed_str());
    Parameter { key, name, symbol: "", unit, minimum, maximum, default, kind, meaning: doc }
}

/// The engine that makes the steps of a method, if it is another one.
fn kind(method: &Method) -> Option<Kind> {
    let scheme = method.stabilizer.scheme();
    let is_own = SCHEMES.iter().any(|own| std::ptr::eq(*own, scheme));
    Kind::of_key(scheme.info().key).filter(|_| is_own)
}

/// Engine and settings of a method, if another engine makes its steps.
fn settings(method: &Method) -> Option<Settings> {
    let mut settings = Settings::new(kind(method)?);
    for (parameter, value) in method.stabilizer.values.iter() {
        // Both tables have the same ranges.
        let set = settings.set(parameter.key, value);
        debug_assert!(set.is_ok(), "{set:?}");
    }
    Some(settings)
}

pub(super) fn engine(method: &Method) -> Option<Engine> {
    settings(method).map(|settings| settings.engine())
}

pub(super) fn check(method: &Method, world: &World, h: f64) -> Result<(), Vec<String>> {
    let Some(settings) = settings(method) else { return Ok(()) };
    match peer::build(&settings, world, h) {
        Ok(_) => Ok(()),
        Err(Error::Lacks { engine, lacks }) => {
            let first = format!("{} cannot have this scene:", engine.name());
            Err([first].into_iter().chain(lacks).collect())
        }
        Err(error) => Err(vec![error.to_string()]),
    }
}

/// The error as that of a step: one sentence in one line.
fn failed(error: Error) -> StepError {
    StepError::Outside(match error {
        Error::Lacks { engine, lacks } => {
            format!("{} cannot have this scene: {}", engine.name(), lacks.join("; "))
        }
        other => other.to_string(),
    })
}

/// A state of a world as far as steps change it: number of steps; poses and velocities as bits.
#[derive(Clone, Debug, PartialEq)]
struct State {
    steps: u64,
    bits: Vec<[u64; 6]>,
}

impl State {
    fn of(world: &World) -> Self {
        let bits = world.bodies().iter().map(|body| {
            let (q, v) = (body.pose.coordinates(), body.velocity.coordinates());
            [q.x, q.y, q.z, v.x, v.y, v.z].map(f64::to_bits)
        });
        Self { steps: world.steps(), bits: bits.collect() }
    }
}

/// What another engine remembers at a state; a clone shares it.
#[derive(Clone, Debug)]
pub struct Kept {
    state: State,
    snapshot: Snapshot,
    of: Weak<Built>,
}

impl Kept {
    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        self.snapshot.bytes() + self.state.bits.len() * size_of::<[u64; 6]>() + size_of::<Self>()
    }
}

/// A world built in another engine, and who may step it.
struct Built {
    live: Mutex<Live>,
    holder: AtomicU64,
}

impl std::fmt::Debug for Built {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Built").field("holder", &self.holder).finish_non_exhaustive()
    }
}

impl Built {
    fn live(&self) -> MutexGuard<'_, Live> {
        // After a panic in a step nothing is known of its state: see `Peer::ready`.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Live {
    peer: Box<dyn peer::Peer>,
    settings: Settings,
    /// s.
    h: f64,
    /// The world of which it was built.
    world: World,
    /// The state that it has; none behind a step that has failed.
    state: Option<State>,
}

impl Live {
    fn build(settings: Settings, world: &World, h: f64) -> Result<Self, Error> {
        let peer = peer::build(&settings, world, h)?;
        Ok(Self { peer, settings, h, world: world.clone(), state: Some(State::of(world)) })
    }

    fn is_of(&self, settings: &Settings, world: &World, h: f64) -> bool {
        self.settings == *settings && self.h == h && world.has_parts_of(&self.world)
    }
}

/// Numbers of those who step peers.
static HOLDERS: AtomicU64 = AtomicU64::new(1);

/// The peer of a run: nothing until its first step by another engine.
#[derive(Debug, Default)]
pub struct Peer {
    /// The worlds that were built for the run, the present one last.
    built: Vec<Arc<Built>>,
    /// Who steps them.
    own: u64,
    /// What it is to remember at its next step.
    recalled: Option<Kept>,
    /// Whether it has made the step that led to the present state.
    has_stepped: bool,
    /// Whether nothing that was built before is to go on.
    begins: bool,
    is_away: bool,
}

impl Peer {
    /// Whether it has made the step that led to the present state.
    pub fn has_stepped(&self) -> bool {
        self.has_stepped
    }

    fn add(&mut self, built: Arc<Built>) {
        if self.own == 0 {
            self.own = HOLDERS.fetch_add(1, Ordering::Relaxed);
        }
        self.built.retain(|other| !Arc::ptr_eq(other, &built));
        built.holder.store(self.own, Ordering::Release);
        self.built.push(built);
        let most = self.built.len().saturating_sub(MOST_BUILT);
        self.built.drain(..most);
    }

    /// From now on nobody else steps what was built.
    fn hold(&mut self) {
        self.own = HOLDERS.fetch_add(1, Ordering::Relaxed);
        self.built.iter().for_each(|built| built.holder.store(self.own, Ordering::Release));
    }

    /// The present peer, if it is still this one's to step.
    fn present(&self) -> Option<MutexGuard<'_, Live>> {
        let built = self.built.last()?;
        let live = built.live();
        (built.holder.load(Ordering::Acquire) == self.own).then_some(live)
    }

    /// The peer at the state of the world.
    fn ready(&mut self, world: &World, method: &Method, h: f64) -> Result<MutexGuard<'_, Live>, Error> {
        let Some(settings) = settings(method) else {
            return Err(Error::Model("this method is not another engine's".to_owned()));
        };
        let abandoned = || Error::Model("these steps were abandoned".to_owned());
        let state = State::of(world);
        self.built.retain(|built| !built.live.is_poisoned());
        let kept = self.recalled.take().filter(|kept| kept.state == state);
        let kept = kept.and_then(|kept| Some((kept.of.upgrade()?, kept.snapshot)));
        let mut snapshot = None;
        if let Some((built, of_it)) = kept
            && built.live().is_of(&settings, world, h)
        {
            self.add(built);
            (snapshot, self.begins) = (Some(of_it), false);
        }
        let goes_on = match self.built.last() {
            _ if self.begins => false,
            None => false,
            Some(_) => self.present().ok_or_else(abandoned)?.is_of(&settings, world, h),
        };
        if !goes_on {
            let live = Live::build(settings, world, h)?;
            self.add(Arc::new(Built { live: Mutex::new(live), holder: AtomicU64::new(0) }));
            self.begins = false;
        }
        let mut live = self.present().ok_or_else(abandoned)?;
        if let Some(snapshot) = snapshot {
            live.state = None;
            live.peer.restore(&snapshot)?;
        } else if live.state.as_ref() != Some(&state) {
            live.state = None;
            live.peer.take(world)?;
        }
        live.state = Some(state);
        Ok(live)
    }

    /// Builds the world, so that the first step does not have to; what is wrong with it is told by that step.
    pub fn prepare(&mut self, world: &World, method: &Method, h: f64) {
        if kind(method).is_some() {
            let _told_later = self.ready(world, method, h);
        }
    }

    /// Makes a step of `h` s from the world's state, and gives the world what comes of it, its time and number of steps as well.
    ///
    /// # Errors
    /// What the engine lacks for this world, or why it could not go on. The world is then as it was.
    pub fn step(&mut self, world: &mut World, method: &Method, h: f64) -> Result<(), StepError> {
        let mut live = self.ready(world, method, h).map_err(failed)?;
        live.state = None;
        live.peer.step(world, h).and_then(|()| live.peer.give(world)).map_err(failed)?;
        world.set_steps(world.steps() + 1);
        world.set_time(world.time() + h).map_err(StepError::Model)?;
        live.state = Some(State::of(world));
        drop(live);
        self.has_stepped = true;
        Ok(())
    }

    /// What acted in the last step, as a line of a recording with the world's time; none before a step.
    pub fn line(&self, world: &World) -> Option<Step> {
        let live = self.present().filter(|_| self.has_stepped)?;
        Some(Step { t: world.time(), h: Some(live.h), ..live.peer.line(world) })
    }

    /// How the numbers of its lines are meant.
    pub fn manner(&self) -> (Precision, Moment, Impulses) {
        let Some(live) = self.present() else { return Default::default() };
        let precision = match live.settings.kind() {
            Kind::Box2d => Precision::F32,
            Kind::Rapier => Precision::F64,
        };
        (precision, Moment::Begin, live.peer.impulses())
    }

    /// What it remembers at the world's state, for [`Peer::recall`]; nothing while it is away, or if it cannot be at that state.
    pub fn keep(&mut self, world: &World, method: &Method, h: f64) -> Option<Kept> {
        if self.is_away || kind(method).is_none() {
            return None;
        }
        let live = self.ready(world, method, h).ok()?;
        let (state, snapshot) = (live.state.clone()?, live.peer.snapshot().ok()?);
        drop(live);
        Some(Kept { state, snapshot, of: Arc::downgrade(self.built.last()?) })
    }

    /// What it is to remember at its next step, if that begins at the state at which this was kept.
    pub fn recall(&mut self, kept: Option<Kept>) {
        if self.is_away {
            self.hold();
        }
        (self.recalled, self.is_away) = (kept, false);
    }

    /// Whether its next step goes on from that state of the world as the last one has left it.
    pub fn is_at(&self, world: &World) -> bool {
        let is_at = |live: MutexGuard<'_, Live>| live.state.as_ref() == Some(&State::of(world));
        !self.is_away && !self.begins && self.recalled.is_none() && self.present().is_some_and(is_at)
    }

    /// It is not needed for now, and begins anew when it is.
    pub fn forget(&mut self) {
        (self.recalled, self.begins, self.has_stepped) = (None, true, false);
    }

    /// Hands it out to whoever makes the next steps.
    pub fn hand_over(&mut self) -> Self {
        self.is_away = true;
        let mut other =
            Self { built: self.built.clone(), recalled: self.recalled.take(), is_away: false, ..*self };
        other.hold();
        other
    }

    /// Whether it was handed out and has not come back.
    pub fn is_away(&self) -> bool {
        self.is_away
    }
}
