use driftlab::app::keys::command;
use driftlab::app::panels::tour::control_in_sight;
use driftlab::scene::{catalogue, stabilizer_from};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::{Act, Mode};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::library::tours::{self, Ask, Limits, Until};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::history::Channel;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::stage::pointer::{Button, Hold};
use driftlab::workbench::text::prose::prose;
use driftlab::workbench::view_state::plot_view::PlotView;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Key, Modifiers, Rect, pos2};
use glam::dvec2;

/// In every shipped tour each step's scene is shipped, its scheme exists and accepts its parameters, and its text fits the card.
#[test]
fn the_shipped_tours_can_be_taken() {
    let tours = tours::shipped().expect("tours");
    assert!(tours.len() >= 3);
    for tour in &tours {
        assert!(!tour.steps.is_empty(), "{} has no steps", tour.name);
        for (index, step) in tour.steps.iter().enumerate() {
            let place = format!("{}, step {}", tour.name, index + 1);
            if let Some(scene) = &step.scene {
                assert!(catalogue::find(scene).is_some(), "{place}: no scene {scene}");
            }
            let read = step.stabilizer.as_ref().map(|text| stabilizer_from(text, 1e-3));
            assert!(read.is_none_or(|read| read.is_ok()), "{place}: stabilizer");
            assert!(step.time_step.is_none_or(|h| h > 0.0), "{place}: time step");
            let ask = step.ask.as_ref().map(|ask| [(&ask.text, 10..=120), (&ask.seen, 10..=160)]);
            let caption = step.picture.as_ref().map(|picture| (&picture.caption, 20..=200));
            let own = step.predict.as_ref().unwrap_or_else(|| panic!("{place}: nothing is predicted"));
            let notes = step.notes.as_ref().unwrap_or_else(|| panic!("{place}: no notes"));
            assert!(own.question.ends_with('?') && (2..=4).contains(&own.answers.len()), "{place}");
            assert!(notes.contains("Expect"), "{place}: the notes name what is observed");
            let predicted = own.answers.iter().map(|answer| (answer, 2..=40));
            let predicted = predicted.chain([(&own.question, 10..=120), (notes, 80..=420)]);
            let texts = std::iter::once((&step.text, 20..=400))
                .chain(ask.into_iter().flatten())
                .chain(predicted)
                .chain(caption);
            for (text, lengths) in texts {
                assert!(lengths.contains(&text.chars().count()), "{place}: length of '{text}'");
            }
        }
    }
}

/// Each step of each tour sets up its scene, scheme and play or pause.
#[test]
fn taking_a_tour_sets_up_its_steps() {
    let mut model = super::model("single-pendulum");
    for tour in 0..model.library.tours.len() {
        for step in 0..model.library.tours[tour].steps.len() {
            model.apply(Intent::Tour { tour, step });
            let card = model.library.tours[tour].steps[step].clone();
            assert_eq!(model.news.refusal, None);
            assert_eq!(model.runs.player.playing, !card.paused);
            if let Some(scene) = card.scene {
                assert_eq!(model.files.title, scene);
            }
            if let Some(text) = card.stabilizer {
                let wanted = stabilizer_from(&text, model.run().time_step()).expect("a scheme");
                assert_eq!(model.run().method().stabilizer, wanted);
            }
        }
        let step = model.library.tours[tour].places();
        model.apply(Intent::Tour { tour, step });
        assert_eq!(model.library.progress, None, "the step after the last one ends the tour");
    }
}

/// The command of the key that stands in a request behind that word.
fn key_behind(text: &str, word: &str) -> Option<Command> {
    let name = text.to_lowercase().split_once(word)?.1.chars().next()?.to_uppercase().to_string();
    command(Key::from_name(&name).expect("a key"), Modifiers::NONE, false)
}

