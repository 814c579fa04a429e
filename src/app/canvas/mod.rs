//! The canvas: the picture of the world, and the mouse's actions on it.
//!
//! It is painted through egui's painter like everything else, so that one set of coordinates serves drawing,
//! text and the mouse, and tests can drive it without a display. egui's own hit test decides at the press
//! whether a drag belongs to the canvas or to a panel above it.

mod arrows;
mod bearing;
mod belts;
mod bodies;
mod build;
mod contacts;
mod discs;
mod drives;
mod fields;
mod forces;
mod gears;
mod ghosts;
mod glow;
mod grid;
mod islands;
mod joints;
mod legend;
pub(super) mod linked;
mod lost;
mod misalignment;
mod moments;
mod overlay;
mod panes;
mod pulleys;
mod push;
mod stroke;
mod surroundings;
pub(super) mod thumbnail;
mod trails;
mod wires;

use crate::app::theme::Coloured;
use crate::detect::pick;
use crate::model::ContactState;
use crate::workbench::editor::item::{self, Item};
use crate::workbench::editor::{EditorIntent, Mode};
use crate::workbench::intent::{Hover, Intent, Intents, Selected};
use crate::workbench::model::Model;
use crate::workbench::runs::comparison::ForkId;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::pointer::{Button, Hold};
use crate::workbench::view_state::arrangement::pane_at;
use crate::workbench::view_state::camera::WHEEL_FACTOR;
use crate::workbench::watched::Watchable;
use egui_macroquad::egui::{
    self, CursorIcon, Id, PointerButton, Pos2, Rect, Response, Sense, Stroke, Vec2, vec2,
};
use glam::DVec2;
use panes::Pane;
use std::sync::Arc;

/// Points that one notch of the wheel scrolls.
pub const NOTCH: f32 = 40.0;
/// Distance within which the nearest body that moves is grabbed, points: links are thin and swing. A press farther from
/// all of them pushes.
const REACH: f64 = 24.0;
/// Part of that distance within which a click chooses a contact.
const CONTACT: f64 = 0.25;
/// Radius of the rings round the ends of what is watched, points.
const RING: f32 = 8.0;
/// A press on a body that is shorter (s) and moves less (points) than this does not pull: it may be a click.
const CLICK_SECONDS: f64 = 0.15;
const CLICK_REACH: f32 = 3.0;
/// Widths of the lines round the body under the cursor and the selected one, points.
const POINTED: f32 = 2.0;
const SELECTED: f32 = 2.6;

/// Room about a text, points.
const PADDING: Vec2 = vec2(4.0, 1.0);
/// Distance between the names of the runs and the legend of the arrows, points.
const LEGEND_GAP: f32 = 10.0;

/// Draws the canvas, and returns what a click on the name of a run asks for.
pub(super) fn draw(ui: &egui::Ui, model: &Model, rect: Rect) -> Intents {
    let pointed = pointed(model);
    show_cursor(ui, model, pointed);
    let (headings, written) = paint(ui, model, rect, pointed);
    ui.data_mut(|data| data.insert_temp(places_of_texts(), Arc::new(written)));
    choose_run(ui, model, &headings)
}

/// Where egui keeps the places of the texts over the canvas in the last frame.
fn places_of_texts() -> Id {
    Id::new("texts over the canvas")
}

/// Places of the texts over the canvas in the last frame.
pub(super) fn texts(ctx: &egui::Context) -> Arc<Vec<Rect>> {
    ctx.data(|data| data.get_temp(places_of_texts())).unwrap_or_default()
}

/// Turns what the mouse does on the canvas into intents.
pub(super) fn mouse(ui: &egui::Ui, model: &Model, response: &Response) -> Intents {
    let mut intents = Intents::new();
    pressed_and_moved(ui, model, response, &mut intents);
    intents
}

