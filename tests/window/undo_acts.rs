//! What a person does in the random sequences of edits: acts of every kind, each with random numbers.

use super::undo::a_box;
use super::undo_random::{KINDS, Window};
use driftlab::lcp::solvers;
use driftlab::method::{ContactRules, Effort, Integrator, Level};
use driftlab::model::{Body, BodyId, Shape};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::align::Alignment;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::parts::Parts;
use driftlab::workbench::editor::properties::{BODY, JOINT, NONHOLONOMIC, SPRING};
use driftlab::workbench::editor::scene_text::SceneText;
use driftlab::workbench::editor::shapes::corners;
use driftlab::workbench::editor::snap::Snap;
use driftlab::workbench::editor::toolbox::{Drawn, TOOLS};
use driftlab::workbench::editor::{Act, EditorIntent, Handle};
use driftlab::workbench::intent::{Intent, Standard};
use driftlab::workbench::options::OpenTable;
use driftlab::workbench::runs::comparison::Budget;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::stage::pointer::Button;
use glam::dvec2;

impl Window {
    /// Another number of some items that have it.
    fn set_a_number(&mut self) {
        let items = self.items();
        let Some(item) = self.one(&items) else { return };
        let alike = |other: &&Item| std::mem::discriminant(*other) == std::mem::discriminant(&item);
        let alike: Vec<_> = items.iter().filter(alike).copied().collect();
        let numbers: Vec<_> = match item {
            Item::Body(_) => BODY.iter().map(|own| own.parameter).collect(),
            Item::Joint(_) => JOINT.iter().map(|own| own.parameter).collect(),
            Item::Spring(_) => SPRING.iter().map(|own| own.parameter).collect(),
            Item::Velocity(_) => NONHOLONOMIC.iter().map(|own| own.parameter).collect(),
        };
        let Some(parameter) = self.one(&numbers) else { return };
        let value = self.random.between(-0.5, 2.0);
        let value = if self.random.below(2) == 0 { value.round() } else { value };
        let chosen = self.some(&alike);
        self.edit(Edit::Set(chosen, parameter, value));
    }

    /// A tool of the toolbox is drawn on the stage.
    fn place_something(&mut self) {
        let snap = Snap { grid: 0.05, reach: 0.02 };
        let by_points: Vec<_> =
            (0..TOOLS.len()).filter(|tool| TOOLS[*tool].drawn == Drawn::Points).collect();
        let tool = match self.random.below(3) {
            0 => self.one(&by_points).expect("one"),
            _ => self.random.below(TOOLS.len()),
        };
        self.apply(Command::Build(Act::Tool(tool)));
        for _ in 0..3 {
            let (from, by) = (self.a_place(), self.random.vec2(0.2));
            self.apply(Intent::Editor(EditorIntent::Press { at: from, reach: 0.02, adds: false, snap }));
            self.apply(Intent::Editor(EditorIntent::Drag { to: from + by, snap }));
            self.apply(Intent::Editor(EditorIntent::Release));
        }
        self.apply(Command::Build(Act::Finish));
        self.apply(Command::Dismiss);
    }

    /// A stroke with the selection or one of its handles.
    fn stroke(&mut self) {
        let (items, snap) = (self.items(), Snap::default());
        let chosen = self.some(&items);
        self.select(chosen);
        let (from, by) = (self.a_place(), self.random.vec2(0.2));
        let begin = match self.random.below(3) {
            0 => EditorIntent::Hold { handle: Handle::Turn, at: from },
            1 => EditorIntent::Hold { handle: Handle::Grow, at: from + by },
            _ => EditorIntent::Press { at: from, reach: 0.02, adds: true, snap },
        };
        self.apply(Intent::Editor(begin));
        for share in [0.3, 0.6, 1.0] {
            self.apply(Intent::Editor(EditorIntent::Drag { to: from + share * by, snap }));
        }
        self.apply(Intent::Editor(EditorIntent::Release));
    }