/// What a person does at the control that a step names: by the keys that the request names, otherwise by what the
/// control asks for.
fn carry_out(window: &mut Harness<'_, Model>, ask: &Ask) {
    let place = |key: &str| TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme");
    let between = |limits: &Limits| match (limits.at_least, limits.at_most) {
        (Some(least), _) => 1.05 * least,
        (None, most) => 0.95 * most.expect("a limit"),
    };
    if ask.control == "play" && !matches!(ask.until, Until::Playing) {
        window.state_mut().apply(Command::TogglePlay);
    }
    let restart = key_behind(&ask.text, "restart with ");
    let starts = restart.is_some() && ask.text.starts_with("Restart");
    let model = window.state_mut();
    restart.filter(|_| starts).into_iter().for_each(|restart| model.apply(restart));
    match &ask.until {
        Until::Scheme(_) if ask.control == "remedy" => {
            window.get_by_label("Use impulses: Anitescu & Hart").click();
            window.run_steps(2);
        }
        Until::Scheme(key) => {
            let by_key = key_behind(&ask.text, "press ").expect("a key for the scheme");
            assert_eq!(by_key, Command::Scheme(place(key)), "{}", ask.text);
            model.apply(by_key);
        }
        Until::Beside(key) => {
            model.apply(Intent::Beside(place(key)));
            assert!(model.edited_fork().is_none(), "the panel stays with the main run");
        }
        Until::Parameter { key, limits } => {
            let mut stabilizer = model.edited().method().stabilizer.clone();
            stabilizer.values.set(key, between(limits)).expect("a possible value");
            model.apply(Setting::Stabilizer(stabilizer));
        }
        Until::TimeStep(limits) => model.apply(Setting::TimeStep(between(limits))),
        Until::FromStart { time_step, .. } => model.apply(Setting::TimeStep(between(time_step))),
        Until::Pulled => {
            assert_eq!(model.build.mode, Mode::Pull, "what the mouse does");
            let bodies = model.run().world().bodies();
            let at = bodies.iter().rfind(|body| body.is_dynamic()).expect("a body").pose.position;
            model.apply(Intent::Press { button: Button::Left, at, reach: 0.05 });
            assert!(matches!(model.hand.hold, Hold::Body { .. }), "the mouse pulls");
            model.apply(Intent::Drag(at + dvec2(0.02, 0.02)));
        }
        Until::Playing => model.apply(Command::TogglePlay),
        Until::Tab(tab) => model.apply(Intent::Plot(PlotView { tab: *tab, ..model.shown.plot.clone() })),
        // Time does it.
        Until::Error(_) | Until::Elapsed(_) => pass(window, 300),
    }
    let model = window.state_mut();
    restart.filter(|_| !starts).into_iter().for_each(|restart| model.apply(restart));
    pass(window, if matches!(ask.until, Until::FromStart { .. }) { 60 } else { 1 });
}

/// What a tour asks for in two parts is done after both: a larger time step and a restart, not the first alone. The
/// curve before the restart stays to be compared with, as the future that was left at the start.
#[test]
fn a_restart_is_waited_for_and_keeps_the_curve() {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::Tour { tour: 0, step: 2 });
    let done = |model: &Model| model.library.progress.expect("a step").done;
    let pass = |model: &mut Model, frames: usize| {
        for _ in 0..frames {
            model.advance(1.0 / 60.0);
            model.settle();
        }
    };
    pass(&mut model, 60);
    let before = model.run().report().joint_error;
    let end = model.run().world().time();
    model.apply(Setting::TimeStep(0.01));
    pass(&mut model, 60);
    assert!(!done(&model), "before the restart");
    model.apply(Command::Restart);
    let left = model.run().branch().expect("what was left");
    assert!(left.span()[0] == 0.0 && left.span()[1] >= end);
    let kept = left.history().value_at(Channel::JointError, end).expect("its figures");
    assert!((kept - before).abs() <= 1e-12 * before, "{kept} and {before}");
    pass(&mut model, 10);
    assert!(!done(&model), "too early to compare");
    pass(&mut model, 20);
    assert!(done(&model));
}

/// The button that Painlevé's tour speaks of is the one that glows, beside others on the same card.
#[test]
fn the_paradox_points_at_its_remedy() {
    let rect = |node: egui_kittest::kittest::Node<'_>| {
        let r = node.bounding_box().expect("a place");
        Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32))
    };
    let mut model = super::model("single-pendulum");
    let tour =
        model.library.tours.iter().position(|tour| tour.name.contains("Painlevé")).expect("the tour");
    // A change beforehand, so that the card also offers to undo it.
    model.apply(Intent::Tour { tour, step: 1 });
    let mut window = super::panels::window(model);
    window.state_mut().apply(Setting::TimeStep(0.0011));
    for _ in 0..600 {
        window.state_mut().advance(1.0 / 60.0);
        if window.state().run().failure().is_some() {
            break;
        }
    }
    window.run_steps(4);
    let glows = control_in_sight(&window.ctx).expect("a control glows");
    let remedy = rect(window.get_by_label_contains("Use impulses: "));
    assert!(glows.contains(remedy.center()), "{glows:?} is not at {remedy:?}");
    let undo = rect(window.get_by_label_contains("Undo: back to"));
    assert!(!glows.contains(undo.center()), "{glows:?} is at {undo:?}");
}