fn pressed_and_moved(ui: &egui::Ui, model: &Model, response: &egui::Response, intents: &mut Intents) {
    let panes = model.panes();
    let under = response.hover_pos().or(response.interact_pointer_pos());
    // A drag stays in the pane in which it began.
    let pane = match model.hand.hold {
        Hold::Free if model.build.stroke == crate::workbench::editor::Stroke::None => {
            under.map_or(model.sight.aim, |at| pane_at(&panes, at))
        }
        _ => model.sight.aim,
    };
    if pane != model.sight.aim {
        intents.push(Intent::Aim(pane));
    }
    let rect = model.pane(pane);
    let in_world = |at| model.sight.camera.to_world(rect, at);
    let cursor = response.hover_pos().map(in_world);
    let hover = Hover { cursor, setting_reach: response.hovered() && ui.input(|i| i.modifiers.ctrl) };
    intents.push(Intent::Hover(hover));
    if let Some(at) = response.hover_pos().or(response.interact_pointer_pos()) {
        intents.extend(wheel(ui, model, hover, at));
    }
    if let Some(at) = response.interact_pointer_pos() {
        way(ui, response);
        // A slow frame may bring a press and the way from it together.
        let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
        drag(ui, model, response, [in_world(origin), in_world(at)], intents);
    }
    if response.drag_stopped() && model.build.is_on() {
        intents.extend([Intent::Release, Intent::Editor(EditorIntent::Release)]);
    } else if response.drag_stopped() {
        intents.push(Intent::Release);
        let clicked = ui.input(|i| i.pointer.primary_clicked()) && way(ui, response) < CLICK_REACH;
        let at = response.interact_pointer_pos().filter(|_| clicked);
        intents.extend(at.map(|at| chosen(model, in_world(at))));
    } else if let Some(at) = response.hover_pos().filter(|_| is_tapped(ui)).map(in_world) {
        if model.build.is_on() {
            intents.extend([build::press(ui, model, at), Intent::Editor(EditorIntent::Release)]);
        } else {
            intents.push(chosen(model, at));
        }
    }
}

/// Whether a frame has brought the left button down and up again at one place, as a slow one does: egui takes it for no drag.
fn is_tapped(ui: &egui::Ui) -> bool {
    ui.input(|i| {
        let place = |down: bool| {
            i.events.iter().find_map(|event| match event {
                egui::Event::PointerButton { pos, button: PointerButton::Primary, pressed, .. } => {
                    (*pressed == down).then_some(*pos)
                }
                _ => None,
            })
        };
        let way = place(true).zip(place(false)).map(|(from, to)| from.distance(to));
        !i.pointer.primary_down() && way.is_some_and(|way| way < CLICK_REACH)
    })
}

/// How far the press that is under way, or ends in this frame, has gone from its beginning at most, points.
fn way(ui: &egui::Ui, response: &Response) -> f32 {
    let id = response.id.with("way");
    let (origin, farthest) = ui.data(|data| data.get_temp::<(Pos2, f32)>(id)).unwrap_or_default();
    let at = response.interact_pointer_pos().unwrap_or(origin);
    let begun =
        ui.input(|i| i.pointer.press_origin()).filter(|begun| *begun != origin || response.drag_started());
    let (origin, farthest) = begun.map_or((origin, farthest), |begun| (begun, 0.0));
    let farthest = farthest.max(at.distance(origin));
    ui.data_mut(|data| data.insert_temp(id, (origin, farthest)));
    farthest
}

/// What a click at a world point chooses: a row of the solver, or to watch the contact, the joint or the spring there,
/// else to select the body, or none.
fn chosen(model: &Model, at: DVec2) -> Intent {
    if let Some(solve) = linked::chosen_by_click(model) {
        return Intent::Solve(solve);
    }
    let (world, reach) = (model.aimed_at().world(), REACH / model.sight.camera.scale);
    let near = |contact: &&ContactState| contact.point.distance(at) <= CONTACT * reach;
    let contact = world.contacts().iter().filter(|_| model.view.contacts).find(near);
    let subject = match item::pick(world, at, reach) {
        Some(Item::Joint(id)) => Some(Watchable::Joint(id)),
        Some(Item::Spring(id)) => Some(Watchable::Spring(id)),
        _ => contact.map(Watchable::of_contact),
    };
    subject.map_or_else(|| Intent::Select(selection(model, at)), Intent::Watch)
}

