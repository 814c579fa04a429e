//! The right panel: its tabs, and that every control keeps its place.

use super::panels::{click, row, window};
use driftlab::app::keys::command;
use driftlab::app::screen::OnScreen;
use driftlab::lcp;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::view_state::side_tab::SideTab;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Key, Modifiers, Rect, Vec2, pos2, vec2};

/// Sizes of windows, points: from a small one to a large screen.
pub(super) const SIZES: [Vec2; 4] =
    [vec2(800.0, 600.0), vec2(1024.0, 700.0), vec2(1280.0, 800.0), vec2(2560.0, 1600.0)];

/// Where the topmost thing with this label is.
pub(super) fn place(harness: &Harness<'_, Model>, label: &str) -> Rect {
    let all = harness.query_all_by_label(label).filter_map(|node| node.bounding_box());
    let bounds = all.min_by(|a, b| a.y0.total_cmp(&b.y0)).expect(label);
    Rect::from_min_max(pos2(bounds.x0 as f32, bounds.y0 as f32), pos2(bounds.x1 as f32, bounds.y1 as f32))
}

/// The places of the things with these labels.
fn places(harness: &Harness<'_, Model>, labels: &[String]) -> Vec<(String, Rect)> {
    labels.iter().map(|label| (label.clone(), place(harness, label))).collect()
}

/// Whatever scheme is chosen, however long its equation and its description and however many parameters it has: chips, time step,
/// figures and tabs stay where they are, so that a second click hits the same control.
#[test]
fn nothing_moves_when_the_scheme_changes() {
    stays_in_place(&SIZES[..1]);
}

/// Nor does anything move at other sizes.
#[test]
#[ignore = "half a minute; the continuous integration runs it"]
fn nothing_moves_when_the_scheme_changes_at_any_size() {
    stays_in_place(&SIZES[1..]);
}

fn stays_in_place(sizes: &[Vec2]) {
    for &size in sizes {
        let mut harness = window(super::model("six-link-chain"));
        harness.set_size(size);
        harness.run_steps(2);
        let fixed: Vec<String> = (0..TABLE.len())
            .map(row)
            .chain(["time step h", "Scheme", "The last step", "Method", "Look", "⚙"].map(str::to_owned))
            .collect();
        let before = places(&harness, &fixed);
        for (index, scheme) in TABLE.iter().enumerate() {
            harness.state_mut().apply(Setting::Scheme(index));
            harness.run_steps(2);
            assert_eq!(places(&harness, &fixed), before, "{} at {size}", scheme.info().key);
        }
    }
}

/// Under ⚙ nothing moves either, whatever solver is chosen and whether the level has an integrator.
#[test]
fn nothing_moves_when_the_solver_changes() {
    let mut harness = window(super::model("six-link-chain"));
    click(&mut harness, "⚙");
    let fixed = ["solver", "integrator", "Contact rules", "travel", "Mouse", "push reach", "Tours"];
    let fixed = fixed.map(str::to_owned);
    let before = places(&harness, &fixed);
    for solver in lcp::solvers() {
        let key = solver.info().key;
        harness.state_mut().apply(Setting::Solver(solver));
        harness.run_steps(2);
        assert_eq!(places(&harness, &fixed), before, "{key}");
    }
    for (index, scheme) in TABLE.iter().enumerate() {
        harness.state_mut().apply(Setting::Scheme(index));
        harness.run_steps(2);
        assert_eq!(places(&harness, &fixed), before, "{}", scheme.info().key);
    }
}

/// The tabs show what they say, and no control is shown twice.
#[test]
fn each_tab_has_its_own() {
    let mut harness = window(super::model("box-at-rest"));
    for (tab, own) in [
        (SideTab::Look, ["friction cones", "dark", "centres of mass"]),
        (SideTab::Workings, ["push reach", "restitution", "integrator"]),
        (SideTab::Method, ["time step h", "The last step", "stability map"]),
    ] {
        click(&mut harness, tab.title());
        assert_eq!(harness.state().layout.side, tab);
        for label in own {
            assert_eq!(harness.query_all_by_label(label).count(), 1, "'{label}' under {}", tab.title());
        }
    }
}

/// F2 hides the panel and shows it again, even while text is being typed.
#[test]
fn f2_hides_the_panel() {
    let mut model = super::model("six-link-chain");
    for shown in [false, true] {
        model.apply(command(Key::F2, Modifiers::NONE, true).expect("a command"));
        assert_eq!(model.layout.panel_open, shown);
    }
}

