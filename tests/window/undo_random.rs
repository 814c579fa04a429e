//! Random sequences of all that a person may change, undone and redone, also in their midst, against a list of the
//! states in which the changes were made.

use super::undo::bits;
use driftlab::experiment::{Run, TraceRecorder};
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::{Item, all};
use driftlab::workbench::editor::{Act, EditorIntent, Mode};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::comparison::{ForkId, Role};
use driftlab::workbench::runs::remedy::Remedy;
use driftlab::workbench::stage::pointer::Button;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::detect::Random;

/// Scenes with joints, contacts, springs, and velocity constraints; motors and all else are added.
const KEYS: [&str; 6] =
    ["six-link-chain", "box-at-rest", "four-bar-loop", "slider-crank", "spring-pendulum", "knife-edge"];
/// Sequences, and how much a person does in each.
const SEEDS: u64 = 12;
const ACTS: usize = 60;

/// Every kind of change, each of which the sequences have to contain.
const CHANGES: [&str; 48] = [
    // Edits of the world.
    "Add",
    "Remove",
    "Shift",
    "Move",
    "Attach",
    "Bend",
    "Join",
    "Split",
    "Scale",
    "Set",
    "Rename",
    "Gravity",
    "Motor",
    "Throw",
    "Fit",
    // What is done with the selection, the clipboard and the toolbox.
    "Assemble",
    "Align",
    "Duplicate",
    "Delete",
    "Cut",
    "Paste",
    "Drag",
    "Release",
    "Finish",
    "MakeConsistent",
    // The scene.
    "Write",
    "Duration",
    "Record",
    "BeginHere",
    // How runs are stepped.
    "Scheme",
    "Stabilizer",
    "Level",
    "Integrator",
    "Solver",
    "Effort",
    "Contact",
    "TimeStep",
    "CycleScheme",
    // The runs beside.
    "Beside",
    "Fork",
    "Refer",
    "PlayBack",
    "Promote",
    "Close",
    "CloseAll",
    "EqualCost",
    "no equal cost",
    "Remedy",
];
/// Kinds of what a person does, of which each is equally likely.
pub(super) const KINDS: usize = 46;

/// All runs to the bit, with their scenes' texts, their schemes and parameters, what they are for, and what is the same
/// about their cost.
#[derive(Clone, PartialEq)]
pub(super) struct State(Vec<String>);

impl State {
    fn of(model: &Model) -> Self {
        let runs = model.comparison();
        let cost = runs.equal_cost().map(|cost| (cost.budget(), cost.since(), cost.steps(1e-6)));
        let forks = runs.forks().iter().map(|fork| {
            let title = fork.run().played().map(|played| played.title.as_str());
            format!("{:?} {:?} {title:?} {}", fork.id, fork.role, bits(fork.run()))
        });
        Self([format!("{cost:?}"), bits(model.run())].into_iter().chain(forks).collect())
    }

    /// Where the other one differs first.
    fn difference(&self, other: &Self) -> String {
        if self.0.len() != other.0.len() {
            return format!("{} runs and {}", self.0.len() - 1, other.0.len() - 1);
        }
        let differ = self.0.iter().zip(&other.0).enumerate().find(|(_, (a, b))| a != b);
        let Some((run, (a, b))) = differ else { return "nothing".to_owned() };
        let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let around = |text: &str| {
            let bytes = &text.as_bytes()[at.saturating_sub(150).min(text.len())..(at + 60).min(text.len())];
            String::from_utf8_lossy(bytes).into_owned()
        };
        format!("run {run}: …{}… and …{}…", around(a), around(b))
    }
}

/// A window, and beside it what its list of changes has to lead to.
pub(super) struct Window {
    pub(super) model: Model,
    pub(super) random: Random,
    /// The trajectory that may be opened.
    pub(super) table: String,
    /// The states in which the changes that stand were made, and those in which the changes that were undone were left.
    pub(super) before: Vec<State>,
    pub(super) after: Vec<State>,
    /// How often each change was made, and how often changes were undone, redone, or given up for another one.
    pub(super) made: BTreeMap<String, usize>,
    pub(super) steps: [usize; 3],
    /// Where it is, for messages.
    pub(super) place: String,
}

impl Window {
    pub(super) fn new(key: &str, seed: u64) -> Self {
        let mut model = super::model(key);
        if seed % 12 == 6 {
            // A scene with a recording that nobody has just made.
            let text = super::recorded(key).run().to_scene().to_json();
            model.apply(Intent::Open(OpenScene { title: key.to_owned(), path: None, text }));
            model.runs.player.playing = false;
        }
        Self {
            model,
            random: Random(seed + 1),
            table: trace(key),
            before: Vec::new(),
            after: Vec::new(),
            made: BTreeMap::new(),
            steps: [0; 3],
            place: format!("{key}, seed {seed}"),
        }
    }

    pub(super) fn undone(&self) -> usize {
        self.model.runs.undo.undone().len()
    }

    pub(super) fn done(&self) -> usize {
        self.model.runs.undo.done().len()
    }

