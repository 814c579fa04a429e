//! Building: what a person selects, moves and edits on the stage, and the list of these changes.

use super::{Model, Request};
use crate::model::{BodyId, BodyKind};
use crate::scene::{CopiedParts, FORMAT, read_parts, write_parts};
use crate::workbench::editor::edit::{Edit, turned};
use crate::workbench::editor::item::{self, Item};
use crate::workbench::editor::parts::Parts;
use crate::workbench::editor::place::{Place, under};
use crate::workbench::editor::snap::{Snap, nearest};
use crate::workbench::editor::toolbox::{Drawn, Group, TOOLS, Tool};
use crate::workbench::editor::{Act, EditorIntent, Handle, Mode, Stroke};
use crate::workbench::options::OpenScene;
use crate::workbench::stage::transit::Transit;
use crate::workbench::text::prose::capitalised;
use crate::workbench::view_state::plot_view::Tab;
use crate::workbench::view_state::side_tab::SideTab;
use crate::workbench::watched::Watchable;
use glam::DVec2;

/// Heading of a refusal.
const NOT_PASTED: &str = "This was not added";
/// Name and time step (s) of a scene from nothing.
pub(super) const NEW: &str = "New scene";
const NEW_STEP: f64 = 0.002;
/// Distance within which a tool finds a body, points.
const PLACED: f64 = 12.0;
/// How far a copy lies from its original, in lines of the grid.
const ASIDE: f64 = 2.0;

impl Model {
    /// Does what a key or a button asks for.
    pub(crate) fn act(&mut self, act: Act) {
        match act {
            Act::Mode(mode) => self.choose_mode(mode),
            Act::Tool(tool) => {
                if !self.build.is_on() {
                    // Bodies are thrown, shot and cut loose in the midst of motion.
                    let acts = TOOLS.get(tool).is_some_and(|own| own.group == Group::Actions);
                    let playing = self.runs.player.playing && acts;
                    self.choose_mode(Mode::Build);
                    self.runs.player.playing = playing;
                }
                self.build.points.clear();
                self.build.tool = Some(tool);
            }
            Act::Finish => self.place(),
            Act::New => self.begin_from_nothing(),
            Act::Undo => self.undo_last(),
            Act::Redo => self.redo_next(),
            Act::Delete => {
                let selection = std::mem::take(&mut self.build.selection);
                if !selection.is_empty() {
                    self.edit_world(Edit::Remove(selection));
                }
            }
            Act::Duplicate => {
                if let Some(copy) = self.copied() {
                    let aside = ASIDE * self.sight.camera.grid_step();
                    self.add(&copy, DVec2::new(aside, -aside));
                }
            }
            Act::SelectAll => {
                if !self.build.is_on() {
                    self.choose_mode(Mode::Build);
                }
                self.build.selection = item::all(self.run().world()).collect();
            }
            Act::Copy => self.copy_selection(),
            Act::Cut => {
                self.copy_selection();
                self.act(Act::Delete);
            }
        }
    }

    /// A stroke on the stage begins.
    pub(crate) fn begin_stroke(&mut self) {
        self.runs.stroke += 1;
    }

    /// Does what building asks for.
    pub(crate) fn make(&mut self, make: EditorIntent) {
        match make {
            EditorIntent::Press { at, reach, adds, snap } => match self.build.placing() {
                Some(tool) => self.begin_placing(tool, at, snap),
                None => self.press_on(at, reach, adds),
            },
            EditorIntent::Count(count) => self.build.count = count,
            EditorIntent::Hold { handle, at } => self.hold_handle(handle, at),
            EditorIntent::Drag { to, snap } => self.drag_to(to, snap),
            EditorIntent::Release => self.end_stroke(),
            EditorIntent::Snaps(snaps) => self.build.snaps = snaps,
            EditorIntent::Select(items) => self.build.selection = items,
            EditorIntent::Edit(edit) => {
                let added = self.edit_world(edit).unwrap_or_default();
                if !added.is_empty() {
                    self.build.selection = added;
                }
            }
            EditorIntent::Write(text, words) => self.runs.comparison.write(text, &words),
            EditorIntent::Duration(seconds) => self.runs.comparison.last_for(seconds),
            EditorIntent::BeginHere => self.runs.comparison.begin_here(),
            EditorIntent::Assemble => {
                let before = Transit::from(self.run().world());
                if self.edit_world(Edit::Assemble).is_some() {
                    self.runs.player.playing = false;
                    self.build.transit = (!self.view.still).then_some(before);
                }
            }
            EditorIntent::Align(alignment) => {
                let edit = alignment.edit(self.aimed_at().world(), &self.selected_bodies());
                self.edit_world(edit);
            }
            EditorIntent::Paste(text) => self.paste(&text),
            EditorIntent::GoTo(count) => self.go_to(count),
        }
    }

