//! The gallery of a person's own scenes, tours and shipped scenes: cards with pictures, grouped, searched by typing,
//! driven by keys and pointer alike.

use super::super::theme::Palette;
use super::layers::{CARD, DIALOG, raise};
use super::{fixed, header, tour, weak};
use crate::app::canvas::thumbnail;
use crate::app::text::elided::elided;
use crate::app::theme::Coloured;
use crate::model::World;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::library::shelf::{Browsing, Group, Item, words};
use crate::workbench::model::Model;
use crate::workbench::text::prose::prose;
use egui_macroquad::egui::{
    self, Align, Context, FontId, Id, Key, Label, Modifiers, Rect, Response, RichText, Sense, Stroke,
    StrokeKind, TextEdit, Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2,
};
use std::borrow::Cow;

/// Largest width of the gallery, points, and its largest share of the window's width.
const WIDTH: f32 = 1120.0;
const SHARE: f32 = 0.68;
/// Distance from the window's lower edge, points.
const MARGIN: f32 = 12.0;
/// Least width of a card, height of its picture as a share of its width, height of its texts, and distance between cards, points.
const NARROWEST: f32 = 148.0;
const PICTURE: f32 = 0.6;
const TEXTS: f32 = 36.0;
const GAP: f32 = 8.0;
/// Height of a heading, and its distance from the group above it, points.
const HEADING: f32 = 20.0;
const ABOVE_HEADING: f32 = 8.0;
/// Height of the description of the highlighted card, points.
const ABOUT: f32 = 112.0;
/// Rows that the page keys go.
const PAGE: isize = 3;
/// Distance of a card's contents from its edge, points.
const INSET: f32 = 5.0;
/// Headings of a person's own files and of the tours.
const MINE: &str = "Mine: recent files, and those of your folder";
const TOURS: &str = "Tours: an idea, step by step";

/// A card.
struct Entry<'a> {
    heading: &'static str,
    item: Item,
    name: Cow<'a, str>,
    below: String,
    world: Option<&'a World>,
}

pub(super) fn show(ctx: &Context, model: &Model, intents: &mut Intents) {
    let Some(present) = &model.library.shelf.browsing else { return };
    let whole = ctx.screen_rect();
    let corner = header::below_scenes(ctx);
    let size = vec2(WIDTH.min(SHARE * whole.width()), whole.height() - corner.y - MARGIN);
    let entries = entries(model, &present.search);
    let mut next = present.clone();
    let rows = rows(&entries, columns(size.x));
    let moved = highlight(ctx, model, &entries, &rows, &mut next);
    if ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        return intents.push(Intent::Browse(None));
    }
    let entered = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    let mut opened = next.highlighted.filter(|_| entered);
    // A press beside the gallery closes it and does nothing else.
    let id = Id::new("beside the scenes");
    let beside = egui::Area::new(id).order(CARD).fixed_pos(whole.min);
    let beside = beside.show(ctx, |ui| ui.allocate_response(whole.size(), Sense::click_and_drag())).inner;
    raise(ctx, id);
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
                fixed::place(ui, list.y, |ui| cards(ui, model, &entries, &rows, &next, moved));
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
            Item::Mine(place) => match model.library.shelf.files.get(place) {
                Some(file) => Intent::OpenPath(file.path.clone()),
                None => Intent::Browse(None),
            },
        });
    } else if next != *present {
        intents.push(Intent::Browse(Some(next)));
    }
}

/// Own files, tours and scenes that contain every word of `search`, in the order of the gallery.
fn entries<'a>(model: &'a Model, search: &str) -> Vec<Entry<'a>> {
    let words = words(search);
    let has_words = |text: String| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let files = model.library.shelf.files.iter().enumerate();
    let files =
        files.filter(|(_, file)| has_words(format!("{} {} {MINE}", file.name, file.path.display())));
    let files = files.map(|(place, file)| Entry {
        heading: MINE,
        item: Item::Mine(place),
        name: file.name.as_str().into(),
        below: file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        world: file.about.world.as_ref(),
    });
    let tours = model.library.tours.iter().enumerate();
    let tours = tours.filter(|(_, tour)| has_words(format!("{} {TOURS}", tour.name)));
    let tours = tours.map(|(index, tour)| {
        let scene = tour.steps.iter().find_map(|step| model.library.shelf.find(step.scene.as_ref()?));
        Entry {
            heading: TOURS,
            item: Item::Tour(index),
            name: tour::numbered(index, tour).into(),
            below: format!("{} steps", tour.steps.len()),
            world: scene.and_then(|scene| scene.about.world.as_ref()),
        }
    });
    let found: Vec<_> = model.library.shelf.found(search).collect();
    let groups = Group::ALL.into_iter();
    let scenes = groups.flat_map(|group| found.iter().filter(move |listed| listed.group == group));
    let scenes = scenes.map(|listed| Entry {
        heading: listed.group.title(),
        item: Item::Scene(listed.key),
        name: listed.name.as_str().into(),
        below: listed.source.clone(),
        world: listed.about.world.as_ref(),
    });
    files.chain(tours).chain(scenes).collect()
}