/// What a click at a world point selects: the body there, or none.
fn selection(model: &Model, at: DVec2) -> Option<Selected> {
    let world = model.aimed_at().world();
    let body = pick(world, at, REACH / model.sight.camera.scale)?;
    Some(Selected { body, at: world[body].point_in_body(at) })
}

/// Whether the press under way may still become a click, and not a drag.
fn may_be_click(ui: &egui::Ui) -> bool {
    ui.input(|i| {
        let moved = i.pointer.press_origin().zip(i.pointer.interact_pos()).map(|(a, b)| a.distance(b));
        let lasts = i.pointer.press_start_time().map(|start| i.time - start);
        moved.is_some_and(|way| way < CLICK_REACH) && lasts.is_some_and(|time| time < CLICK_SECONDS)
    })
}

/// Whether the press under way, now at the world point `at`, is on a body.
fn on_body(model: &Model, at: DVec2) -> bool {
    match model.hand.hold {
        Hold::Body { .. } => true,
        // The press of this frame has not been carried out yet.
        Hold::Free => selection(model, at).is_some(),
        Hold::Push | Hold::View | Hold::Nothing => false,
    }
}

/// The body under the cursor, unless the mouse holds something.
fn pointed(model: &Model) -> Option<usize> {
    let points = model.hand.hold == Hold::Free && !model.build.is_on();
    let at = model.hand.hover.cursor.filter(|_| points)?;
    let world = model.aimed_at().world();
    world.index_of(pick(world, at, REACH / model.sight.camera.scale)?)
}

fn show_cursor(ui: &egui::Ui, model: &Model, pointed: Option<usize>) {
    match model.hand.hold {
        Hold::View => ui.ctx().set_cursor_icon(CursorIcon::Move),
        Hold::Body { .. } => ui.ctx().set_cursor_icon(CursorIcon::PointingHand),
        Hold::Free if model.build.is_on() && model.hand.hover.cursor.is_some() => {
            ui.ctx().set_cursor_icon(build::cursor(model))
        }
        Hold::Free if pointed.is_some() && model.build.mode == Mode::Pull => {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand)
        }
        Hold::Free | Hold::Push | Hold::Nothing => {}
    }
}

/// The wheel zooms; while the mouse pushes, the wheel sets the push's strength, and with Ctrl its reach.
fn wheel(ui: &egui::Ui, model: &Model, hover: Hover, about: egui::Pos2) -> Option<Intent> {
    let mut push = model.run().push;
    if hover.setting_reach {
        push.turn_radius(notches(ui));
    } else if model.hand.hold == Hold::Push {
        push.turn_strength(notches(ui));
    } else {
        let notches = ui.input(|i| i.smooth_scroll_delta.y) / NOTCH;
        let factor = WHEEL_FACTOR.powf(notches.into());
        return (notches != 0.0).then_some(Intent::Zoom { about: about.into(), factor });
    }
    (push != model.run().push).then_some(Intent::Push(push))
}

/// Notches by which the wheel was turned since the last frame, without egui's smoothing and in the same unit on every
/// platform.
fn notches(ui: &egui::Ui) -> f64 {
    let turned = |event: &egui::Event| match event {
        egui::Event::MouseWheel { delta, .. } if delta.y != 0.0 => f64::from(delta.y.signum()),
        _ => 0.0,
    };
    ui.input(|i| i.events.iter().map(turned).sum())
}

