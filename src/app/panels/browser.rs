//! The list of tours and shipped scenes: grouped, searched by typing, driven by keys.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::theme::Palette;
use super::layers::{CARD, DIALOG, raise};
use super::{fixed, header, weak};
use crate::app::model::shelf::{Browsing, Group, Item, Listed, words};
use crate::app::text::elided::elided;
use crate::app::text::prose::prose;
use egui_macroquad::egui::{
    self, Align, Context, FontId, Id, Key, Label, Modifiers, Response, RichText, Sense, TextEdit, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};

/// Width of the list, points.
const WIDTH: f32 = 430.0;
/// Largest share of the window's width.
const SHARE: f32 = 0.6;
/// Distance from the window's lower edge, points.
const MARGIN: f32 = 12.0;
/// Height of a line and of a heading, points.
const LINE: f32 = 21.0;
/// Distance of a group from the one above it, points.
const ABOVE_HEADING: f32 = 6.0;
/// Height of the description of the highlighted line, points.
const ABOUT: f32 = 108.0;
/// Lines that the page keys go.
const PAGE: isize = 12;
/// Heading of the tours.
const TOURS: &str = "Tours: an idea, step by step";

/// A line of the list.
struct SceneEntry<'a> {
    heading: &'static str,
    item: Item,
    name: &'a str,
    source: &'a str,
}

pub(super) fn show(ctx: &Context, model: &Model, intents: &mut Intents) {
    let Some(present) = &model.shelf.browsing else { return };
    let lines = lines(model, &present.search);
    let mut next = present.clone();
    let moved = highlight(ctx, model, &lines, &mut next);
    if ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        return intents.push(Intent::Browse(None));
    }
    let entered = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    let mut opened = next.highlighted.filter(|_| entered);
    // A press beside the list closes it and does nothing else.
    let whole = ctx.screen_rect();
    let id = Id::new("beside the scenes");
    let beside = egui::Area::new(id).order(CARD).fixed_pos(whole.min);
    let beside = beside.show(ctx, |ui| ui.allocate_response(whole.size(), Sense::click_and_drag())).inner;
    raise(ctx, id);
    let corner = header::below_scenes(ctx);
    let size = vec2(WIDTH.min(SHARE * whole.width()), whole.height() - corner.y - MARGIN);
    let area = egui::Area::new(Id::new("scenes")).order(DIALOG).fixed_pos(corner);
    let shown = area.show(ctx, |ui| {
        let frame = egui::Frame::window(ui.style()).inner_margin(8.0);
        frame.show(ui, |ui| {
            let inner = size - frame.total_margin().sum();
            ui.set_min_size(inner);
            ui.set_max_size(inner);
            search(ui, &mut next, model.view.palette());
            let list = vec2(inner.x, inner.y - ui.min_rect().height().min(40.0) - ABOUT);
            let [clicked, pointed] =
                fixed::place(ui, list.y, |ui| list_of(ui, model, &lines, &next, moved));
            opened = opened.or(clicked);
            fixed::place(ui, ABOUT, |ui| about(ui, model, pointed.or(next.highlighted)));
        });
    });
    ctx.move_to_top(shown.response.layer_id);
    if beside.clicked() || beside.drag_started() {
        intents.push(Intent::Browse(None));
    } else if let Some(item) = opened {
        intents.push(match item {
            Item::Scene(key) => Intent::OpenShipped(key),
            Item::Tour(tour) => Intent::Tour { tour, step: 0 },
        });
    } else if next != *present {
        intents.push(Intent::Browse(Some(next)));
    }
}

/// Tours and scenes that contain every word of `search`, in the order of the list.
fn lines<'a>(model: &'a Model, search: &str) -> Vec<SceneEntry<'a>> {
    let words = words(search);
    let tours = model.tours.iter().enumerate();
    let named = tours.filter(|(_, tour)| {
        let text = format!("{} {TOURS}", tour.name).to_lowercase();
        words.iter().all(|word| text.contains(word))
    });
    let tours = named.map(|(index, tour)| SceneEntry {
        heading: TOURS,
        item: Item::Tour(index),
        name: &tour.name,
        source: "",
    });
    let scene = |listed: &'a Listed| SceneEntry {
        heading: listed.group.title(),
        item: Item::Scene(listed.key),
        name: &listed.name,
        source: &listed.source,
    };
    let found: Vec<_> = model.shelf.found(search).collect();
    let groups = Group::ALL.into_iter();
    let scenes = groups.flat_map(|group| found.iter().filter(move |listed| listed.group == group));
    tours.chain(scenes.map(|listed| scene(listed))).collect()
}

