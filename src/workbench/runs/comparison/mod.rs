//! Runs side by side: the main run, and those that were forked from it under other schemes.
//!
//! All of them are shown at the same simulation time. In each round the main run makes the steps that are due, and
//! every other run as many of its own as lead to the same time; the next round begins when all have arrived. One hand
//! acts on all: what pulls or pushes the main run's bodies pulls or pushes those of the others in the same round.
//!
//! A fork knows the moment at which it began. Before that moment, when the cursor is moved back, it is not there.

mod equal_cost;
mod fork;
mod lockstep;
mod moment;
mod table;

pub use equal_cost::{Budget, CostPoint, EqualCost, nearest};
pub use fork::{Fork, ForkId, Role};
pub use moment::Moment;
pub use table::{Column, Order, RunFigures, csv, markdown, rows, since};

use super::live_run::{IDLE, LiveRun, MouseHand, Setting};
use super::played::Played;
use crate::method::{Method, Stabilizer};
use crate::model::{BodyId, World};
use crate::peers;
use crate::platform::HISTORY;
use crate::scene::Scene;
use crate::scene::window::MOST_BESIDE;
use crate::workbench::engine::Stepping;
use crate::workbench::text::format::duration;
use crate::workbench::watched::Watchable;
use glam::DVec2;

/// Largest number of runs beside the main one.
pub const MOST_FORKS: usize = MOST_BESIDE;
/// Part of the main run's time step that a reference under the same scheme takes.
pub const REFERENCE_PARTS: f64 = 32.0;

/// The main run and the runs beside it.
pub struct Comparison {
    main: LiveRun,
    forks: Vec<Fork>,
    /// The number of forks that were ever made.
    made: u64,
    /// Memory for recorded states, bytes.
    room: usize,
    /// The mouse's pull and push in the present round.
    hand: MouseHand,
    /// The moment from which on the table last compared the runs, s.
    since: f64,
    /// The runs at equal cost, if they are.
    cost: Option<EqualCost>,
}

impl Comparison {
    /// A run of `scene` alone.
    pub fn new(scene: Scene, stepping: &Stepping) -> Self {
        Self {
            main: LiveRun::new(scene, stepping),
            forks: Vec::new(),
            made: 0,
            room: HISTORY,
            hand: IDLE,
            since: f64::NEG_INFINITY,
            cost: None,
        }
    }

    /// The main run.
    pub fn main(&self) -> &LiveRun {
        &self.main
    }

    /// The main run, to be changed.
    pub fn main_mut(&mut self) -> &mut LiveRun {
        &mut self.main
    }

    /// The runs beside it, in the order in which they were forked.
    pub fn forks(&self) -> &[Fork] {
        &self.forks
    }

    /// A fork's run; the main one for none.
    pub fn run(&self, of: Option<ForkId>) -> Option<&LiveRun> {
        match of {
            None => Some(&self.main),
            Some(id) => self.forks.iter().find(|fork| fork.id == id).map(Fork::run),
        }
    }

    /// As [`Comparison::run`], to be changed.
    pub(crate) fn run_mut(&mut self, of: Option<ForkId>) -> Option<&mut LiveRun> {
        match of {
            None => Some(&mut self.main),
            Some(id) => self.forks.iter_mut().find(|fork| fork.id == id).map(Fork::run_mut),
        }
    }

    /// The forks that exist at the present moment of the main run.
    pub fn present(&self) -> impl Iterator<Item = &Fork> {
        let now = self.main.world().time();
        self.forks.iter().filter(move |fork| fork.exists_at(now))
    }

    /// The name of one of the runs that tells it from all others: its scheme; where others have the same one, also its
    /// parameters; where these are the same, too, its number.
    pub fn label(&self, run: &LiveRun) -> String {
        let alike = self.runs().filter(|other| other.scheme_index() == run.scheme_index()).count() > 1;
        if alike || run.played().is_some() {
            self.full_label(run)
        } else {
            run.method().stabilizer.info().short.to_owned()
        }
    }

    /// As [`Comparison::label`], always with the parameters that are not the defaults.
    pub fn full_label(&self, run: &LiveRun) -> String {
        let told = |run: &LiveRun| {
            let h = run.time_step();
            let step = if h == self.main.time_step() || run.played().is_some() {
                String::new()
            } else {
                format!(", h = {}", duration(h))
            };
            run.scheme_label() + &step
        };
        let label = told(run);
        let place = self.forks.iter().position(|fork| std::ptr::eq(fork.run(), run));
        match place {
            Some(place) if self.runs().filter(|other| told(other) == label).count() > 1 => {
                format!("{label} · {}", place + 1)
            }
            _ => label,
        }
    }

