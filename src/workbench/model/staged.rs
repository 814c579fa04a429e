//! The whole comparison in a scene file: what is written of the window, and what of a file is shown.

use super::Model;
use crate::scene::window::{Beside, Outlook, Plotted, QUANTITIES, TABS, Window};
use crate::scene::{Scene, Settings};
use crate::workbench::runs::comparison::Role;
use crate::workbench::runs::player::SPEED_RANGE;
use crate::workbench::view_state::arrangement::Arrangement;
use crate::workbench::view_state::camera::Camera;
use crate::workbench::view_state::plot_view::{PlotView, Tab};

/// The tabs in the order of their names in files.
const IN_FILES: [Tab; TABS.len()] =
    [Tab::Errors, Tab::Energy, Tab::Watch, Tab::Solver, Tab::Compare, Tab::Judge];

impl Model {
    /// The scene with all that the window shows of it: every run in its present state, and the start to which they go back.
    pub fn staged(&self) -> Scene {
        let run = self.run();
        let mut scene = run.to_scene();
        let main = scene.world.clone();
        // Trajectories stay in their own files.
        let played = self.runs.comparison.present().filter_map(|fork| fork.run().played());
        let trajectories = played.map(|played| self.listed_as(played)).collect();
        let runs = self.runs.comparison.present().filter(|fork| fork.role != Role::Trajectory);
        let beside = runs.map(|fork| {
            let Scene { settings, world, .. } = fork.run().to_scene();
            Beside {
                settings: Settings { duration: None, ..settings },
                world: (world != main).then_some(world),
                reference: fork.role == Role::Reference,
            }
        });
        let beside: Vec<Beside> = beside.collect();
        let is_chosen = self.sight.fitted != Some(self.sight.camera) && self.sight.pane_size.x > 0.0;
        let window = Window {
            start: (run.scene.world != main).then(|| run.scene.world.clone()),
            // A run alone has no pane.
            panes: self.sight.arrangement == Arrangement::Panes && !beside.is_empty(),
            beside,
            view: is_chosen.then(|| Outlook {
                center: self.sight.camera.center,
                width: f64::from(self.sight.pane_size.x) / self.sight.camera.scale,
            }),
            plot: self.shown.plot.in_files(),
            layers: self.view.in_files(),
            watch: self.watch_in_files(),
            speed: (self.runs.player.speed != 1.0).then_some(self.runs.player.speed),
            paused: !self.runs.player.playing,
            slider: self.layout.slider.clone(),
            equal_cost: self.runs.comparison.charged_in_files(),
            trajectories,
        };
        scene.window = Some(window);
        scene
    }

    /// Shows what a file says of the window.
    pub(super) fn stage(&mut self, window: Window) {
        let Window { start: _, beside, panes, view, plot, layers, watch, speed, paused, .. } = window;
        let Window { slider, equal_cost, trajectories, .. } = window;
        let effort = self.run().method().effort;
        for Beside { settings, world, reference } in beside {
            let Settings { mut method, time_step, states_effort, .. } = settings;
            if !states_effort {
                method.effort = effort;
            }
            let role = if reference { Role::Reference } else { Role::Beside };
            let (comparison, stepping) = self.comparison_mut();
            // The file has been checked for their number.
            let _there_is_room = comparison.resume(role, method, time_step, world, stepping);
        }
        self.sight.arrangement = if panes { Arrangement::Panes } else { Arrangement::Overlay };
        self.shown.plot.take_from_file(plot);
        self.view.take_from_file(layers);
        self.take_watch(watch);
        self.runs.player.set_speed(speed.map_or(1.0, |speed| speed.clamp(SPEED_RANGE[0], SPEED_RANGE[1])));
        self.runs.player.playing = !paused;
        self.layout.slider = slider;
        self.sight.outlook = view;
        if let Some(charged) = equal_cost {
            self.comparison_mut().0.resume_equal_cost(charged);
        }
        self.files.awaited = trajectories;
    }

    /// Once the canvas has a size: what a file says that it shows.
    pub(super) fn look(&mut self) {
        if let Some(Outlook { center, width }) =
            self.sight.outlook.take_if(|_| self.sight.pane_size.x > 0.0)
        {
            self.sight.camera = Camera { center, scale: f64::from(self.sight.pane_size.x) / width };
            self.sight.fit_pending = false;
        }
    }
}

impl PlotView {
    fn shown(&self) -> [&[bool]; QUANTITIES.len()] {
        [&self.errors, &self.energies, &self.counts]
    }

    fn shown_mut(&mut self) -> [&mut [bool]; QUANTITIES.len()] {
        [&mut self.errors, &mut self.energies, &mut self.counts]
    }

    /// What differs from the usual view.
    pub(super) fn in_files(&self) -> Plotted {
        let usual = Self::default();
        let mut quantities = [None, None, None];
        let views = self.shown().into_iter().zip(usual.shown());
        for ((chosen, (shown, usual)), (_, names)) in quantities.iter_mut().zip(views).zip(QUANTITIES) {
            let named = names.iter().zip(shown).filter(|(_, shown)| **shown).map(|(name, _)| *name);
            *chosen = (shown != usual).then(|| named.collect());
        }
        Plotted {
            tab: (self.tab != usual.tab).then(|| self.tab.key()),
            quantities,
            span: (self.span != usual.span).then(|| self.span.unwrap_or(f64::INFINITY)),
        }
    }

    pub(super) fn take_from_file(&mut self, plot: Plotted) {
        *self = Self::default();
        let Plotted { tab, quantities, span } = plot;
        let named = IN_FILES.iter().find(|own| Some(own.key()) == tab);
        self.tab = named.copied().unwrap_or(self.tab);
        for ((shown, chosen), (_, names)) in self.shown_mut().into_iter().zip(quantities).zip(QUANTITIES) {
            let Some(chosen) = chosen else { continue };
            for (shown, name) in shown.iter_mut().zip(names) {
                *shown = chosen.contains(name);
            }
        }
        if let Some(span) = span {
            self.span = Some(span).filter(|span| span.is_finite());
        }
    }
}