/// Frames pass, in which the window is also drawn now and then.
pub(super) fn pass(window: &mut Harness<'_, Model>, frames: usize) {
    for frame in 0..frames {
        window.state_mut().advance(1.0 / 60.0);
        window.state_mut().settle();
        if frame % 12 == 11 {
            window.step();
        }
    }
    window.run_steps(2);
}

/// All shipped tours are taken one after the other in one window, from their first steps to their last, as a person
/// does: reads for a moment, does what is asked at the control that glows, looks on, and goes on by the button. What is
/// asked is not done at the start and is noticed when it is done, its control is in sight and glows until then, and
/// what was seen answers it. No run stops but where the tour says so, and between the tours the person builds, edits a
/// run beside, and plays in slow motion.
#[test]
fn all_tours_are_taken_in_one_window() {
    let tours = tours::shipped().expect("tours");
    let (mut window, mut asked) = (super::panels::window(super::model("single-pendulum")), 0);
    for (tour, file) in tours.iter().enumerate() {
        window.state_mut().apply(Intent::Tour { tour, step: 0 });
        for (step, card) in file.steps.iter().enumerate() {
            let place = format!("{}, step {}", file.name, step + 1);
            let progress = window.state().library.progress.map(|progress| [progress.tour, progress.step]);
            assert_eq!(progress, Some([tour, step]));
            pass(&mut window, 12);
            let stops = card.ask.as_ref().is_some_and(|ask| ask.control == "remedy");
            assert_eq!(window.state().runs.player.playing, !card.paused && !stops, "{place}");
            assert!(window.query_by_label(&prose(&card.text)).is_some(), "{place}: its text");
            if let Some(ask) = &card.ask {
                asked += 1;
                assert!(window.state().library.asked().is_some(), "{place}: done before anything was done");
                let rect =
                    control_in_sight(&window.ctx).unwrap_or_else(|| panic!("{place}: '{}'", ask.control));
                assert!(window.ctx.screen_rect().contains_rect(rect), "{place}: {rect:?}");
                let request = format!("→ {}", prose(&ask.text));
                assert_eq!(window.query_all_by_label(&request).count(), 1, "{place}: '{request}'");
                carry_out(&mut window, ask);
                assert!(window.state().library.asked().is_none(), "{place}: '{}' is not noticed", ask.text);
                let answer = format!("✔ {}", prose(&ask.seen));
                assert_eq!(window.query_all_by_label(&answer).count(), 1, "{place}: '{answer}'");
                assert!(control_in_sight(&window.ctx).is_none(), "{place}: nothing glows any more");
            } else {
                assert!(control_in_sight(&window.ctx).is_none(), "{place}: nothing is asked");
            }
            pass(&mut window, 30);
            window.state_mut().apply(Intent::Release);
            pass(&mut window, 30);
            assert!(
                window.state().run().failure().is_none(),
                "{place}: {:?}",
                window.state().run().failure()
            );
            let last = step + 1 == file.places();
            super::panels::click(&mut window, if last { "Done" } else { "Next" });
        }
        for (index, exercise) in file.exercises.iter().enumerate() {
            pass(&mut window, 2);
            assert!(window.query_by_label(&prose(&exercise.text)).is_some(), "{}", exercise.key);
            let last = index + 1 == file.exercises.len();
            super::panels::click(&mut window, if last { "Done" } else { "Next" });
        }
        // The next tour follows the last step, and none the last one of all.
        let next = window.state().library.progress.map(|progress| [progress.tour, progress.step]);
        assert_eq!(next, (tour + 1 < tours.len()).then_some([tour + 1, 0]), "after {}", file.name);
        // What a person may leave behind.
        let model = window.state_mut();
        model.apply(Intent::Beside(0));
        let fork = model.comparison().forks().first().map(|fork| fork.id);
        model.apply(Intent::Edit(fork));
        model.apply(Intent::Speed(0.1));
        model.apply(Command::Build(Act::Mode(if tour % 2 == 0 { Mode::Build } else { Mode::Push })));
    }
    assert!(asked >= 20, "{asked}");
}

