//! The one place where intents change the model.

use super::engine::Stepping;
use super::intent::{Answer, Intent, Intents, Standard};
use super::model::{Model, Request};
use super::runs::comparison::{Budget, Comparison, MOST_FORKS};
use super::runs::live_run::{Recorded, Setting};
use super::runs::recorder::Recorder;
use super::runs::remedy::Remedy;
use super::text::format::duration;
use super::view_state::plot_view::Tab;
use super::view_state::text_size::TextSize;
use crate::method::Stabilizer;
use crate::scene::REFERENCE;
use crate::schemes::TABLE;
use crate::workbench::command::Command;
use crate::workbench::library::shelf::Browsing;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::watched::Watchable;

impl Model {
    /// Carries out an intent; one that would leave unsaved work waits for an answer.
    pub fn apply(&mut self, intent: impl Into<Intent>) {
        let intent = intent.into();
        if !self.waits(&intent) && !self.asks_before(&intent) {
            self.perform(intent);
        }
    }

    /// Whether an intent is left undone because a question over the window is open: its keys are those of the answers,
    /// and nothing behind it changes.
    fn waits(&self, intent: &Intent) -> bool {
        let asked = self.document.is_asking() || self.files.lost.is_some();
        asked
            && match intent {
                Intent::Command(command) => !matches!(
                    command,
                    Command::Dismiss | Command::Quit | Command::Screenshot | Command::TextSize(_)
                ),
                other => self.changes(other),
            }
    }

    /// Carries out an intent without a question, so that it can be undone.
    pub(crate) fn perform(&mut self, intent: Intent) {
        let acting = self.before(&intent);
        self.carry_out(intent);
        self.after(acting);
    }