/// Cards beside each other in a gallery of that width.
fn columns(width: f32) -> usize {
    ((width / (NARROWEST + GAP)) as usize).max(1)
}

/// The places of the cards of each row: a group begins in a row of its own.
fn rows(entries: &[Entry<'_>], columns: usize) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if row.len() < columns && entries[row[0]].heading == entry.heading => row.push(place),
            _ => rows.push(vec![place]),
        }
    }
    rows
}

/// The card that is highlighted after this frame's keys; returns whether it has to be scrolled to.
fn highlight(
    ctx: &Context,
    model: &Model,
    entries: &[Entry<'_>],
    rows: &[Vec<usize>],
    next: &mut Browsing,
) -> bool {
    let here = entries.iter().position(|entry| Some(entry.item) == next.highlighted);
    let mut steps = Vec::new();
    ctx.input_mut(|input| {
        for (key, cards, lines) in [
            (Key::ArrowRight, 1, 0),
            (Key::ArrowLeft, -1, 0),
            (Key::ArrowDown, 0, 1),
            (Key::ArrowUp, 0, -1),
            (Key::PageDown, 0, PAGE),
            (Key::PageUp, 0, -PAGE),
        ] {
            let times = input.count_and_consume_key(Modifiers::NONE, key);
            steps.extend(std::iter::repeat_n([cards, lines], times));
        }
    });
    let last = entries.len().saturating_sub(1);
    let there = match here {
        Some(index) => steps.into_iter().fold(index, |at, [cards, lines]| {
            if lines == 0 {
                return at.saturating_add_signed(cards).min(last);
            }
            let row = rows.iter().position(|row| row.contains(&at)).unwrap_or(0);
            let column =
                rows.get(row).and_then(|row| row.iter().position(|place| *place == at)).unwrap_or(0);
            let row = rows.get(row.saturating_add_signed(lines).min(rows.len().saturating_sub(1)));
            row.and_then(|row| row.get(column).or(row.last())).copied().unwrap_or(at)
        }),
        // On opening, the present scene; after a search, the first card whose name has the words, or the first one found.
        None if next.search.trim().is_empty() => {
            entries.iter().position(|entry| is_open(model, entry.item)).unwrap_or(0).min(last)
        }
        None => {
            let words = words(&next.search);
            let named = |entry: &Entry<'_>| {
                let name = entry.name.to_lowercase();
                words.iter().all(|word| name.contains(word))
            };
            entries.iter().position(named).unwrap_or(0).min(last)
        }
    };
    next.highlighted = entries.get(there).map(|entry| entry.item);
    here != Some(there)
}

fn is_open(model: &Model, item: Item) -> bool {
    match (item, model.library.progress) {
        (Item::Tour(index), Some(progress)) => progress.tour == index,
        (Item::Scene(key), None) => model.files.title == key,
        (Item::Mine(place), None) => model
            .document
            .path()
            .is_some_and(|own| model.library.shelf.files.get(place).is_some_and(|file| file.path == own)),
        _ => false,
    }
}

fn search(ui: &mut Ui, next: &mut Browsing, palette: &Palette) {
    let hint = weak("type to search   ·   arrows and Enter   ·   Esc", palette.weak);
    let words = TextEdit::singleline(&mut next.search).hint_text(hint).desired_width(f32::INFINITY);
    let words = ui.add(words);
    if words.changed() {
        next.highlighted = None;
    }
    if !words.has_focus() {
        words.request_focus();
    }
}