    /// Does something that may be a change: it is then the last one, and what was undone is given up.
    pub(super) fn apply(&mut self, intent: impl Into<Intent>) {
        let intent = intent.into();
        let said = format!("{intent:?}");
        let (was, done) = (State::of(&self.model), self.done());
        self.model.apply(intent);
        self.model.settle();
        if self.done() > done {
            let label = self.model.runs.undo.done()[done].label.clone();
            *self.made.entry(kind(&said, &label)).or_default() += 1;
            self.before.push(was);
            self.steps[2] += usize::from(!self.after.is_empty());
            self.after.clear();
        }
        assert_eq!(
            [self.done(), self.undone()],
            [self.before.len(), self.after.len()],
            "{}: {said}",
            self.place
        );
    }

    pub(super) fn edit(&mut self, edit: Edit) {
        self.apply(Intent::Editor(EditorIntent::Edit(edit)));
    }

    /// Compares what is there with what was there then.
    pub(super) fn is_at(&self, then: &State, what: &str) {
        let now = State::of(&self.model);
        assert!(now == *then, "{}: {what}: {}", self.place, now.difference(then));
    }

    pub(super) fn undo(&mut self) {
        let Some(then) = self.before.pop() else { return };
        let label = self.model.runs.undo.done()[self.before.len()].label.clone();
        self.after.push(State::of(&self.model));
        self.model.apply(Command::Build(Act::Undo));
        self.model.settle();
        self.steps[0] += 1;
        self.is_at(&then, &format!("undone: {label}"));
    }

    pub(super) fn redo(&mut self) {
        let Some(then) = self.after.pop() else { return };
        self.before.push(State::of(&self.model));
        self.model.apply(Command::Build(Act::Redo));
        self.model.settle();
        self.steps[1] += 1;
        self.is_at(&then, &format!("redone: {}", self.model.runs.undo.done()[self.before.len() - 1].label));
    }

    /// Goes to where that many changes stand, as a click into the list of changes does.
    pub(super) fn go_to(&mut self, count: usize) {
        let mut now = State::of(&self.model);
        while self.before.len() > count {
            let then = self.before.pop().expect("a change");
            self.after.push(std::mem::replace(&mut now, then));
        }
        while self.before.len() < count {
            let then = self.after.pop().expect("a change");
            self.before.push(std::mem::replace(&mut now, then));
        }
        self.model.apply(Intent::Editor(EditorIntent::GoTo(count)));
        self.model.settle();
        self.is_at(&now, &format!("{count} changes stand"));
    }

    /// Undoes down to the last change of the method or the world, as the card of a run that has blown up does; without
    /// one it begins the scene anew, which is a change.
    pub(super) fn go_back(&mut self) {
        let mut now = State::of(&self.model);
        let (before, intent) = (self.done(), Intent::Remedy(Remedy::Undo));
        self.model.apply(intent);
        self.model.settle();
        if self.done() > before {
            *self.made.entry("Remedy".to_owned()).or_default() += 1;
            self.before.push(now);
            self.steps[2] += usize::from(!self.after.is_empty());
            self.after.clear();
            return;
        }
        while self.before.len() > self.done() {
            let then = self.before.pop().expect("a change");
            self.after.push(std::mem::replace(&mut now, then));
            self.steps[0] += 1;
        }
        if self.done() < before {
            self.is_at(&now, "gone back");
        }
    }

    /// Time passes while the window plays, and the mouse may pull.
    pub(super) fn play(&mut self) {
        let pulls = self.random.below(3) == 0;
        self.model.apply(Intent::Play);
        let at = self.a_place();
        for frame in 0..1 + self.random.below(4) {
            if pulls && frame == 0 {
                self.model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
            }
            if pulls {
                self.model.apply(Intent::Drag(at + self.random.vec2(0.05)));
            }
            self.model.advance(1.0 / 240.0);
        }
        if pulls {
            self.model.apply(Intent::Release);
        }
        self.pause();
    }

    pub(super) fn pause(&mut self) {
        if self.model.runs.player.playing {
            self.model.apply(Command::TogglePlay);
        }
        while self.model.is_busy() {
            self.model.advance(1.0 / 240.0);
        }
        self.model.settle();
    }