/// F3 hides the plots and leaves their room to the picture.
#[test]
fn f3_hides_the_plots() {
    let mut harness = window(super::model("six-link-chain"));
    let with = harness.state().canvas().height();
    harness.state_mut().apply(command(Key::F3, Modifiers::NONE, true).expect("a command"));
    harness.run_steps(3);
    assert!(harness.query_by_label("Energy").is_none(), "the plots' tabs are hidden");
    let without = harness.state().canvas().height();
    assert!(without >= with + 150.0, "the picture grows from {with} to {without}");
}

/// Before an audience there are only the stage, one line, the plot and one slider, half as large again, on the full
/// screen; Esc leads back to all of it.
#[test]
fn presenting_shows_the_stage_and_leads_back() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(command(Key::F11, Modifiers::NONE, false).expect("a command"));
    harness.run_steps(3);
    assert_eq!(harness.state_mut().news.requests.pop(), Some(Request::FullScreen(true)));
    assert_eq!(harness.state().layout.magnification(), 1.5);
    for label in ["Scheme", "Open", "Energy"] {
        assert!(harness.query_by_label(label).is_none(), "'{label}' is hidden");
    }
    assert!(harness.query_by_label("Pause").or(harness.query_by_label("Play")).is_some());
    harness.state_mut().apply(command(Key::Escape, Modifiers::NONE, false).expect("a command"));
    harness.run_steps(3);
    assert_eq!(harness.state_mut().news.requests.pop(), Some(Request::FullScreen(false)));
    assert_eq!(harness.state().layout.magnification(), 1.0);
    assert!(harness.query_by_label("Energy").is_some(), "the plots are back");
}

/// Ctrl with + and − goes through the sizes of text from 80 to 200 per cent and no further; Ctrl+0 leads back to the
/// ordinary one.
#[test]
fn text_has_nine_sizes() {
    let mut model = super::model("six-link-chain");
    let mut press = |key: Key, times: usize| {
        let bound = command(key, Modifiers::CTRL, true).expect("a command");
        (0..times).for_each(|_| model.apply(bound));
        model.layout.text_size.percent()
    };
    assert_eq!(press(Key::Equals, 1), 110);
    assert_eq!(press(Key::Equals, 20), 200);
    assert_eq!(press(Key::Minus, 20), 80);
    assert_eq!(press(Key::Num0, 1), 100);
}

/// In small and large windows everything in the panel lies between its edges, and the names of the schemes fit on their chips
/// beside the room for a switch.
#[test]
fn nothing_is_cut() {
    // Of a chip: the number of its key, and the room for the switch.
    let taken = 20.0 + 28.0;
    for size in SIZES {
        for tab in SideTab::ALL {
            let mut harness = window(super::model("box-at-rest"));
            harness.set_size(size);
            harness.state_mut().apply(Intent::Side(tab));
            harness.run_steps(3);
            let left = harness.state().canvas().right();
            assert!(left >= 0.4 * size.x, "the canvas is {left} wide of {size}");
            for node in harness.query_all(By::new()) {
                // The text within a field scrolls.
                let is_seen = !node.is_hidden() && node.role() != Role::TextRun;
                let Some(bounds) = node.bounding_box().filter(|_| is_seen) else { continue };
                if f64::from(left) <= bounds.x0 {
                    let label = node.label().unwrap_or_default();
                    assert!(
                        bounds.x1 <= f64::from(size.x) - 8.0,
                        "'{label}' ends at {} of {size}",
                        bounds.x1
                    );
                }
            }
            if tab == SideTab::Method {
                let fonts = |text: &str| {
                    let font = egui_macroquad::egui::FontId::proportional(12.5);
                    let color = egui_macroquad::egui::Color32::WHITE;
                    harness.ctx.fonts(|fonts| fonts.layout_no_wrap(text.to_owned(), font, color).size().x)
                };
                for (index, scheme) in TABLE.iter().enumerate() {
                    let (name, room) = (scheme.info().short, place(&harness, &row(index)).width() - taken);
                    assert!(fonts(name) <= room, "'{name}' is {} wide in {room}", fonts(name));
                }
            }
        }
    }
}

/// The sheet of keys fits into small windows, too: every key and its meaning lies inside, or can be scrolled to.
#[test]
fn the_sheet_of_keys_fits() {
    for size in SIZES {
        let mut harness = window(super::model("six-link-chain"));
        harness.set_size(size);
        harness.state_mut().apply(Command::ToggleHelp);
        harness.run_steps(5);
        for label in
            ["Keys and mouse", "close the topmost window", "play or pause", "left drag near a body"]
        {
            let place = place(&harness, label);
            assert!(place.left() >= 0.0 && place.right() <= size.x, "'{label}' at {place} of {size}");
        }
        let title = place(&harness, "Keys and mouse");
        assert!(title.top() >= 0.0, "the title at {title} of {size}");
    }
}
