//! Colours: schemes can be told apart by all eyes, and texts can be read on what lies behind them.

use super::drawn::{blend, texts};
use super::panels::{row, window};
use super::sight::{contrast, least};
use super::walk::everything;
use driftlab::app::screen::OnScreen;
use driftlab::app::theme::Coloured;
use driftlab::app::theme::{DARK, LIGHT, Palette};
use driftlab::schemes::TABLE;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::view_state::arrangement::Arrangement;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::{Color32, Rect, Shape, pos2};

/// Least difference of any two schemes of one origin, of different origins, and of the two runs of the first screen, ΔE₀₀.
const APART: f64 = 10.0;
const ORIGINS_APART: f64 = 6.5;
const FIRST_APART: f64 = 25.0;
/// Least contrast of a text [WCAG 2.1, success criterion 1.4.3].
const LEGIBLE: f64 = 4.5;

fn scheme(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme of the table")
}

/// Eyes without one of the three cones tell any two schemes of a group apart by colour, with less ease those of different
/// groups, which the panel shows apart, and at a glance the two runs of the first screen: one of twelve men lacks a cone, and
/// red beside green is one tan to most of them.
#[test]
fn schemes_differ_to_all_eyes() {
    for (theme, palette) in [("dark", DARK), ("light", LIGHT)] {
        // Behind the last scheme stand the trajectories of other programs.
        for a in 0..=TABLE.len() {
            for b in 0..a {
                let (apart, eyes) = least(palette.scheme(a), palette.scheme(b));
                let [one, other] = [a, b].map(|place| TABLE.get(place).map(|scheme| scheme.info()));
                let [of_one, of_other] = [one, other].map(|info| info.map(|info| info.origin));
                let needed = if of_one == of_other { APART } else { ORIGINS_APART };
                let [one, other] = [one, other].map(|info| info.map_or("a trajectory", |info| info.key));
                assert!(apart >= needed, "{theme}: {one} and {other} are {apart:.1} apart to a {eyes}");
            }
        }
        // Other engines stand in a group of their own, whether this program has them or not.
        let engines = palette.plots.engines.map(|(key, [r, g, b])| (key, Color32::from_rgb(r, g, b)));
        let [(box2d, one), (rapier, other)] = engines;
        let (apart, eyes) = least(one, other);
        assert!(apart >= APART, "{theme}: {box2d} and {rapier} are {apart:.1} apart to a {eyes}");
        for (key, color) in engines {
            for place in 0..=TABLE.len() {
                let (apart, eyes) = least(color, palette.scheme(place));
                assert!(
                    apart >= ORIGINS_APART,
                    "{theme}: {key} and place {place} are {apart:.1} apart to a {eyes}"
                );
            }
            for ground in [palette.background, palette.panel] {
                assert!(contrast(color, ground) >= LEGIBLE, "{theme}: {key}");
            }
            assert!(contrast(palette.contrast(color), color) >= LEGIBLE, "{theme}: on {key}");
        }
        let first = ["none", "post_stabilization"].map(|key| palette.scheme(scheme(key)));
        let (apart, eyes) = least(first[0], first[1]);
        assert!(apart >= FIRST_APART, "{theme}: the first screen's runs are {apart:.1} apart to a {eyes}");
    }
}

/// So do the colours that stand for opposites: contacts that stick and slide, entries of a matrix above and below zero,
/// errors and what holds.
#[test]
fn opposites_differ_to_all_eyes() {
    for (theme, palette) in [("dark", DARK), ("light", LIGHT)] {
        let Palette { stick, slide, accent, error, .. } = palette;
        for (a, b, what) in
            [(stick, slide, "stick, slide"), (accent, slide, "+, −"), (error, stick, "error, held")]
        {
            let (apart, eyes) = least(a, b);
            assert!(apart >= APART, "{theme}: {what} are {apart:.1} apart to a {eyes}");
        }
    }
}

/// The colours of the lines and outlines of the last frame within a part of the screen, without those that let the ground shine
/// through.
fn strokes(harness: &Harness<'_, Model>, within: Rect) -> Vec<Color32> {
    let mut found = Vec::new();
    let mut see = |shape: &Shape| {
        let bounds = shape.visual_bounding_rect();
        let stroke = match shape {
            Shape::Rect(rect) => rect.stroke.color,
            Shape::LineSegment { stroke, .. } => stroke.color,
            Shape::Path(path) => match path.stroke.color {
                egui_macroquad::egui::epaint::ColorMode::Solid(color) => color,
                _ => return,
            },
            Shape::Circle(circle) => circle.fill,
            _ => return,
        };
        if within.intersects(bounds) && !found.contains(&stroke) {
            found.push(stroke);
        }
    };
    fn each(shape: &Shape, see: &mut impl FnMut(&Shape)) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| each(shape, see)),
            shape => see(shape),
        }
    }
    harness.output().shapes.iter().for_each(|clipped| each(&clipped.shape, &mut see));
    found
}