/// A drag that began on the canvas: the held body, push or view follows the world point `at`.
fn drag(
    ui: &egui::Ui,
    model: &Model,
    response: &egui::Response,
    [origin, at]: [DVec2; 2],
    intents: &mut Intents,
) {
    let pressed = [
        (PointerButton::Primary, Button::Left),
        (PointerButton::Secondary, Button::Right),
        (PointerButton::Middle, Button::Middle),
    ];
    let left =
        response.drag_started_by(PointerButton::Primary) || response.dragged_by(PointerButton::Primary);
    if model.build.is_on() && left && model.hand.hold == Hold::Free {
        return build::drag(ui, model, response, at, intents);
    }
    let mut views = model.hand.hold == Hold::View;
    if let Some((_, button)) = pressed.into_iter().find(|(theirs, _)| response.drag_started_by(*theirs)) {
        let pushes = model.build.mode == Mode::Push || ui.input(|i| i.modifiers.shift);
        let button = if button == Button::Left && pushes { Button::ShiftLeft } else { button };
        views = button.moves_view();
        // A press beside the bodies on a joint or contact whose row a click would choose does not push.
        let chooses = button == Button::Left && linked::under_cursor(model).is_some();
        if chooses && selection(model, origin).is_none() {
            return;
        }
        intents.push(Intent::Press { button, at: origin, reach: REACH / model.sight.camera.scale });
    }
    if views {
        intents.push(Intent::Pan(response.drag_delta().into()));
    } else if !(may_be_click(ui) && on_body(model, at)) {
        intents.push(Intent::Drag(at));
    }
}

/// The name of a run over its pane: none for the main run, and its place.
type Heading = (Option<ForkId>, Rect);

/// A click on the name over a pane chooses the run whose method the panel edits.
fn choose_run(ui: &egui::Ui, model: &Model, headings: &[Heading]) -> Intents {
    let clicked = headings.iter().filter(|(fork, place)| {
        let name = ui.interact(*place, ui.id().with(("heading", fork)), Sense::click_and_drag());
        let hint = "Click: the panel shows and edits this run's parameters.";
        name.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(hint).clicked()
    });
    let edits = clicked.filter(|(fork, _)| *fork != model.edited_fork().map(|fork| fork.id));
    edits.map(|(fork, _)| Intent::Edit(*fork)).collect()
}

/// Paints everything; returns the names over the panes, and the places of all texts.
fn paint(ui: &egui::Ui, model: &Model, rect: Rect, pointed: Option<usize>) -> (Vec<Heading>, Vec<Rect>) {
    let mut headings = Vec::new();
    let mut texts_end = rect.top() + overlay::TEXTS;
    let (panes, palette, camera) = (panes::of(model), model.view.palette(), &model.sight.camera);
    let several = panes.len() > 1;
    for Pane { rect, run } in &panes {
        let (painter, rect, run) = (&ui.painter_at(*rect), *rect, *run);
        let scene = Picture { painter, rect, camera, palette };
        let pointed = pointed.filter(|_| std::ptr::eq(run, model.aimed_at()));
        paint_run(&scene, model, run, pointed);
        if std::ptr::eq(run, model.run()) {
            linked::paint(&scene, model);
        }
        if several {
            headings.push((fork_of(model, run), panes::heading(&scene, model, run)));
        } else if model.comparison().present().next().is_some() {
            ghosts::paint(&scene, model);
            let legend = panes::legend(&scene, model);
            texts_end = legend.iter().fold(texts_end, |end, (_, name)| end.max(name.bottom() + LEGEND_GAP));
            headings.extend(legend.into_iter().map(|(run, place)| (fork_of(model, run), place)));
        }
    }
    let scene = Picture { painter: &ui.painter_at(rect), rect, camera, palette };
    if several {
        panes::separate(&scene, &panes);
    }
    let headed: Vec<_> = headings.iter().map(|(_, name)| name.expand2(vec2(0.0, overlay::LINE))).collect();
    if model.view.grid {
        grid::scale_bar(&scene, &headed);
    }
    let mut taken = overlay::paint(&scene, model, several);
    taken.extend(headed);
    if !several {
        taken.extend(legend::paint(&scene, model, model.run(), texts_end));
    }
    let painters: Vec<_> = panes.iter().map(|pane| ui.painter_at(pane.rect)).collect();
    let pictures = panes.iter().zip(&painters);
    let pictures = pictures.map(|(pane, painter)| Picture { painter, rect: pane.rect, camera, palette });
    let pictures: Vec<_> = pictures.collect();
    let runs = pictures.iter().zip(&panes);
    let lost: Vec<_> =
        runs.map(|(picture, pane)| lost::arrows(picture, pane.run.world(), &mut taken)).collect();
    let most = lost.iter().map(|groups| lost::count(groups)).max().unwrap_or(0);
    overlay::corner(&scene, model, most, &mut taken);
    for (picture, groups) in pictures.iter().zip(&lost) {
        lost::labels(picture, groups, &mut taken);
    }
    (headings, taken)
}