    /// A scene without bodies, to be built.
    fn begin_from_nothing(&mut self) {
        let mode = format!("{{\"kind\": \"{}\"}}", super::ARGUMENT[1]);
        let settings = format!("{{\"time_step\": {NEW_STEP}, \"stabilizer\": {mode}}}");
        let text = format!(
            "{{\"format\": \"{FORMAT}\", \"name\": \"{NEW}\", \"settings\": {settings}, \"bodies\": []}}"
        );
        self.open(OpenScene { title: NEW.to_owned(), path: None, text });
        self.choose_mode(Mode::Build);
        // Also where the mouse has built before.
        (self.layout.side, self.layout.panel_open) = (SideTab::Build, !self.layout.seen_narrow);
    }

    /// The keys that switch forces of the scene, as switches: they do nothing else, but while one builds.
    pub fn switching_keys(&self) -> u64 {
        if self.build.is_on() {
            return 0;
        }
        let driven = self.run().world().bodies().iter().flat_map(|body| &body.driven);
        driven.filter_map(|own| own.switch).fold(0, |keys, own| keys | 1 << own)
    }

    /// The selected bodies.
    pub fn selected_bodies(&self) -> Vec<BodyId> {
        self.build.selection.iter().filter_map(|item| item.body()).collect()
    }

    fn choose_mode(&mut self, mode: Mode) {
        if mode == Mode::Build && !self.build.is_on() {
            self.runs.goal = None;
            self.runs.player.playing = false;
            self.layout.side = SideTab::Build;
            self.layout.panel_open = !self.layout.seen_narrow;
            let selected = self.hand.selected.take().map(|it| Item::Body(it.body));
            self.build.selection = selected.into_iter().collect();
        }
        if mode != Mode::Build {
            // Nothing is selected that is not drawn so.
            self.build.selection.clear();
        }
        (self.build.stroke, self.build.tool) = (Stroke::None, None);
        self.build.points.clear();
        self.build.mode = mode;
        self.hand.selected = self.hand.selected.filter(|_| mode != Mode::Build);
    }

    fn press_on(&mut self, at: DVec2, reach: f64, adds: bool) {
        self.begin_stroke();
        let world = self.aimed_at().world();
        let Some(item) = item::pick(world, at, reach) else {
            if !adds {
                self.build.selection.clear();
            }
            self.build.stroke = Stroke::Frame { from: at, to: at, adds };
            return;
        };
        let point = nearest(world, item, at);
        if self.shown.plot.tab == Tab::Watch {
            self.runs.watched = Watchable::of_item(item).or(self.runs.watched);
        }
        let selection = &mut self.build.selection;
        match (selection.iter().position(|other| *other == item), adds) {
            (Some(place), true) => drop(selection.remove(place)),
            (None, true) => selection.push(item),
            (Some(_), false) => {}
            (None, false) => *selection = vec![item],
        }
        self.build.stroke = Stroke::Move { from: at, point, done: DVec2::ZERO };
    }

    /// A press that draws with a tool: it begins a line or a box, or adds a point.
    fn begin_placing(&mut self, tool: &Tool, at: DVec2, snap: Snap) {
        self.begin_stroke();
        let at = snap.point(self.aimed_at().world(), at, &[]);
        if tool.drawn != Drawn::Points {
            self.build.stroke = Stroke::Place { from: at, to: at };
            return;
        }
        let points = &mut self.build.points;
        let ends =
            [points.first(), points.last()].into_iter().flatten().any(|end| end.distance(at) <= snap.reach);
        if ends { self.place() } else { points.push(at) }
    }

    /// Places what has been drawn, and selects it.
    fn place(&mut self) {
        let points = std::mem::take(&mut self.build.points);
        let Some(tool) = self.build.placing().filter(|_| !points.is_empty()) else { return };
        match tool.edit(self.placed(&points)) {
            Ok(edit) => {
                let chosen =
                    if let Edit::Motor(id, ..) = edit { Some(vec![Item::Joint(id)]) } else { None };
                let driven = match &edit {
                    Edit::Set(items, ..) => Some(items.clone()),
                    Edit::Driven(id, _) => Some(vec![Item::Body(*id)]),
                    _ => chosen,
                };
                if let Some(mut added) = self.edit_world(edit) {
                    // The ground that a joint has brought with it is not what was placed.
                    if matches!(tool.group, Group::Joints | Group::Velocities) {
                        added.retain(|item| item.body().is_none());
                    }
                    self.build.selection = driven.unwrap_or(added);
                }
            }
            Err(why) => self.say(format!("Not placed: {why}")),
        }
    }