    fn carry_out(&mut self, intent: Intent) {
        match intent {
            Intent::Command(command) => self.command(command),
            Intent::Play => (self.runs.goal, self.runs.player.playing) = (None, true),
            Intent::Speed(speed) => self.runs.player.set_speed(speed),
            Intent::Set(Setting::Scheme(place)) | Intent::Beside(place) if self.is_beyond(place) => {}
            Intent::Set(setting) => self.choose(setting),
            Intent::Remedy(remedy) => self.remedy(remedy),
            Intent::Beside(place) => {
                self.compare(|comparison, stepping| comparison.toggle(place, stepping))
            }
            Intent::Fork(of) => self.compare(|comparison, stepping| comparison.fork(of, stepping)),
            Intent::Refer(standard) => self.compare(|comparison, stepping| match standard {
                Standard::Rattle => comparison.refer(Stabilizer::by_key(REFERENCE), stepping),
                Standard::SmallStep => comparison.refer(None, stepping),
            }),
            Intent::Edit(fork) => self.edit(fork),
            Intent::Promote(fork) => {
                self.comparison_mut().0.promote(fork);
                self.edit(None);
            }
            Intent::Close(fork) => self.comparison_mut().0.close(fork),
            Intent::CloseAll => self.comparison_mut().0.close_all(),
            Intent::EqualCost(budget) => self.charge(budget),
            Intent::Arrange(arrangement) => self.sight.arrangement = arrangement,
            Intent::Resize(edge, size) => self.layout.sizes[edge as usize] = Some(size.round() as u16),
            Intent::Aim(pane) => self.sight.aim = pane,
            Intent::MakeConsistent => self.make_consistent(),
            Intent::Say(text) => self.say(text),
            Intent::Sort(order) => self.shown.order = order,
            Intent::Seek(time) => {
                self.halt();
                self.comparison_mut().0.seek(time);
            }
            Intent::Enter { begun, time } => {
                self.halt();
                self.comparison_mut().0.enter_branch(begun, time);
            }
            Intent::Language(name) => self.shown.languages.choose(name),
            Intent::Push(push) => self.run_mut().push = push,
            Intent::Editor(make) => self.make(make),
            Intent::Press { button, at, reach } => {
                self.begin_stroke();
                let hold = Hold::press(button, self.aimed_at().world(), at, reach);
                self.hand.hold = self.run_mut().press(hold, reach);
                if matches!(hold, Hold::Body { .. }) {
                    self.done(0);
                }
            }
            Intent::Drag(to) => {
                let (hold, player) = (self.hand.hold, self.runs.player);
                let lift = self.aimed_at().lift(hold, to, &player);
                let cuts = self.run().cuts();
                let (comparison, _) = self.comparison_mut();
                match lift {
                    Some((body, shift)) => comparison.shift(body, shift),
                    None => comparison.main_mut().follow_cursor(hold, to, &player),
                }
                comparison.follow_cut(cuts);
                if lift.is_some() && self.document.path().is_some() {
                    self.document.note_work();
                }
                self.pushed(to);
            }
            Intent::Release => {
                self.hand.hold = Hold::Free;
                self.run_mut().release();
            }
            Intent::Keys(keys) => {
                self.hand.keys = keys;
                self.run_mut().hold_keys(keys);
            }
            Intent::Hover(hover) => self.hand.hover = hover,
            Intent::Select(selected) => {
                self.hand.selected = selected;
                self.runs.watched = selected.map(|it| Watchable::Body(it.body)).or(self.runs.watched);
            }
            Intent::Watch(subject) => (self.hand.selected, self.runs.watched) = (None, Some(subject)),
            Intent::Sizing(sizing) => self.hand.sizing = sizing,
            Intent::Pan(by) => self.sight.camera.pan(by),
            Intent::Slide(by) => self.sight.slide(by),
            Intent::Zoom { about, factor } => {
                let pane = self.pane(self.sight.aim);
                self.sight.camera.zoom(pane, about, factor);
            }
            Intent::View(view) => self.view = view,
            Intent::Plot(plot) => self.shown.plot = plot,
            Intent::Browse(browsing) => self.browse(browsing),
            Intent::Side(tab) => self.layout.side = tab,
            Intent::TextSize(size) => self.layout.text_size = size,
            Intent::Solve(solve) => self.shown.solve = solve,
            Intent::SaveProblem => self.save_problem(),
            Intent::Problem(true) => self.choose_problem(),
            Intent::Problem(false) => self.shown.problem = None,
            Intent::SavePlot(kind) => self.save_plot(kind),
            Intent::Open(scene) => self.open(scene),
            Intent::PlayBack(table) => self.play_back(table),
            Intent::ChooseTrajectory => self.choose_trajectory(),
            Intent::OpenRecording(name, bytes) => self.open_recorded_bytes(&name, bytes),
            Intent::ChooseWatch => self.choose_watch(),
            Intent::WatchRecording(name) => self.watch_recording(&name),
            Intent::Page(address) => self.set_page(&address),
            Intent::OpenLink(text) => self.open_link(&text),
            Intent::OpenShipped(key) => self.open_key(key),
            Intent::OpenPath(path) => self.open_path(&path),
            Intent::Chosen(path) => self.use_file(&path),
            Intent::LeaveDialog => self.leave_dialog(),
            Intent::Answer(answer) => self.answer(answer),
            Intent::TakeLost => self.take_lost(),
            Intent::ForgetLost => self.forget_lost(),
            Intent::Tour { tour, step } => {
                self.library.shelf.browsing = None;
                self.take_tour(tour, step);
            }
            Intent::Predict(answer) => self.library.predict(answer),
            Intent::SignAs(name) => self.sign_as(&name),
            Intent::CopyCertificate => self.copy_certificate(),
            Intent::LeaveTour => self.leave_tour(),
            Intent::CloseHelp => self.layout.help_open = false,
            Intent::CloseRefusal => self.news.refusal = None,
        }
    }

    /// Carries out all of them, in order.
    pub fn apply_all(&mut self, intents: Intents) {
        for intent in intents {
            self.apply(intent);
        }
    }

    /// After the intents of a frame: marks changes in the plots, and ends a recording whose method was changed.
    pub fn settle(&mut self) {
        if self.run().recording_is_stale() {
            self.end_recording();
        }
        let looks = self.shown.plot.tab == Tab::Solver;
        self.run_mut().watch_solves(looks);
        let cuts = self.run().cuts();
        self.comparison_mut().0.note_changes();
        self.comparison_mut().0.follow_cut(cuts);
        self.watch_tour();
        self.watch_exercise();
        self.watch();
        self.survey();
    }