/// The cards under their headings; returns the one that was clicked and the one under the pointer.
fn cards(
    ui: &mut Ui,
    model: &Model,
    entries: &[Entry<'_>],
    rows: &[Vec<usize>],
    next: &Browsing,
    moved: bool,
) -> [Option<Item>; 2] {
    let (mut clicked, mut pointed) = (None, None);
    fixed::column(ui, "scenes", |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let columns = columns(ui.available_width()) as f32;
        let width = (ui.available_width() - GAP * (columns - 1.0)) / columns;
        let size = vec2(width, PICTURE * width + TEXTS);
        let mut heading = "";
        for row in rows {
            let first = &entries[row[0]];
            if heading != first.heading {
                // Where the first group begins nothing stands above its heading.
                ui.add_space(if heading.is_empty() { 0.0 } else { ABOVE_HEADING });
                heading = first.heading;
                let text = weak(heading, model.view.palette().accent);
                fixed::place(ui, HEADING, |ui| ui.add(Label::new(text).selectable(false)));
            }
            let (line, _) =
                ui.allocate_exact_size(vec2(ui.available_width(), size.y + GAP), Sense::hover());
            for (column, place) in row.iter().enumerate() {
                let corner = line.min + vec2(column as f32 * (width + GAP), 0.0);
                let entry = &entries[*place];
                let highlighted = next.highlighted == Some(entry.item);
                let card = card(ui, model, entry, Rect::from_min_size(corner, size), highlighted);
                if highlighted && moved {
                    card.scroll_to_me(Some(Align::Center));
                }
                if card.clicked() {
                    clicked = Some(entry.item);
                }
                if card.hovered() {
                    pointed = Some(entry.item);
                }
            }
        }
        if entries.is_empty() {
            ui.label(weak("Nothing contains these words.", model.view.palette().weak));
        }
    });
    [clicked, pointed]
}

/// A card: its picture, its name, and in small type where it comes from; a dot marks what is open.
fn card(ui: &mut Ui, model: &Model, entry: &Entry<'_>, place: Rect, highlighted: bool) -> Response {
    let palette = model.view.palette();
    let response = ui.interact(place, ui.id().with(("card", &*entry.name, entry.heading)), Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, highlighted, &*entry.name));
    if !ui.is_rect_visible(place) {
        return response;
    }
    let visuals = ui.visuals();
    let (ground, edge) = match (highlighted, response.hovered()) {
        (true, _) => (visuals.selection.bg_fill, Stroke::new(1.5, palette.accent)),
        (false, true) => (visuals.widgets.hovered.weak_bg_fill, Stroke::NONE),
        (false, false) => (visuals.faint_bg_color, Stroke::NONE),
    };
    let painter = ui.painter().with_clip_rect(place.intersect(ui.clip_rect()));
    painter.rect(place, 5.0, ground, edge, StrokeKind::Inside);
    let inner = place.shrink(INSET);
    let picture = Rect::from_min_max(inner.min, pos2(inner.right(), place.bottom() - TEXTS));
    painter.rect_filled(picture, 3.0, palette.background);
    if let Some(world) = entry.world {
        thumbnail::paint(&painter, picture.shrink(INSET), world, palette);
    }
    let left = if is_open(model, entry.item) {
        painter.circle_filled(pos2(inner.left() + 4.0, picture.bottom() + 10.0), 3.0, palette.accent);
        inner.left() + 11.0
    } else {
        inner.left()
    };
    let name =
        elided(&painter, &*entry.name, FontId::proportional(13.0), palette.text, inner.right() - left);
    painter.galley(pos2(left, picture.bottom() + 2.0), name, palette.text);
    // On the ground of a marked card the weak colour is too faint to read.
    let faint = if highlighted || response.hovered() { palette.text } else { palette.weak };
    let below = elided(&painter, &entry.below, FontId::proportional(10.5), faint, inner.width());
    painter.galley(pos2(inner.left(), picture.bottom() + 17.0), below, faint);
    response
}

/// What the highlighted card opens, and what to try there.
fn about(ui: &mut Ui, model: &Model, item: Option<Item>) {
    let weak_color = model.view.palette().weak;
    ui.separator();
    let text = |text: &str| RichText::new(prose(text)).size(12.5);
    match item {
        Some(Item::Tour(index)) => {
            let Some(tour) = model.library.tours.get(index) else { return };
            ui.label(RichText::new(tour::numbered(index, tour)).strong());
            ui.label(weak(format!("A tour of {} steps", tour.steps.len()), weak_color));
            ui.label(text(tour.steps.first().map_or("", |step| &step.text)));
        }
        Some(Item::Mine(place)) => {
            let Some(file) = model.library.shelf.files.get(place) else { return };
            ui.label(RichText::new(&file.name).strong());
            ui.label(weak(file.path.display().to_string(), weak_color));
            ui.label(text(first_sentence(&file.description)));
            ui.label(text(&file.about.observe).color(model.view.palette().accent));
        }
        Some(Item::Scene(key)) => {
            let Some(listed) = model.library.shelf.find(key) else { return };
            ui.horizontal(|ui| {
                ui.label(RichText::new(&listed.name).strong());
                ui.label(weak(&listed.source, weak_color));
            });
            ui.label(text(first_sentence(&listed.description)));
            ui.label(text(&listed.about.observe).color(model.view.palette().accent));
        }
        None => {}
    }
}

/// The first sentence of a text.
fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}