    /// What a tool is given that was drawn through these points.
    pub(crate) fn placed<'a>(&'a self, points: &'a [DVec2]) -> Place<'a> {
        let reach = PLACED / self.sight.camera.scale;
        let world = self.aimed_at().world();
        Place { world, points, grid: self.sight.camera.grid_step(), reach, count: self.build.count }
    }

    fn hold_handle(&mut self, handle: Handle, at: DVec2) {
        self.begin_stroke();
        let Some([low, high]) = self.selected_box() else { return };
        let about = 0.5 * (low + high);
        let arm = at - about;
        self.build.stroke = match handle {
            Handle::Turn => Stroke::Turn { about, from: arm.y.atan2(arm.x), done: 0.0 },
            Handle::Grow => Stroke::Grow { about, from: arm.length().max(f64::MIN_POSITIVE), done: 1.0 },
            Handle::End(_) | Handle::Corner(_) => Stroke::Bend(handle),
        };
    }

    fn drag_to(&mut self, to: DVec2, snap: Snap) {
        let world = self.aimed_at().world();
        let bodies = self.selected_bodies();
        let (edit, stroke) = match self.build.stroke {
            Stroke::None => return,
            Stroke::Place { from, .. } => {
                let is_line = self.build.placing().is_some_and(|tool| tool.drawn == Drawn::Line);
                let to = if is_line { snap.end(world, from, to) } else { snap.point(world, to, &[]) };
                self.build.stroke = Stroke::Place { from, to };
                return;
            }
            Stroke::Frame { from, adds, .. } => {
                self.build.stroke = Stroke::Frame { from, to, adds };
                return;
            }
            Stroke::Move { from, point, done } => {
                let wanted = snap.point(world, point + (to - from), &self.build.selection) - point;
                // A press that goes nowhere moves nothing to the grid.
                let wanted = if (to - from).length() < snap.reach && done == DVec2::ZERO {
                    DVec2::ZERO
                } else {
                    wanted
                };
                (
                    (wanted != done).then(|| Edit::Move(self.build.selection.clone(), wanted - done)),
                    Stroke::Move { from, point, done: wanted },
                )
            }
            Stroke::Bend(handle) => (self.bent(handle, to, snap), Stroke::Bend(handle)),
            Stroke::Turn { about, from, done } => {
                let arm = to - about;
                let wanted = snap.angle(arm.y.atan2(arm.x) - from);
                let edit = turned(world, &bodies, about, wanted - done);
                ((wanted != done).then_some(edit), Stroke::Turn { about, from, done: wanted })
            }
            Stroke::Grow { about, from, done } => {
                let wanted = snap.factor(((to - about).length() / from).max(1e-3));
                let edit = Edit::Scale(self.build.selection.clone(), about, wanted / done);
                ((wanted != done).then_some(edit), Stroke::Grow { about, from, done: wanted })
            }
        };
        if let Some(edit) = edit {
            self.runs.player.playing = false;
            if let Some(added) = self.edit_world(edit) {
                self.build.stroke = stroke;
                if !added.is_empty() {
                    // The same rod or spring, on another body.
                    self.build.selection = added;
                }
            }
        }
    }

    /// What the end of a rod or spring, or a corner, becomes that is taken to a point, m.
    fn bent(&self, handle: Handle, to: DVec2, snap: Snap) -> Option<Edit> {
        let world = self.aimed_at().world();
        let item = *self.build.selection.first()?;
        let to = snap.point(world, to, &[item]);
        match handle {
            Handle::Corner(corner) => Some(Edit::Bend(item.body()?, corner, to)),
            Handle::End(end) => {
                let ends = item::ends(world, item)?;
                let moves = |index: usize| world.bodies()[index].is_dynamic();
                let fits =
                    |index: &usize| *index != ends[1 - end] && (moves(*index) || moves(ends[1 - end]));
                let here = under(world, to, PLACED / self.sight.camera.scale);
                // Beside all bodies it hangs on one that stands still, as a new rod would.
                let still = || world.bodies().iter().position(|body| body.kind() == BodyKind::Fixed);
                let on = if here.is_empty() { still() } else { here.into_iter().find(fits) };
                let on = on.filter(fits).unwrap_or(ends[end]);
                Some(Edit::Attach(item, end, to, world.id_of(on)?))
            }
            Handle::Turn | Handle::Grow => None,
        }
    }