    /// One of them.
    pub(super) fn one<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.random.below(of.len())].clone())
    }

    pub(super) fn items(&self) -> Vec<Item> {
        all(self.model.run().world()).collect()
    }

    /// Some of the items, at least one.
    pub(super) fn some(&mut self, of: &[Item]) -> Vec<Item> {
        let count = 1 + self.random.below(3);
        let chosen: BTreeSet<_> = (0..count).map(|_| self.random.below(of.len().max(1))).collect();
        chosen.into_iter().filter_map(|place| of.get(place).copied()).collect()
    }

    /// The middle of a body that moves.
    pub(super) fn a_place(&mut self) -> DVec2 {
        let bodies = self.model.run().world().bodies().iter().filter(|body| body.is_dynamic());
        let places: Vec<_> = bodies.map(|body| body.pose.position).collect();
        self.one(&places).unwrap_or_default()
    }

    pub(super) fn a_fork(&mut self) -> Option<ForkId> {
        let forks = self.model.comparison().forks().iter().filter(|fork| fork.role != Role::Trajectory);
        let forks: Vec<_> = forks.map(|fork| fork.id).collect();
        self.one(&forks)
    }

    /// Selects these; the mouse builds then.
    pub(super) fn select(&mut self, items: Vec<Item>) {
        self.apply(Command::Build(Act::Mode(Mode::Build)));
        self.apply(Intent::Editor(EditorIntent::Select(items)));
    }

    /// What was put into the clipboard last.
    pub(super) fn clipboard(&mut self) -> Option<String> {
        let mut copied = self.model.news.requests.drain(..).filter_map(|request| match request {
            Request::Copy(text) => Some(text),
            _ => None,
        });
        copied.next_back()
    }
}

/// What a change is, without the names and numbers in it: the innermost word of its intent.
fn kind(said: &str, label: &str) -> String {
    let within = |said: &str, outer: [&str; 2]| {
        let outer = outer.iter().find_map(|outer| said.strip_prefix(outer));
        outer.map_or_else(|| said.to_owned(), str::to_owned)
    };
    let inner = within(&within(said, ["Editor(", "Command("]), ["Edit(", "Build("]);
    let inner = if inner == said { within(said, ["Set(", "Set("]) } else { inner };
    let word = inner.split(['(', ' ', '{', ')']).next().unwrap_or_default();
    if label == "equal cost ended" { "no equal cost".to_owned() } else { word.to_owned() }
}

/// The poses of the scene's own run in its first steps, as another program would write them.
fn trace(key: &str) -> String {
    let mut run = Run::new(&super::scene(key), 20);
    let mut bytes = Vec::new();
    let mut trace = TraceRecorder::new(&mut bytes).expect("a header");
    trace.add(run.world()).expect("rows");
    while let Some(report) = run.next() {
        report.expect("a step");
        trace.add(run.world()).expect("rows");
    }
    trace.flush().expect("rows");
    drop(trace);
    String::from_utf8(bytes).expect("a text")
}

/// Makes these sequences; returns how often each change was made, and how often changes were undone, redone, or given
/// up for another one.
fn sequences(seeds: Range<u64>) -> (BTreeMap<String, usize>, [usize; 3]) {
    let (mut made, mut steps) = (BTreeMap::<String, usize>::new(), [0; 3]);
    for seed in seeds {
        let mut window = Window::new(KEYS[seed as usize % KEYS.len()], seed);
        window.apply(Command::Steps(seed as i32 % 12));
        for _ in 0..ACTS {
            match window.random.below(14) {
                0 => (0..=window.random.below(3)).for_each(|_| window.undo()),
                1 => (0..=window.random.below(2)).for_each(|_| window.redo()),
                2 => window.play(),
                3 if window.random.below(4) == 0 => {
                    let count = window.random.below(window.done() + window.undone() + 1);
                    window.go_to(count);
                }
                _ => window.act(),
            }
        }
        for _ in 0..2 {
            (0..window.done()).for_each(|_| window.undo());
            (0..window.undone()).for_each(|_| window.redo());
        }
        let all = window.done();
        window.go_to(0);
        window.go_to(all);
        window.made.into_iter().for_each(|(kind, count)| *made.entry(kind).or_default() += count);
        steps.iter_mut().zip(window.steps).for_each(|(sum, own)| *sum += own);
    }
    (made, steps)
}

/// Whatever was done, undoing all of it gives the first state bit for bit and redoing all of it the last, and each
/// change on the way leads to the state in which it was made: of all runs, their scenes, texts, schemes and parameters.
/// So it is when changes are undone in the midst of a sequence, redone, or given up for another one, and when time
/// passes between.
#[test]
fn whatever_is_done_is_undone_and_redone_bit_for_bit() {
    let (_, steps) = sequences(0..SEEDS);
    assert!(steps[0] > 150 && steps[1] > 150 && steps[2] > 15, "undone, redone, given up: {steps:?}");
}

/// The same of many more sequences, in which every kind of change is made.
#[test]
#[ignore = "three minutes; the continuous integration runs it"]
fn whatever_is_done_is_undone_and_redone_bit_for_bit_in_many_sequences() {
    // On two threads, since this is the longest of all tests.
    let halves = [1140..1260, 1260..1380].map(|seeds| std::thread::spawn(|| sequences(seeds)));
    let (mut made, mut steps) = (BTreeSet::new(), [0; 3]);
    for half in halves {
        let (own, count) = half.join().expect("sequences that are undone and redone");
        made.extend(own.into_keys());
        steps.iter_mut().zip(count).for_each(|(sum, own)| *sum += own);
    }
    let missing: Vec<_> = CHANGES.iter().filter(|kind| !made.contains(**kind)).collect();
    assert!(missing.is_empty(), "no {missing:?} among {made:?}");
    assert!(steps[0] > 3000, "undone, redone, given up: {steps:?}");
}