/// Which fork a run is; none for the main run.
fn fork_of(model: &Model, run: &LiveRun) -> Option<ForkId> {
    model.comparison().present().find(|fork| std::ptr::eq(fork.run(), run)).map(|fork| fork.id)
}

/// One run's picture, with a line round the body that is pointed at.
fn paint_run(scene: &Picture<'_>, model: &Model, run: &LiveRun, pointed: Option<usize>) {
    let between = model.build.transit.as_ref().map(|transit| transit.shown(run.world()));
    let (world, view) = (between.as_ref().unwrap_or(run.world()), &model.view);
    if view.grid {
        grid::lines(scene);
    }
    fields::behind(scene, world);
    trails::paint(scene, model, run);
    let islands = islands::Islands::shown(view, world);
    let tint = ghosts::tint(scene, model, run);
    bodies::paint(scene, world, |index| match &islands {
        Some(islands) => islands.color(index, scene.palette),
        None => tint.unwrap_or(scene.palette.body(index)),
    });
    fields::centres(scene, world);
    belts::paint(scene, world);
    outlined(scene, model, run, pointed);
    surroundings::boxes(scene, world, view);
    if view.joints {
        joints::paint(scene, world, view.magnification, run.extent());
    }
    contacts::paint(scene, model, run);
    forces::of_joints(scene, model, run);
    moments::of_joints(scene, model, run);
    bodies::marks(scene, world, view);
    bodies::applied(scene, world);
    forces::of_selected(scene, model, run);
    if model.build.is_on() {
        build::paint(scene, model, world);
    }
    push::paint(scene, model);
    joints::grab(scene, world);
}

/// Lines round the body under the cursor and the selected one.
fn outlined(scene: &Picture<'_>, model: &Model, run: &LiveRun, pointed: Option<usize>) {
    let bodies = run.world().bodies();
    let selected = model.selected_in(run);
    if let Some(body) = pointed.filter(|index| Some(*index) != selected).and_then(|index| bodies.get(index))
    {
        bodies::emphasize(scene, body, Stroke::new(POINTED, scene.palette.text.gamma_multiply(0.6)));
    }
    if let Some(body) = selected.and_then(|index| bodies.get(index)) {
        bodies::emphasize(scene, body, Stroke::new(SELECTED, scene.palette.text));
    }
    let rings = model.watched().map_or_else(Vec::new, |subject| subject.places(run.world()));
    for place in rings {
        scene.painter.circle_stroke(scene.at(place), RING, Stroke::new(SELECTED, scene.palette.text));
    }
}

/// What every part of the picture is drawn with.
struct Picture<'a> {
    painter: &'a egui::Painter,
    rect: Rect,
    camera: &'a crate::workbench::view_state::camera::Camera,
    palette: &'a super::theme::Palette,
}

impl Picture<'_> {
    /// The ground of a text at that place.
    fn behind(&self, place: Rect) {
        self.painter.rect_filled(place.expand2(PADDING), 3.0, self.palette.behind());
    }

    fn at(&self, world: DVec2) -> egui::Pos2 {
        self.camera.to_screen(self.rect, world)
    }
}