/// Plot, stage and chips draw a scheme in its own colour at full strength: what is told apart in the theme is told apart on the
/// screen.
#[test]
fn schemes_keep_their_colours_wherever_they_are_drawn() {
    for dark in [true, false] {
        let mut model = super::chain();
        model.view.dark = dark;
        let runs = ["none", "post_stabilization", "rattle"].map(scheme);
        model.apply(Setting::Scheme(runs[0]));
        runs[1..].iter().for_each(|place| model.apply(Intent::Beside(*place)));
        model.apply(Intent::Arrange(Arrangement::Overlay));
        model.advance(0.5);
        let harness = window(model);
        let (palette, canvas) = (harness.state().view.palette(), harness.state().canvas());
        let plot = Rect::from_min_max(pos2(0.0, canvas.bottom() + 60.0), pos2(canvas.right(), 800.0));
        for (part, place) in [("stage", canvas), ("plot", plot)] {
            let found = strokes(&harness, place);
            for run in runs {
                assert!(
                    found.contains(&palette.scheme(run)),
                    "{}: {part}, dark: {dark}",
                    TABLE[run].info().key
                );
            }
        }
        for (index, scheme) in TABLE.iter().enumerate() {
            let bounds = harness.get_by_label(&row(index)).bounding_box().expect("a place");
            let chip = Rect::from_min_max(
                pos2(bounds.x0 as f32, bounds.y0 as f32),
                pos2(bounds.x1 as f32, bounds.y1 as f32),
            );
            let found = strokes(&harness, chip.shrink(2.0));
            assert!(found.contains(&palette.scheme(index)), "{}: chip, dark: {dark}", scheme.info().key);
        }
    }
}

/// Texts of the frame with too little contrast; those of controls that are switched off are exempt, as in WCAG.
fn illegible(harness: &Harness<'_, Model>) -> Vec<String> {
    let off: Vec<Rect> = harness
        .query_all(By::new().predicate(|node| node.is_disabled()))
        .filter_map(|node| node.bounding_box())
        .map(|r| Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32)))
        .collect();
    let on =
        texts(harness).into_iter().filter(|text| !off.iter().any(|off| off.contains(text.rect.center())));
    on.flat_map(|text| {
        let worst = text.colors.iter().map(|color| contrast(blend(text.ground, *color), text.ground));
        let worst = worst.fold(f64::INFINITY, f64::min);
        (worst < LEGIBLE).then(|| format!("'{}' {worst:.2} on {:?}", text.text, text.ground))
    })
    .collect()
}

/// Every text of the window has a contrast of at least 4.5 with what lies behind it, in both themes: in bright rooms,
/// on poor screens and to ageing eyes less cannot be read.
#[test]
fn texts_can_be_read() {
    for (key, dark) in [("six-link-chain", true), ("card-house", false)] {
        let mut model = super::model(key);
        model.view.dark = dark;
        model.runs.player.playing = true;
        model.apply(Intent::Beside(scheme("rattle")));
        model.advance(0.2);
        model.runs.player.playing = false;
        let mut harness = window(model);
        let mut wrong: Vec<String> = Vec::new();
        everything(&mut harness, |harness, what| {
            for text in illegible(harness) {
                if !wrong.iter().any(|said| said.ends_with(&text)) {
                    wrong.push(format!("{what}: {text}"));
                }
            }
        });
        assert!(wrong.is_empty(), "{key}, dark: {dark}\n{}", wrong.join("\n"));
    }
}

/// Over bodies of any colour the texts of the canvas can be read on the ground that lies behind them.
#[test]
fn texts_over_bodies_can_be_read() {
    for palette in [DARK, LIGHT] {
        for body in palette.bodies.into_iter().chain((0..TABLE.len()).map(|place| palette.scheme(place))) {
            let ground = blend(palette.filled(body), palette.behind());
            for text in [palette.text, palette.weak] {
                assert!(contrast(text, ground) >= LEGIBLE, "{text:?} on {ground:?} over {body:?}");
            }
        }
    }
}

/// A scheme's name is legible in its colour on canvas and panel, and so is the name on its filled chip.
#[test]
fn names_in_the_schemes_colours_can_be_read() {
    for palette in [DARK, LIGHT] {
        let Palette { background, panel, .. } = palette;
        for (place, color) in (0..TABLE.len()).map(|place| palette.scheme(place)).enumerate() {
            for ground in [background, panel] {
                assert!(contrast(color, ground) >= LEGIBLE, "{}", TABLE[place].info().key);
            }
            assert!(contrast(palette.contrast(color), color) >= LEGIBLE, "on {}", TABLE[place].info().key);
        }
    }
}