/// Each sign and term is explained in plain words in the first text, in the order of the tours, that uses it.
#[test]
fn signs_and_terms_are_explained_where_they_first_appear() {
    let tours = tours::shipped().expect("tours");
    let steps = tours.iter().flat_map(|tour| &tour.steps);
    let texts: Vec<String> = steps
        .map(|step| {
            let ask = step.ask.as_ref().map(|ask| format!(" {} {}", ask.text, ask.seen));
            let own = step.predict.as_ref();
            let own = own.map(|own| format!(" {} {}", own.question, own.answers.join(" ")));
            format!("{}{}{}", step.text, own.unwrap_or_default(), ask.unwrap_or_default())
        })
        .collect();
    // A Latin letter counts where it is a word of its own.
    let has = |text: &str, term: &str| match term {
        "J" => text.split(|c: char| !c.is_alphanumeric()).any(|word| word == term),
        _ => text.to_lowercase().contains(&term.to_lowercase()),
    };
    for (term, words) in [
        ("λ", "finds impulses λ"),
        ("ω", "angular velocity ω"),
        ("Baumgarte", "dies out at the rate α"),
        ("α", "dies out at the rate α"),
        ("ġ", "its rate of change ġ"),
        ("ρ", "spectral radius: below 1 errors die out, above 1 they grow"),
        ("J", "the derivatives of the constraints"),
        ("φ", "the distance of two bodies, negative where they overlap"),
        ("β", "its stiffness"),
        ("LCP", "not negative, and one of them is zero"),
        ("μ", "the coefficient of friction"),
        ("θ", "a slope of angle θ"),
        ("island", "Bodies that touch or are joined form an island"),
        ("Delassus", "the velocity that each impulse gives each contact"),
        ("residual", "by how much the impulses still fail"),
        ("singular", "some rows say what others say already"),
    ] {
        let first = texts.iter().find(|text| has(text, term));
        let first = first.unwrap_or_else(|| panic!("no tour uses {term}"));
        assert!(first.contains(words), "{term} is used before it is explained: {first}");
    }
}

/// What the tour of the time step says of energy: in ten seconds with steps of 10 ms projection loses more than ten
/// joules of the double pendulum, RATTLE no more than a tenth of one.
#[test]
fn projection_loses_what_rattle_keeps() {
    let lost = |key: &str| {
        let mut model = super::model("double-pendulum");
        model.apply(Setting::TimeStep(0.01));
        let place = TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme");
        model.apply(Setting::Scheme(place));
        model.apply(Intent::Play);
        let energy = |model: &Model| model.run().report().total_energy();
        model.advance(0.01);
        let begun = energy(&model);
        (0..1000).for_each(|_| model.advance(0.01));
        begun - energy(&model)
    };
    let [projection, rattle] = ["projection", "rattle"].map(lost);
    assert!(projection > 10.0 && rattle.abs() < 0.1, "{projection} J, {rattle} J");
}

/// What the tour of singular poses says: without a correction the cranks never come over the top again and the joints
/// are millimetres apart, under RATTLE the cranks turn on and on.
#[test]
fn the_cranks_come_over_the_top_under_rattle() {
    let turns = |key: &str| {
        let mut model = super::model("iftomm-a02-two-windows");
        let place = TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme");
        model.apply(Setting::Scheme(place));
        model.apply(Intent::Play);
        let (mut farthest, mut error) = (0.0_f64, 0.0_f64);
        for _ in 0..500 {
            model.advance(0.01);
            farthest = farthest.max(-model.run().world().bodies()[1].pose.angle / std::f64::consts::TAU);
            error = error.max(model.run().report().joint_error);
        }
        (farthest, error)
    };
    let (none, rattle) = (turns("none"), turns("rattle"));
    assert!(none.0 < 1.0 && none.1 > 1e-3, "{none:?}");
    assert!(rattle.0 > 2.0 && rattle.1 < 1e-10, "{rattle:?}");
}

/// Esc first closes what lies above a tour's card, then leaves the tour.
#[test]
fn escape_leaves_a_tour() {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::Tour { tour: 0, step: 0 });
    model.apply(Command::ToggleHelp);
    model.apply(Command::Dismiss);
    assert!(!model.layout.help_open && model.library.progress.is_some());
    model.apply(Command::Dismiss);
    assert_eq!(model.library.progress, None);
}

