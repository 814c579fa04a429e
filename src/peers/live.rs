//! A program that has other engines: their schemes, and a peer that is always at the state of the world that it is asked to step.
//!
//! Before each step the peer's state is compared with the world's, number of steps and bits. Where both are the same, it goes
//! on; where what it remembers at the world's state was kept and handed to it, it goes back to that, so that repeated steps give
//! the same bits; else it takes over the world's poses and velocities. A world whose parts are others, other settings and another
//! time step are built anew.

use crate::method::{Level, Method, Origin, Scheme, SchemeInfo};
use crate::model::World;
use crate::parameter::{Parameter, ParameterKind};
use crate::report::StepError;
use driftlab_peers::peer::{self, Error, Kind, Settings, Snapshot, Value};
use driftlab_probe::format::{Engine, Impulses, Moment, Precision, Step};
use std::sync::LazyLock;

/// From this ratio of its largest to its smallest value on a parameter spans decades.
const DECADES: f64 = 1e3;
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

/// Engine and settings of a method, if another engine makes its steps.
fn settings(method: &Method) -> Option<Settings> {
    let info = method.stabilizer.info();
    let mut settings = Settings::new(Kind::of_key(info.key).filter(|_| super::makes(method))?);
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
    settings: Settings,
    /// s.
    h: f64,
    snapshot: Snapshot,
}

impl Kept {
    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        self.snapshot.bytes() + self.state.bits.len() * size_of::<[u64; 6]>() + size_of::<Self>()
    }
}

/// A world built in another engine.
struct Live {
    peer: Box<dyn peer::Peer>,
    settings: Settings,
    /// s.
    h: f64,
    /// The world of which it was built.
    built: World,
    /// The state that it has.
    state: State,
    has_stepped: bool,
}

impl Live {
    fn build(settings: Settings, world: &World, h: f64) -> Result<Self, Error> {
        let peer = peer::build(&settings, world, h)?;
        let state = State::of(world);
        Ok(Self { peer, settings, h, built: world.clone(), state, has_stepped: false })
    }

    fn is_of(&self, settings: &Settings, world: &World, h: f64) -> bool {
        self.settings == *settings && self.h == h && world.has_parts_of(&self.built)
    }
}

/// The peer of a run: nothing until its first step by another engine.
#[derive(Default)]
pub struct Peer {
    live: Option<Live>,
    /// What it is to remember at its next step.
    recalled: Option<Kept>,
    is_away: bool,
}

impl Peer {
    /// Whether it has made the step that led to the present state.
    pub fn has_stepped(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.has_stepped)
    }

    /// The peer at the state of the world.
    fn ready(&mut self, world: &World, method: &Method, h: f64) -> Result<&mut Live, Error> {
        let Some(settings) = settings(method) else {
            return Err(Error::Model("this method is not another engine's".to_owned()));
        };
        let state = State::of(world);
        let recalled = self.recalled.take();
        let recalled = recalled.filter(|own| own.state == state && own.settings == settings && own.h == h);
        let goes_on = self.live.take().filter(|live| live.is_of(&settings, world, h));
        let mut live = match goes_on {
            Some(live) => live,
            None => Live::build(settings, world, h)?,
        };
        if let Some(kept) = recalled {
            live.peer.restore(&kept.snapshot)?;
        } else if live.state != state {
            live.peer.take(world)?;
        }
        live.state = state;
        Ok(self.live.insert(live))
    }

    /// Builds the world, so that the first step does not have to; what is wrong with it is told by that step.
    pub fn prepare(&mut self, world: &World, method: &Method, h: f64) {
        if super::makes(method) {
            let _told_later = self.ready(world, method, h);
        }
    }

    /// Makes a step of `h` s from the world's state, and gives the world what comes of it, its time and number of steps as well.
    ///
    /// # Errors
    /// What the engine lacks for this world, or why it could not go on. The world is then as it was.
    pub fn step(&mut self, world: &mut World, method: &Method, h: f64) -> Result<(), StepError> {
        let live = self.ready(world, method, h).map_err(failed)?;
        let made = live.peer.step(world, h).and_then(|()| live.peer.give(world));
        if let Err(error) = made {
            // What is left of it is no state of the world.
            self.live = None;
            return Err(failed(error));
        }
        world.set_steps(world.steps() + 1);
        world.set_time(world.time() + h).map_err(StepError::Model)?;
        live.state = State::of(world);
        live.has_stepped = true;
        Ok(())
    }

    /// What acted in the last step, as a line of a recording with the world's time; none before a step.
    pub fn line(&self, world: &World) -> Option<Step> {
        let live = self.live.as_ref().filter(|live| live.has_stepped)?;
        Some(Step { t: world.time(), h: Some(live.h), ..live.peer.line(world) })
    }

    /// How the numbers of its lines are meant.
    pub fn manner(&self) -> (Precision, Moment, Impulses) {
        let Some(live) = &self.live else { return Default::default() };
        let precision = match live.settings.kind() {
            Kind::Box2d => Precision::F32,
            Kind::Rapier => Precision::F64,
        };
        (precision, Moment::Begin, live.peer.impulses())
    }

    /// What it remembers at the world's state, for [`Peer::recall`]; nothing while it is away, or if it cannot be at that state.
    pub fn keep(&mut self, world: &World, method: &Method, h: f64) -> Option<Kept> {
        if self.is_away || !super::makes(method) {
            return None;
        }
        let live = self.ready(world, method, h).ok()?;
        let snapshot = live.peer.snapshot().ok()?;
        Some(Kept { state: live.state.clone(), settings: live.settings.clone(), h, snapshot })
    }

    /// What it is to remember at its next step, if that begins at the state at which this was kept.
    pub fn recall(&mut self, kept: Option<Kept>) {
        (self.recalled, self.is_away) = (kept, false);
    }

    /// Whether its next step goes on from that state of the world as the last one has left it.
    pub fn is_at(&self, world: &World) -> bool {
        self.recalled.is_none() && self.live.as_ref().is_some_and(|live| live.state == State::of(world))
    }

    /// It is not needed for now.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Hands it out to whoever makes the next steps.
    pub fn hand_over(&mut self) -> Self {
        let own = std::mem::take(self);
        self.is_away = true;
        Self { is_away: false, ..own }
    }

    /// Whether it was handed out and has not come back.
    pub fn is_away(&self) -> bool {
        self.is_away
    }
}

impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let settings = self.live.as_ref().map(|live| live.settings.to_string());
        f.debug_struct("Peer").field("settings", &settings).finish_non_exhaustive()
    }
}