/// The line that is highlighted after this frame's keys; returns whether it has to be scrolled to.
fn highlight(ctx: &Context, model: &Model, lines: &[SceneEntry<'_>], next: &mut Browsing) -> bool {
    let place = |item| lines.iter().position(|line| Some(line.item) == item);
    let here = place(next.highlighted);
    let mut by = 0;
    ctx.input_mut(|input| {
        for (key, lines) in
            [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, PAGE), (Key::PageUp, -PAGE)]
        {
            by += lines * input.count_and_consume_key(Modifiers::NONE, key) as isize;
        }
    });
    let last = lines.len().saturating_sub(1);
    let there = match here {
        Some(index) => index.saturating_add_signed(by).min(last),
        // On opening, the present scene; after a search, the first line whose name has the words, or the first one found.
        None if next.search.trim().is_empty() => {
            lines.iter().position(|line| is_open(model, line.item)).unwrap_or(0).min(last)
        }
        None => {
            let words = words(&next.search);
            let named = |line: &SceneEntry<'_>| {
                let name = line.name.to_lowercase();
                words.iter().all(|word| name.contains(word))
            };
            lines.iter().position(named).unwrap_or(0).min(last)
        }
    };
    next.highlighted = lines.get(there).map(|line| line.item);
    here != Some(there)
}

fn is_open(model: &Model, item: Item) -> bool {
    match (item, model.progress) {
        (Item::Tour(index), Some(progress)) => progress.tour == index,
        (Item::Scene(key), None) => model.title == key,
        _ => false,
    }
}

fn search(ui: &mut Ui, next: &mut Browsing, palette: &Palette) {
    let hint = weak("type to search   ·   ↑ ↓ and Enter   ·   Esc", palette.weak);
    let words = TextEdit::singleline(&mut next.search).hint_text(hint).desired_width(f32::INFINITY);
    let words = ui.add(words);
    if words.changed() {
        next.highlighted = None;
    }
    if !words.has_focus() {
        words.request_focus();
    }
}

/// The lines under their headings; returns the one that was clicked and the one under the pointer.
fn list_of(
    ui: &mut Ui,
    model: &Model,
    lines: &[SceneEntry<'_>],
    next: &Browsing,
    moved: bool,
) -> [Option<Item>; 2] {
    let (mut clicked, mut pointed) = (None, None);
    fixed::column(ui, "scenes", |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut heading = "";
        for line in lines {
            if heading != line.heading {
                heading = line.heading;
                // Where the first group begins nothing stands above its heading.
                let above = if line.item == lines[0].item { 0.0 } else { ABOVE_HEADING };
                ui.add_space(above);
                let text = weak(heading, model.view.palette().accent);
                fixed::place(ui, LINE, |ui| ui.add(Label::new(text).selectable(false)));
            }
            let highlighted = next.highlighted == Some(line.item);
            let row = row(ui, model, line, highlighted);
            if highlighted && moved {
                row.scroll_to_me(Some(Align::Center));
            }
            if row.clicked() {
                clicked = Some(line.item);
            }
            if row.hovered() {
                pointed = Some(line.item);
            }
        }
        if lines.is_empty() {
            ui.label(weak("Nothing contains these words.", model.view.palette().weak));
        }
    });
    [clicked, pointed]
}

/// A line: its name, at the right end its source; a dot marks what is open.
fn row(ui: &mut Ui, model: &Model, line: &SceneEntry<'_>, highlighted: bool) -> Response {
    let palette = model.view.palette();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, highlighted, line.name));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let ground = match (highlighted, response.hovered()) {
        (true, _) => Some(ui.visuals().selection.bg_fill),
        (false, true) => Some(ui.visuals().widgets.hovered.weak_bg_fill),
        (false, false) => None,
    };
    let painter = ui.painter_at(rect);
    if let Some(ground) = ground {
        painter.rect_filled(rect, 3.0, ground);
    }
    let middle = rect.left_center();
    if is_open(model, line.item) {
        painter.circle_filled(middle + vec2(7.0, 0.0), 3.0, palette.accent);
    }
    let font = FontId::proportional(13.0);
    let name = elided(&painter, line.name, font, palette.text, rect.width() - 22.0);
    let name_at = middle + vec2(16.0, -0.5 * name.size().y);
    let room = rect.right() - 6.0 - (name_at.x + name.size().x + 12.0);
    painter.galley(name_at, name, palette.text);
    let small = FontId::proportional(11.0);
    // On the ground of a marked line the weak colour is too faint to read.
    let faint = if ground.is_some() { palette.text } else { palette.weak };
    let source = elided(&painter, line.source, small, faint, room);
    let corner = pos2(rect.right() - 6.0 - source.size().x, middle.y - 0.5 * source.size().y);
    painter.galley(corner, source, faint);
    response
}

/// What the highlighted line opens.
fn about(ui: &mut Ui, model: &Model, item: Option<Item>) {
    let weak_color = model.view.palette().weak;
    ui.separator();
    let text = |text: &str| RichText::new(prose(text)).size(12.5);
    match item {
        Some(Item::Tour(index)) => {
            let Some(tour) = model.tours.get(index) else { return };
            ui.label(RichText::new(&tour.name).strong());
            ui.label(weak(format!("A tour of {} steps", tour.steps.len()), weak_color));
            ui.label(text(tour.steps.first().map_or("", |step| &step.text)));
        }
        Some(Item::Scene(key)) => {
            let Some(listed) = model.shelf.find(key) else { return };
            ui.label(RichText::new(&listed.name).strong());
            if !listed.source.is_empty() {
                ui.label(weak(&listed.source, weak_color));
            }
            ui.label(text(&listed.description));
        }
        None => {}
    }
}