/// Esc closes one thing at a time: while a list is open or text is being typed, egui closes that, and the tour stays.
#[test]
fn escape_closes_only_the_topmost() {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::Tour { tour: 0, step: 0 });
    let mut window = super::panels::window(model);
    // Any list: here that of the solvers.
    super::panels::click(&mut window, "⚙");
    window.query_all_by_role(Role::ComboBox).next().expect("a list").click();
    window.run_steps(3);
    assert!(window.state().layout.escape_taken);
    // The shell passes the key to the commands first, then to egui.
    window.state_mut().apply(Command::Dismiss);
    window.press_key(Key::Escape);
    window.run_steps(5);
    assert!(window.state().library.progress.is_some());
    assert!(!window.state().layout.escape_taken, "the list is closed");
    window.state_mut().apply(Command::Dismiss);
    assert_eq!(window.state().library.progress, None);
}

/// The last tour ends at a step without a solution (Painlevé's paradox) and on a button that names the scheme which goes on:
/// with impulses the rod's tip catches, and the rod turns over it.
#[test]
fn the_last_tour_ends_on_a_way_on() {
    let mut model = super::model("single-pendulum");
    let tour = model.library.tours.iter().position(|tour| tour.name.contains("Painlevé")).expect("a tour");
    let last = model.library.tours[tour].steps.len() - 1;
    model.apply(Intent::Tour { tour, step: last });
    model.advance(1.0 / 60.0);
    assert!(model.run().failure().is_some_and(|failure| failure.by_forces), "{:?}", model.run().failure());
    assert!(!model.runs.player.playing);
    assert!(model.library.tours[tour].steps[last].text.contains("'Use impulses'"));
    let mut window = super::panels::window(model);
    window.get_by_label("Use impulses: Anitescu & Hart").click();
    window.run_steps(2);
    let model = window.state_mut();
    assert_eq!(model.run().method().stabilizer.info().key, "anitescu_hart");
    assert!(model.runs.player.playing && model.run().failure().is_none());
    let angle = |model: &driftlab::workbench::model::Model| model.run().world().bodies()[1].pose.angle;
    let begun = angle(model);
    (0..60).for_each(|_| model.advance(1.0 / 60.0));
    assert!(model.runs.player.playing && (angle(model) - begun).abs() > 0.5, "{}", angle(model) - begun);
}

/// The page of the course is that of the tours: who changes a text writes the page anew, and every link in it opens.
#[test]
fn the_course_is_the_tours() {
    let page = driftlab::app::course::page().expect("a page");
    let kept =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/web/index.html")).expect("a page");
    assert!(page == kept, "run: driftlab course --out web/index.html");
    let links =
        page.split("href=\"sandbox.html#").skip(1).map(|rest| rest.split('"').next().expect("an end"));
    let links: Vec<_> = links.map(|link| link.replace("&amp;", "&")).collect();
    let places = tours::shipped().expect("tours").iter().map(|tour| tour.places()).sum::<usize>();
    assert_eq!(links.len(), places, "one for every step and exercise");
    for link in links {
        let opened =
            driftlab::workbench::link::Link::parse(&format!("#{link}")).and_then(|link| link.open(0));
        assert!(opened.is_ok(), "{link}: {opened:?}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing comes from elsewhere");
}

/// Tours of a person's own folder stand behind the shipped ones and open scenes of their own by the names of their
/// files; a file that is no tour is named.
#[test]
fn own_tours_are_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = catalogue::find("single-pendulum").expect("a scene").text;
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("mine.driftlab.json", &text.replacen("\"Pendulum\"", "\"My pendulum\"", 1));
    let mut model = super::model("six-link-chain");
    model.library.shelf.folder = Some(folder.path().to_owned());
    let tours = tempfile::tempdir().expect("a folder");
    let tour =
        r#"{ "name": "My tour", "steps": [ { "text": "Look at it.", "scene": "mine", "paused": true } ] }"#;
    std::fs::write(tours.path().join("1.json"), tour).expect("a file");
    std::fs::write(tours.path().join("2.json"), "{ \"nmae\": 1 }").expect("a file");
    let shipped = model.library.tours.len();
    model.add_tours(tours.path());
    assert_eq!(model.library.tours.len(), shipped + 1);
    let toast = model.news.toast.take().expect("a message").text;
    assert!(toast.contains("2.json is not a tour: nmae: unknown field `nmae`"), "{toast}");
    model.apply(Intent::Tour { tour: shipped, step: 0 });
    assert_eq!(model.news.refusal, None);
    assert_eq!(model.run().scene.name, "My pendulum");
}