    /// Adds a run to the comparison, or says that there is no room for it.
    fn compare(&mut self, add: impl FnOnce(&mut Comparison, &Stepping) -> bool) {
        let forks = self.comparison().forks().len();
        let (comparison, stepping) = self.comparison_mut();
        if !add(comparison, stepping) {
            self.say(format!(
                "At most {MOST_FORKS} runs can be compared with the main one; close one first"
            ));
        }
        if self.comparison().forks().len() > forks {
            self.compared();
        }
    }

    /// Gives the runs the time steps at which they cost the same, or those that they had before.
    fn charge(&mut self, budget: Option<Budget>) {
        let (comparison, _) = self.comparison_mut();
        match budget {
            None => comparison.end_equal_cost(),
            Some(budget) if comparison.equalise(budget) => {}
            Some(_) => self.say("Not every run has made a step yet: play for a moment first".to_owned()),
        }
    }

    /// Shows only stage and plot, in large type and, where the window's system can, on the full screen; or everything again.
    fn present(&mut self, presenting: bool) {
        self.layout.presenting = presenting;
        self.news.requests.push(Request::FullScreen(presenting));
    }

    /// Pauses, in order to go to another moment: what was watched in slow motion is left.
    fn halt(&mut self) {
        self.runs.goal = None;
        self.runs.player.playing = false;
        self.runs.player.look_away();
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::TogglePlay => {
                self.runs.goal = None;
                self.runs.player.playing = !self.runs.player.playing;
            }
            Command::StepForward => {
                self.runs.goal = None;
                self.runs.player.playing = false;
                // The banner shows the failure.
                let _stopped = self.comparison_mut().0.step_once();
            }
            Command::StepBack => {
                self.halt();
                self.comparison_mut().0.step_back();
            }
            Command::Steps(by) => {
                self.halt();
                let h = self.run().time_step();
                if by < 0 || self.run().is_in_the_past() {
                    let now = self.run().destination();
                    self.comparison_mut().0.seek(now + f64::from(by) * h);
                } else {
                    for _ in 0..by {
                        let _stopped = self.comparison_mut().0.step_once();
                    }
                }
            }
            Command::HistoryStart => self.apply(Intent::Seek(f64::NEG_INFINITY)),
            Command::HistoryEnd => self.apply(Intent::Seek(f64::INFINITY)),
            Command::Restart if self.document.has_changed_outside() => self.open_again(),
            Command::Restart => {
                if self.restart_leaves_work(command) {
                    self.say("Restarted: Ctrl+Z brings back what was changed on the way".to_owned());
                }
                self.runs.goal = None;
                self.runs.player.look_away();
                self.comparison_mut().0.restart();
                self.shown.plot.reset();
                self.invite_again();
            }
            Command::Record => {
                if self.run().recorder().take().is_none() && self.run().world().steps() > 0 {
                    self.say("Recording begins at the scene's start".to_owned());
                }
                self.record();
            }
            Command::Replay => self.replay(),
            Command::Scene(by) => {
                let playing = self.runs.player.playing;
                if let Some(key) = self.library.shelf.neighbour(&self.files.title, by).map(|next| next.key)
                {
                    self.open_key(key);
                    self.runs.player.playing = playing;
                }
            }
            Command::CycleScheme(by) => {
                let next = self.edited().scheme_index() as isize + by;
                let index = next.rem_euclid(TABLE.len() as isize) as usize;
                self.choose(Setting::Scheme(index));
            }
            Command::Scheme(index) => self.choose(Setting::Scheme(index)),
            Command::Fit => self.sight.fit_pending = true,
            Command::ToggleScenes => {
                self.browse(if self.library.shelf.browsing.is_none() {
                    Some(Browsing::default())
                } else {
                    None
                });
            }
            // Neither is shown to an audience, and afterwards the window is as it was.
            Command::TogglePanel | Command::TogglePlot if self.layout.presenting => {}
            Command::TogglePanel => self.layout.panel_open = !self.layout.panel_open,
            Command::TogglePlot => self.layout.plot_open = !self.layout.plot_open,
            Command::Present => self.present(!self.layout.presenting),
            Command::TextSize(0) => self.layout.text_size = TextSize::default(),
            Command::TextSize(by) => self.layout.text_size = self.layout.text_size.changed(by),
            Command::ToggleHelp => self.layout.help_open = !self.layout.help_open,
            Command::Clip => {
                self.layout.clipping = !self.layout.clipping;
                // The header says that a clip is taken: what is said over the stage would be in it.
                self.news.toast = None;
            }
            Command::Screenshot => self.news.requests.push(Request::Screenshot),
            Command::Open => self.open_by_dialog(),
            Command::Save => self.save(),
            Command::SaveAs => self.save_as(),
            Command::SaveRecording => self.save_recording(),
            Command::CopyLink => self.copy_link(),
            Command::CopyCommand => self.copy_command(),
            Command::Build(act) => self.act(act),
            Command::Quit => self.news.requests.push(Request::Quit),
            // The topmost first. What egui itself closes lies above everything else, the tour below.
            Command::Dismiss if self.library.shelf.browsing.is_some() => self.library.shelf.browsing = None,
            Command::Dismiss if self.layout.escape_taken => {}
            Command::Dismiss if self.document.is_asking() => self.answer(Answer::Stay),
            Command::Dismiss if self.news.refusal.is_some() => self.news.refusal = None,
            Command::Dismiss if self.layout.help_open => self.layout.help_open = false,
            Command::Dismiss if self.build.dismiss() => {}
            Command::Dismiss if self.hand.selected.is_some() => self.hand.selected = None,
            Command::Dismiss if self.library.progress.is_none() && self.layout.presenting => {
                self.present(false)
            }
            Command::Dismiss => self.leave_tour(),
        }
    }

    /// Does something about the edited run, which has blown up, and plays on.
    fn remedy(&mut self, remedy: Remedy) {
        match remedy {
            Remedy::Limit(stabilizer) => {
                self.go_back_and(|model| model.choose(Setting::Stabilizer(stabilizer)));
            }
            Remedy::Step(h) => {
                let method = self.edited().method().clone();
                self.go_back_and(|model| {
                    model.choose(Setting::Stabilizer(method.stabilizer));
                    model.choose(Setting::Level(method.level));
                    model.choose(Setting::TimeStep(h));
                });
            }
            Remedy::Impulses(setting) => self.choose(setting),
            Remedy::Undo => self.go_back_and(|_| ()),
            Remedy::SlowMotion => {
                let Some((from, speed)) = self.edited().slow_motion() else { return };
                let until = self.edited().world().time();
                self.comparison_mut().0.seek(from);
                self.runs.player.watch(speed, until);
            }
        }
        self.runs.player.playing = true;
    }

    fn record(&mut self) {
        if self.run().recorder().take().is_some() {
            return self.end_recording();
        }
        self.run_mut().begin_recording();
        self.comparison_mut().0.restart_forks();
        self.runs.player.playing = true;
        self.shown.plot.reset();
    }

    /// Ends the recording that is being made, with a message about its result.
    fn end_recording(&mut self) {
        self.hand.hold = Hold::Free;
        self.shown.plot.reset();
        let ended = self.run_mut().end_recording();
        if matches!(ended, Some(Recorded::Lasting { .. })) {
            self.comparison_mut().0.restart_forks();
        }
        match ended {
            None => {}
            Some(Recorded::Nothing) => self.say("Nothing was pressed: nothing is recorded".to_owned()),
            Some(Recorded::Lasting { seconds }) => {
                self.runs.player.playing = false;
                self.document.note_work();
                // To hundredths of a second.
                let lasted = duration((100.0 * seconds).round() / 100.0);
                self.say(format!("Recorded {lasted}: play shows it, Ctrl+S saves it with the scene"));
            }
        }
    }

    /// Plays the scene's recorded pointer, or hands the world back to the mouse.
    fn replay(&mut self) {
        self.shown.plot.reset();
        let can_replay = self.run().scene.interaction.is_some();
        let waits =
            !self.runs.player.playing && self.run().world().steps() == self.run().scene.world.steps();
        match self.run().recorder() {
            // After a recording, its replay waits at the start.
            Recorder::Replay(_) if waits => self.runs.player.playing = true,
            Recorder::Replay(_) => self.run_mut().take_over(),
            Recorder::Live if can_replay => {
                self.run_mut().replay();
                self.comparison_mut().0.restart_forks();
                self.runs.player.playing = true;
            }
            Recorder::Live | Recorder::Recording(_) => {}
        }
    }
}