    fn end_stroke(&mut self) {
        let stroke = std::mem::take(&mut self.build.stroke);
        if let Stroke::Place { from, to } = stroke {
            self.build.points = vec![from, to];
            return self.place();
        }
        if let Stroke::Frame { from, to, adds } = stroke {
            let inside = item::within(self.aimed_at().world(), [from.min(to), from.max(to)]);
            if !adds {
                self.build.selection.clear();
            }
            let new = inside.into_iter().filter(|item| !self.build.selection.contains(item));
            let new: Vec<Item> = new.collect();
            self.build.selection.extend(new);
        }
    }

    /// The box around everything that is selected, m.
    pub fn selected_box(&self) -> Option<[DVec2; 2]> {
        let world = self.aimed_at().world();
        let points = self.build.selection.iter().flat_map(|item| match item {
            Item::Body(id) => crate::workbench::editor::align::outline(world, *id)
                .map_or(Vec::new(), |sides| sides.to_vec()),
            _ => item::places(world, *item),
        });
        let points: Vec<DVec2> = points.collect();
        let low = points.iter().copied().reduce(DVec2::min)?;
        let high = points.iter().copied().reduce(DVec2::max)?;
        Some([low, high])
    }

    /// The selected bodies with what connects them; a message if there are none.
    fn copied(&mut self) -> Option<CopiedParts> {
        let copy = Parts::copied(self.run().world(), &self.build.selection);
        let copy = copy.ok().filter(|copy| !copy.world.bodies().is_empty());
        if copy.is_none() && self.build.is_on() {
            self.say("Select bodies to copy them".to_owned());
        }
        copy
    }

    fn copy_selection(&mut self) {
        if let Some(copy) = self.copied() {
            self.news.requests.push(Request::Copy(write_parts(&copy)));
            let what = match copy.world.bodies().len() - copy.hang_on.len() {
                1 => "1 body".to_owned(),
                more => format!("{more} bodies"),
            };
            self.say(format!("Copied {what}: Ctrl+V adds a copy, here or in another window"));
        }
    }

    fn paste(&mut self, text: &str) {
        match read_parts(text) {
            Ok(copy) => {
                let bodies = copy.world.bodies().iter().zip(copy.world.body_ids());
                let places = bodies.filter(|(_, id)| !copy.hang_on.contains(id));
                let places: Vec<_> = places.map(|(body, _)| body.pose.position).collect();
                let middle = places.iter().sum::<DVec2>() / places.len().max(1) as f64;
                let aside = ASIDE * self.sight.camera.grid_step();
                let by = self.hand.hover.cursor.map_or(DVec2::new(aside, -aside), |cursor| cursor - middle);
                if !self.build.is_on() {
                    self.choose_mode(Mode::Build);
                }
                self.add(&copy, by);
            }
            Err(problems) => self.refuse(NOT_PASTED, "parts".to_owned(), super::opening::listed(&problems)),
        }
    }

    /// Adds a copy of other bodies, moved by that distance, m, and selects it.
    fn add(&mut self, copy: &CopiedParts, by: DVec2) {
        let mut copy = copy.clone();
        let all = copy.world.body_ids().iter().map(|id| Item::Body(*id)).collect();
        if let Err(why) = Edit::Move(all, by).carry_out(&mut copy.world) {
            return self.say(capitalised(&why));
        }
        let parts = Parts::of(&copy, self.run().world());
        if let Some(added) = self.edit_world(Edit::Add(Box::new(parts))) {
            self.build.selection = added;
        }
    }

    /// Carries out an edit in all runs; returns what was added, or says why it is refused.
    pub(crate) fn edit_world(&mut self, edit: Edit) -> Option<Vec<Item>> {
        let label = edit.label(self.run().world());
        match self.runs.comparison.edit_world(&edit) {
            Ok(added) => {
                self.build.did = Some(label);
                let world = self.runs.comparison.main().world();
                self.build.selection.retain(|item| item::exists(world, *item));
                Some(added)
            }
            Err(why) => {
                self.say(format!("Not done: {why}"));
                None
            }
        }
    }
}
