//! A walk through what the window can show.

use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::{Intent, Selected};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::view_state::plot_view::Tab;
use driftlab::workbench::view_state::side_tab::SideTab;
use driftlab::workbench::view_state::solve_view::{SolvePart, SolveView};
use egui_kittest::Harness;

/// What a window shows, one thing after the other.
pub(super) fn everything(
    harness: &mut Harness<'_, Model>,
    mut look: impl FnMut(&Harness<'_, Model>, &str),
) {
    let mut show = |harness: &mut Harness<'_, Model>, what: &str| {
        // Lists, cards and equations fade in.
        for frame in 0..40 {
            harness.step();
            if frame > 2 && !harness.ctx.has_requested_repaint() {
                break;
            }
        }
        look(harness, what);
    };
    for (tab, part) in [
        (Tab::Errors, SolvePart::Rows),
        (Tab::Energy, SolvePart::Rows),
        (Tab::Compare, SolvePart::Rows),
        (Tab::Solver, SolvePart::Rows),
        (Tab::Solver, SolvePart::Pivots),
        (Tab::Solver, SolvePart::Sizes),
    ] {
        harness.state_mut().shown.plot.tab = tab;
        harness.state_mut().shown.solve = SolveView { part, ..harness.state().shown.solve };
        show(harness, &format!("{tab:?} {part:?}"));
    }
    for side in SideTab::ALL {
        harness.state_mut().apply(Intent::Side(side));
        show(harness, side.title());
    }
    harness.state_mut().apply(Intent::Side(SideTab::Method));
    for (place, scheme) in TABLE.iter().enumerate() {
        harness.state_mut().apply(Setting::Scheme(place));
        show(harness, scheme.info().key);
    }
    let body = harness.state().run().world().bodies().len() - 1;
    let at = harness.state().run().world().bodies()[body].pose.position;
    let id = harness.state().run().world().id_of(body).expect("a body");
    let selected = Selected { body: id, at };
    harness.state_mut().apply(Intent::Select(Some(selected)));
    harness.state_mut().apply(Intent::Say("a short message".to_owned()));
    harness.run_steps(3);
    show(harness, "a body's card");
    for command in [Command::ToggleHelp, Command::ToggleScenes] {
        harness.state_mut().apply(command);
        show(harness, &format!("{command:?}"));
        harness.state_mut().apply(command);
    }
    harness.state_mut().apply(Intent::Tour { tour: 0, step: 0 });
    show(harness, "a tour");
    harness.state_mut().apply(Setting::TimeStep(-1.0));
    harness.state_mut().apply(Command::StepForward);
    show(harness, "a failed step");
}
