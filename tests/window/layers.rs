//! What lies over what: dialogs over cards over short messages over the labels of the canvas.

use super::panels::window;
use driftlab::scene::stabilizer_from;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::{Intent, Selected};
use driftlab::workbench::library::shelf::Browsing;
use driftlab::workbench::model::{Model, Refusal};
use driftlab::workbench::runs::live_run::Setting;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Id, LayerId, Order, Pos2, Rect};

/// The chain that has blown up, with the card of its third link and a short message.
fn stopped() -> Model {
    let mut model = super::chain();
    let stabilizer = stabilizer_from("baumgarte_velocity,alpha=3000", 1e-3).expect("a scheme");
    model.apply(Setting::Stabilizer(stabilizer));
    while model.runs.player.playing {
        model.advance(1.0 / 60.0);
        model.settle();
    }
    let body = model.run().world().id_of(3).expect("a body");
    model.apply(Intent::Select(Some(Selected { body, at: glam::DVec2::ZERO })));
    model.say("A short message".to_owned());
    // It stays for the whole test.
    model.news.toast.iter_mut().for_each(|toast| toast.left = 1e3);
    model
}

/// The area of that id in a window, and its layer.
fn area(window: &Harness<'_, Model>, id: Id) -> (LayerId, Rect) {
    window.ctx.memory(|memory| {
        let layer = memory.layer_ids().find(|layer| layer.id == id);
        (layer.expect("an area that was shown"), memory.area_rect(id).expect("its place"))
    })
}

/// Which layer the pointer meets at a point.
fn top_at(window: &Harness<'_, Model>, at: Pos2) -> LayerId {
    window.ctx.layer_id_at(at).unwrap_or(LayerId::background())
}

/// With everything open that there is, whatever was opened last: every dialog lies over every card, and every card over
/// the canvas, into which the short messages and the labels are painted. The order is that in which egui draws the
/// areas, and the one that the mouse meets.
#[test]
fn dialogs_lie_over_cards_and_cards_over_messages() {
    let cards = ["failure", "body card"].map(Id::new);
    let open_dialogs: [fn(&mut Model); 4] = [
        |model| model.apply(Command::ToggleHelp),
        |model| model.apply(Command::Open),
        |model| model.apply(Intent::Browse(Some(Browsing::default()))),
        |model| {
            let (title, problems) = ("a file".to_owned(), vec!["a problem".to_owned()]);
            let heading = "This file was not opened";
            model.news.refusal = Some(Refusal { heading, title, problems, unchanged: "", opened: false });
        },
    ];
    for cards_first in [true, false] {
        let mut window = window(if cards_first { stopped() } else { super::model("six-link-chain") });
        if cards_first {
            // The card was the last thing that was pressed.
            let at = area(&window, cards[1]).1.center();
            super::panels::drag(&mut window, at, at);
        }
        for open in open_dialogs {
            open(window.state_mut());
            window.run_steps(3);
        }
        if !cards_first {
            // What was opened before stays open, while a run stops behind it.
            let refusal = window.state_mut().news.refusal.take();
            let behind = stopped();
            let mut model = std::mem::replace(window.state_mut(), behind);
            let state = window.state_mut();
            state.apply(Command::ToggleHelp);
            state.apply(Command::Open);
            state.library.shelf.browsing = model.library.shelf.browsing.take();
            state.news.refusal = refusal;
            window.run_steps(4);
        }
        let dialogs = [
            Id::new("Keys and mouse"),
            Id::new("refusal"),
            Id::new("scenes"),
            driftlab::app::panels::files::dialog_window(&window.ctx),
        ];
        let order: Vec<LayerId> = window.ctx.memory(|memory| memory.layer_ids().collect());
        let place = |id: Id| {
            let (layer, _) = area(&window, id);
            (layer.order, order.iter().position(|other| *other == layer))
        };
        for dialog in dialogs {
            for card in cards {
                assert!(place(dialog) > place(card), "{dialog:?} {card:?}: {order:?}");
                let common = area(&window, dialog).1.intersect(area(&window, card).1);
                if common.is_positive() {
                    assert!(!cards.contains(&top_at(&window, common.center().round()).id), "{common:?}");
                }
            }
        }
        for card in cards {
            assert!(place(card).0 > Order::Background, "{card:?}");
        }
        assert!(window.query_by_label("A short message").is_some());
        assert!(!order.iter().any(|layer| layer.id == Id::new("toast")), "painted into the canvas");
    }
}

/// The card of a body that was selected before the first step grows with the rows of the forces: its last row lies within it.
#[test]
fn the_last_row_of_the_card_is_not_cut() {
    let mut model = super::model("six-link-chain");
    let body = model.run().world().id_of(3).expect("a body");
    model.apply(Intent::Select(Some(Selected { body, at: glam::DVec2::ZERO })));
    let mut window = window(model);
    for _ in 0..3 {
        window.state_mut().apply(Command::StepForward);
        window.run_steps(3);
    }
    let last = window.get_by_label_contains("difference: ").bounding_box().expect("a place");
    let (_, card) = area(&window, Id::new("body card"));
    assert!(last.y1 < f64::from(card.bottom()) - 4.0, "{last:?} in {card:?}");
}