    /// A change of how the edited run is stepped.
    fn choose(&mut self) {
        let method = self.model.edited().method().clone();
        let setting = match self.random.below(8) {
            0 => Setting::Scheme(self.random.below(TABLE.len())),
            1 => {
                let mut stabilizer = method.stabilizer.clone();
                let values: Vec<_> = stabilizer.values.iter().map(|(parameter, _)| *parameter).collect();
                let Some(parameter) = self.one(&values) else { return };
                let value = parameter.default + self.random.between(0.0, 1.0).round();
                if stabilizer.values.set(parameter.key, value).is_err() {
                    return;
                }
                Setting::Stabilizer(stabilizer)
            }
            2 => Setting::Level(self.one(&Level::ALL).expect("one")),
            3 => Setting::Integrator(self.one(&Integrator::ALL).expect("one")),
            4 => Setting::Solver(self.one(&solvers().take(4).collect::<Vec<_>>()).expect("one")),
            5 => Setting::Effort(self.one(&Effort::ALL).expect("one")),
            6 => Setting::Contact(ContactRules {
                active_distance: Some(self.random.between(0.0, 0.02)),
                ..method.contact
            }),
            _ => Setting::TimeStep(self.random.between(5e-4, 2e-3)),
        };
        self.apply(setting);
    }

    /// What goes on beside the main run.
    fn compare(&mut self, kind: usize) {
        let (fork, scheme) = (self.a_fork(), self.random.below(TABLE.len()));
        match (kind, fork) {
            (0, _) => self.apply(Intent::Beside(scheme)),
            (1, _) => self.apply(Intent::Fork(fork)),
            (2, Some(fork)) => self.apply(Intent::Promote(fork)),
            (3, Some(fork)) => self.apply(Intent::Close(fork)),
            (4, _) if self.random.below(4) == 0 => self.apply(Intent::CloseAll),
            (5, _) => self.apply(Intent::Refer(Standard::Rattle)),
            (6, _) if self.random.below(3) == 0 => self.apply(Intent::Refer(Standard::SmallStep)),
            (7, _) => {
                let table =
                    OpenTable { title: "other.csv".to_owned(), path: None, text: self.table.clone() };
                self.apply(table);
            }
            // Whatever a step costs, a frame is then a single one of each run.
            (8, _) => self.apply(Intent::EqualCost(Some(Budget::Seconds(1e-12)))),
            (9, _) => self.apply(Intent::EqualCost(None)),
            _ => {
                self.apply(Intent::Edit(fork));
                self.choose();
            }
        }
    }

    /// Anything that a person may do.
    pub(super) fn act(&mut self) {
        let items = self.items();
        let (at, size) = (self.random.vec2(0.3), self.random.between(0.7, 1.3));
        let bodies: Vec<_> = items.iter().filter_map(|item| item.body()).collect();
        let _links: Vec<_> = items.iter().copied().filter(|item| item.body().is_none()).collect();
        let (body, some) = (self.one(&bodies), self.some(&items));
        let joint = self.one(self.model.run().world().joint_ids().to_vec().as_slice());
        let make = |make: EditorIntent| Intent::Editor(make);
        let (few, share) = (1 + self.random.below(8) as i32, self.random.between(0.0, 1.0));
        match (self.random.below(KINDS), body) {
            (0, _) => self.edit(Edit::Add(Box::new(a_box(at)))),
            (1, _) if items.len() > 6 => self.edit(Edit::Remove(some)),
            (2, Some(body)) => self.edit(Edit::Shift(vec![(body, at.extend(size - 1.0))])),
            (3, _) => self.edit(Edit::Move(some, 0.1 * at)),
            (4, _) => self.edit(Edit::Scale(some, at, size)),
            (5..=7, _) => self.set_a_number(),
            (8, Some(body)) => self.edit(Edit::Rename(body, format!("body {size:.3}"))),
            (9, _) => self.edit(Edit::Gravity(30.0 * at)),
            (10, _) => {
                if let Some(joint) = joint {
                    self.edit(Edit::Motor(joint, 10.0 * at.x, size));
                }
            }
            (11, Some(body)) => self.edit(Edit::Throw(body, 3.0 * at)),
            (12, _) => self.apply(make(EditorIntent::Assemble)),
            (13, _) => self.edit(Edit::Fit),
            (14, _) => self.apply(Intent::MakeConsistent),
            (15, _) => {
                self.select(items);
                let alignment = self.one(&Alignment::ALL).expect("one");
                self.apply(make(EditorIntent::Align(alignment)));
            }
            (16, _) if items.len() < 30 => {
                self.select(items);
                self.apply(Command::Build(Act::Duplicate));
            }
            (17, _) => {
                self.select(some);
                self.apply(Command::Build(Act::Delete));
            }
            (18, Some(body)) => {
                self.select(vec![Item::Body(body)]);
                self.apply(Command::Build(Act::Cut));
                self.play();
                if let Some(text) = self.clipboard() {
                    self.apply(make(EditorIntent::Paste(text)));
                }
            }
            (19, _) => {
                let text = self.one(&SceneText::ALL).expect("one");
                self.apply(make(EditorIntent::Write(text, format!("It is {size:.2} as large."))));
            }
            (20, _) => self.apply(make(EditorIntent::BeginHere)),
            (21, _) => {
                // While the window is paused a body is moved by hand.
                let at = self.a_place();
                self.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
                for share in [0.01, 0.02] {
                    self.apply(Intent::Drag(at + share * dvec2(size, -1.0)));
                }
                self.apply(Intent::Release);
            }
            (22, _) => self.place_something(),
            (23, _) => self.stroke(),
            (24, _) => self.choose(),
            (25, _) => self.apply(Command::CycleScheme(1)),
            (26, _) => {
                let time = self.model.run().world().time();
                self.apply(Intent::Seek(share * time));
            }
            (27, _) => self.apply(Command::Restart),
            (28, _) => {
                if let Some([begun, end]) = self.model.run().branch().map(|branch| branch.span()) {
                    self.apply(Intent::Enter { begun, time: 0.5 * (begun + end) });
                }
            }
            (29, _) => {
                self.go_back();
                self.pause();
            }
            (30, _) => self.apply(Command::Steps(few)),
            (31, _) => self.apply(Command::Steps(-few)),
            (32, _) => {
                self.apply(Command::Replay);
                self.pause();
            }
            (33..=38, _) => self.reshape(body, share),
            _ => {
                let kind = self.random.below(12);
                self.compare(kind);
            }
        }
    }