    /// The main run and then those beside it.
    fn runs(&self) -> impl Iterator<Item = &LiveRun> {
        [&self.main].into_iter().chain(self.forks.iter().map(Fork::run))
    }

    /// Forks the main run's present state under the scheme at that place of the table, with the parameters that the scheme had
    /// last; closes the fork if that scheme is already beside the main run. Returns whether there is room for it.
    pub fn toggle(&mut self, place: usize, stepping: &Stepping) -> bool {
        let same = |fork: &Fork| fork.role == Role::Beside && fork.run().scheme_index() == place;
        if let Some(id) = self.forks.iter().rev().find(|fork| same(fork)).map(|fork| fork.id) {
            self.close(id);
            return true;
        }
        let method = if place == self.main.scheme_index() {
            self.main.method().clone()
        } else {
            let stabilizer = self.main.remembered(place).or(peers::at(place).map(Stabilizer::from));
            let Some(stabilizer) = stabilizer else { return true };
            self.main.under(stabilizer).at_step(self.main.time_step())
        };
        let h = self.main.time_step();
        self.add(Role::Beside, self.main.fork(method, h, stepping))
    }

    /// Forks the present state of a run, the main one if `of` is none, under the same method. Returns whether there is
    /// room for it.
    pub fn fork(&mut self, of: Option<ForkId>, stepping: &Stepping) -> bool {
        let Some(source) = self.run(of) else { return true };
        // From a state of a trajectory a run goes on as the main one does.
        let by = if source.played().is_some() { &self.main } else { source };
        let copy = source.fork(by.method().clone(), by.time_step(), stepping);
        self.add(Role::Beside, copy)
    }

    /// Forks the main run's present state under that method, with steps of `h` seconds. Returns whether there is room for it.
    pub fn beside(&mut self, method: Method, h: f64, stepping: &Stepping) -> bool {
        self.add(Role::Beside, self.main.fork(method, h, stepping))
    }

    /// Adds a run under that method, with steps of `h` seconds, in a state of its own or else in the main run's.
    /// Returns whether there is room for it.
    pub(crate) fn resume(
        &mut self,
        role: Role,
        method: Method,
        h: f64,
        world: Option<World>,
        stepping: &Stepping,
    ) -> bool {
        let mut run = self.main.fork(method, h, stepping);
        if let Some(world) = world {
            run.begin_from(world);
        }
        self.add(role, run)
    }

    /// Adds a reference: the present state under the main run's scheme with a time step smaller by [`REFERENCE_PARTS`],
    /// or under the given scheme with the same time step. An older reference is closed. Returns whether there is room for it.
    pub fn refer(&mut self, scheme: Option<Stabilizer>, stepping: &Stepping) -> bool {
        self.forks.retain(|fork| fork.role != Role::Reference);
        let main = &self.main;
        let run = match scheme {
            Some(scheme) => main.fork(main.under(scheme), main.time_step(), stepping),
            None => main.fork(main.method().clone(), main.time_step() / REFERENCE_PARTS, stepping),
        };
        self.add(Role::Reference, run)
    }

    /// Adds a trajectory that is played back beside the main run, in the place of an earlier one of the same title.
    /// Returns whether there is room for it.
    pub fn play_back(&mut self, played: Played, stepping: &Stepping) -> bool {
        let same = |fork: &Fork| fork.run().played().is_some_and(|earlier| earlier.title == played.title);
        self.forks.retain(|fork| !same(fork));
        self.add(Role::Trajectory, LiveRun::playing_back(&self.main, played, stepping))
    }

    fn add(&mut self, role: Role, run: LiveRun) -> bool {
        let room = self.forks.len() < MOST_FORKS;
        if room {
            self.made += 1;
            self.forks.push(Fork::new(ForkId(self.made), role, run));
            self.share_memory();
        }
        room
    }

    /// Closes a fork.
    pub fn close(&mut self, id: ForkId) {
        self.forks.retain(|fork| fork.id != id);
        self.share_memory();
    }

    /// Closes all forks.
    pub fn close_all(&mut self) {
        self.forks.clear();
        self.share_memory();
    }

    /// Makes a fork the main run; the main run takes its place. A trajectory stays beside it.
    pub fn promote(&mut self, id: ForkId) {
        let promoted = |fork: &&mut Fork| fork.id == id && fork.role != Role::Trajectory;
        if let Some(fork) = self.forks.iter_mut().find(promoted) {
            fork.swap(&mut self.main);
            self.exchange_cost(id);
        }
    }

