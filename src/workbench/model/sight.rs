//! What the canvas shows: the fit of the scene, the view that follows it, the panes.

use super::Model;
use crate::scene::window::Outlook;
use crate::workbench::runs::forecast::Forecast;
use crate::workbench::runs::forecast::forecast;
use crate::workbench::stage::framing;
use crate::workbench::view_state::area::Area;
use crate::workbench::view_state::arrangement::Arrangement;
use crate::workbench::view_state::camera::Camera;
use glam::{DVec2, Vec2};

/// Height of the strip below panes, which holds the scale bar and the line of time and time step, points.
const FOOT: f32 = 44.0;

/// Which part of the world is seen, and where on the screen.
#[derive(Debug)]
pub struct Sight {
    /// Which part of the world the canvas shows.
    pub camera: Camera,
    /// How several runs are shown.
    pub arrangement: Arrangement,
    /// Which of the panes the mouse works in.
    pub aim: usize,
    /// The canvas as it was last laid out.
    pub canvas: Area,
    /// Size of the main run's pane when it was last laid out, points.
    pub(super) pane_size: Vec2,
    /// Whether the scene is to be fitted into the canvas once its size is known.
    pub fit_pending: bool,
    /// What a file says that the canvas shows, until its size is known.
    pub(super) outlook: Option<Outlook>,
    /// The camera as the last fit left it.
    pub(super) fitted: Option<Camera>,
    /// Where the scene's bodies will go.
    pub(super) forecast: Forecast,
    /// The middle of the bodies that the view followed last, m.
    pub(super) followed: Option<DVec2>,
}

impl Default for Sight {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            arrangement: Arrangement::default(),
            aim: 0,
            canvas: Area::default(),
            pane_size: Vec2::ZERO,
            fit_pending: true,
            outlook: None,
            fitted: None,
            forecast: Forecast::default(),
            followed: None,
        }
    }
}

impl Sight {
    /// Moves the view by a distance on the screen, points, without a person's doing.
    pub(crate) fn slide(&mut self, by: [f32; 2]) {
        self.camera.pan(by);
        if let Some(fitted) = &mut self.fitted {
            fitted.pan(by);
        }
    }
}

impl Model {
    /// The canvas has been laid out.
    pub fn lay_out(&mut self, canvas: impl Into<Area>) {
        // A view that nobody has moved since it was fitted fits the canvas of every size.
        self.sight.canvas = canvas.into();
        let size = self.pane(0).size();
        let outgrown = size != self.sight.pane_size && self.sight.fitted == Some(self.sight.camera);
        self.sight.pane_size = size;
        if self.sight.fit_pending || outgrown {
            self.fit();
        }
        self.look();
        self.follow();
    }

    /// Looks where the bodies of a scene that has been opened will go. The view follows them if they leave.
    pub(super) fn foresee(&mut self) {
        self.sight.forecast = forecast(&self.run().scene);
        self.view.follow = self.sight.forecast.leaves;
        self.sight.fit_pending = true;
    }

    /// Moves the view with the middle of the bodies.
    pub(super) fn follow(&mut self) {
        let middle = framing::middle(self.run().world()).filter(|_| self.view.follow);
        if let (Some(now), Some(before)) = (middle, self.sight.followed) {
            self.sight.camera.center += now - before;
            if let Some(fitted) = &mut self.sight.fitted {
                fitted.center += now - before;
            }
        }
        self.sight.followed = middle;
    }

    /// Fits the scene into the canvas.
    pub(super) fn fit(&mut self) {
        // The scene's start shows how far a mechanism reaches, the present state where the bodies are now.
        let [low, high] = framing::frame(&self.run().scene.world);
        let [now_low, now_high] = framing::frame(self.run().world());
        let (mut low, mut high) = (low.min(now_low), high.max(now_high));
        if self.view.follow {
            (low, high) = (now_low, now_high);
        } else if let Some([swept_low, swept_high]) = self.sight.forecast.swept {
            let margin = framing::margin(swept_low, swept_high);
            (low, high) = (low.min(swept_low - margin), high.max(swept_high + margin));
        }
        self.sight.camera = Camera::fit(low, high, self.pane(0));
        self.sight.followed = None;
        self.sight.fit_pending = false;
        self.sight.fitted = Some(self.sight.camera);
    }

    /// The parts of the canvas that show the runs: the main one's first.
    pub fn panes(&self) -> Vec<Area> {
        let runs = 1 + self.runs.comparison.present().count();
        let mut room = self.sight.canvas;
        if self.sight.arrangement == Arrangement::Panes && runs > 1 {
            room.max.y = (room.max.y - FOOT).max(room.min.y);
        }
        self.sight.arrangement.divide(room, runs)
    }

    /// The pane of that index, or the whole canvas.
    pub fn pane(&self, index: usize) -> Area {
        self.panes().get(index).copied().unwrap_or(self.sight.canvas)
    }
}
