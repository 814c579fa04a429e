//! The numbers of a spring beside what the time step makes of it.

use super::drawn::texts;
use super::panels::window;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::{Act, Mode};

/// The numbers of a spring begin with what the time step makes of it: one of 1000 N/m between masses of 1 kg, at 4 ms,
/// keeps its energy, and one of 10⁶ N/m is implicit, since h ω = 4 ms · √(2 · 10⁶) rad/s = 5.66.
#[test]
fn the_numbers_of_a_spring_say_what_becomes_of_its_energy() {
    for (index, begins, says) in [(2, "h ω = 0.179", "keeps its energy"), (1, "h ω = 5.66", "implicit")] {
        let mut model = super::model("spring-ratio");
        let spring = model.run().world().spring_ids()[index];
        model.apply(Command::Build(Act::Mode(Mode::Build)));
        model.build.selection = vec![Item::Spring(spring)];
        let shown = texts(&window(model));
        let card =
            shown.iter().find(|text| text.text.starts_with("h ω")).map(|text| text.text.replace('\n', " "));
        assert!(
            card.as_ref().is_some_and(|card| card.starts_with(begins) && card.contains(says)),
            "{card:?}"
        );
    }
}