    /// Changes a setting of a fork, or of the main run if there is no such fork. A change of the main run's time step
    /// changes those of the forks; a fork's own concerns only itself. The effort is that of all runs. A fork whose step
    /// had failed goes on.
    pub fn choose(&mut self, fork: Option<ForkId>, setting: Setting) {
        if let Setting::Effort(_) = setting {
            self.forks.iter_mut().for_each(|fork| fork.run_mut().choose(setting.clone()));
            return self.main.choose(setting);
        }
        if let Some(fork) = self.forks.iter_mut().find(|other| Some(other.id) == fork) {
            return fork.run_mut().choose(setting);
        }
        let old = self.main.time_step();
        self.main.choose(setting);
        self.keep_ratios(old);
    }

    /// Marks what has changed in the methods of all runs since the last call.
    pub fn note_changes(&mut self) {
        self.main.note_changes();
        for fork in &mut self.forks {
            fork.run_mut().note_changes();
        }
        // The table is about the time since then.
        let since = since(self);
        if since != self.since {
            self.since = since;
            self.main.part();
            self.forks.iter_mut().for_each(|fork| fork.run_mut().part());
        }
    }

    /// When the present press of the mouse button began, s of the window's time: changes within it are one.
    pub fn note_gesture(&mut self, since: Option<f64>) {
        self.main.note_gesture(since);
        for fork in &mut self.forks {
            fork.run_mut().note_gesture(since);
        }
    }

    /// The time steps of the forks follow the main run's, which was `old`, s: equal ones stay equal, others keep their ratio.
    fn keep_ratios(&mut self, old: f64) {
        let h = self.main.time_step();
        if h == old {
            return;
        }
        self.scale_frame(h / old);
        for fork in &mut self.forks {
            let own = fork.run().time_step();
            fork.run_mut().choose(Setting::TimeStep(if own == old { h } else { own * (h / old) }));
        }
    }

    /// From now on, all runs record the readings of `subject`, or of nothing.
    pub(crate) fn watch(&mut self, subject: Option<Watchable>, stepping: &Stepping) {
        self.main.watch(subject, stepping);
        self.forks.iter_mut().for_each(|fork| fork.run_mut().watch(subject, stepping));
    }

    /// Whether the past of what is watched is being read.
    pub fn is_recalling(&self) -> bool {
        self.runs().any(LiveRun::is_recalling)
    }

    /// Moves a body of all runs by `shift`, m.
    pub fn shift(&mut self, body: BodyId, shift: DVec2) {
        self.main.shift(body, shift);
        let now = self.main.world().time();
        for fork in self.forks.iter_mut().filter(|fork| fork.exists_at(now)) {
            fork.run_mut().shift(body, shift);
        }
        if shift != DVec2::ZERO {
            self.begin_later_forks_here();
        }
    }

    /// The run that the others are measured against: the reference if there is one, otherwise the main run.
    pub fn standard(&self) -> &LiveRun {
        self.present().find(|fork| fork.role == Role::Reference).map_or(&self.main, Fork::run)
    }

    /// The scene's start again, for all runs. What was recorded since then stays as the future that was left there, if
    /// all runs have recorded it from the start on: a run that began later does not have the bodies that came on the way.
    pub fn restart(&mut self) {
        let left = self.main.leave_at_the_start();
        let others: Vec<_> =
            self.forks.iter_mut().map(|fork| fork.run_mut().leave_at_the_start()).collect();
        let mut pairs = self.forks.iter().zip(&others);
        let is_whole = pairs.all(|(fork, left)| fork.role == Role::Trajectory || left.is_some());
        self.main.restart();
        self.restart_cost();
        self.restart_forks();
        if is_whole {
            self.main.set_branch(left);
            self.forks.iter_mut().zip(others).for_each(|(fork, left)| fork.run_mut().set_branch(left));
        }
    }

    /// All forks from the scene's start, with the main run's pointer.
    pub fn restart_forks(&mut self) {
        let pointer = self.main.recorder().recorded();
        for fork in &mut self.forks {
            fork.restart(&self.main.scene, pointer.clone());
        }
    }

    /// From now on, steps are made as `stepping` says.
    pub fn move_to(&mut self, stepping: &Stepping) {
        self.main.move_to(stepping);
        for fork in &mut self.forks {
            fork.run_mut().move_to(stepping);
        }
    }

    /// Memory that the recorded states of all runs take, bytes.
    pub fn memory(&self) -> usize {
        self.main.memory() + self.forks.iter().map(|fork| fork.run().memory()).sum::<usize>()
    }

    /// Sets the memory for the recorded states of all runs, bytes.
    pub fn limit_history(&mut self, bytes: usize) {
        self.room = bytes;
        self.share_memory();
    }

    /// The memory for them, bytes.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Divides the memory for recorded states among the runs.
    fn share_memory(&mut self) {
        let runs = self.forks.len() + 1;
        self.main.keep_within(self.room / runs);
        for fork in &mut self.forks {
            fork.run_mut().keep_within(self.room / runs);
        }
    }
}