    /// The shapes of a body, the ends of what connects it, the scene's duration, a recording.
    fn reshape(&mut self, body: Option<BodyId>, share: f64) {
        let (items, at, kind) = (self.items(), self.random.vec2(0.3), self.random.below(6));
        let bodies: Vec<_> = items.iter().filter_map(|item| item.body()).collect();
        let links: Vec<_> = items.iter().copied().filter(|item| item.body().is_none()).collect();
        match (kind, body, self.one(&links)) {
            (0, Some(body), Some(link)) => self.edit(Edit::Attach(link, 1, at, body)),
            (1, ..) => {
                let world = self.model.run().world();
                let corners = bodies.iter().flat_map(|id| corners(&world[*id]).map(|own| (*id, own)));
                let corners: Vec<_> = corners.collect();
                match self.one(&corners) {
                    Some((id, (corner, place))) => self.edit(Edit::Bend(id, corner, place + 0.1 * at)),
                    None => {
                        let shape = Shape::polygon([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1]]);
                        let body = Body::dynamic().at(at).shape(shape).build().expect("a triangle");
                        let parts = Parts { bodies: vec![body], ..Parts::default() };
                        self.edit(Edit::Add(Box::new(parts)));
                    }
                }
            }
            (2, ..) => {
                let some: Vec<_> = bodies.into_iter().map(Item::Body).collect();
                let some = self.some(&some);
                self.edit(Edit::Join(some.into_iter().filter_map(Item::body).collect()));
            }
            (3, ..) => {
                let world = self.model.run().world();
                let several = bodies.into_iter().filter(|id| world[*id].shapes().len() > 1);
                if let Some(body) = self.one(&several.collect::<Vec<_>>()) {
                    self.edit(Edit::Split(body));
                }
            }
            (4, ..) => self.apply(Intent::Editor(EditorIntent::Duration(1.0 + share))),
            _ if self.model.comparison().forks().is_empty() => {
                self.apply(Command::Record);
                let at = self.a_place();
                self.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
                for _ in 0..4 {
                    self.apply(Intent::Drag(at + 0.1 * share));
                    self.model.advance(1.0 / 60.0);
                }
                self.apply(Intent::Release);
                // The mouse lets go with the next step.
                self.model.advance(1.0 / 60.0);
                self.apply(Command::Record);
                self.pause();
            }
            _ => {}
        }
    }
}
