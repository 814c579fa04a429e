//! What the canvas shows: the fit of the scene, the view that follows it, the panes.

use super::Model;
use crate::workbench::runs::forecast::forecast;
use crate::workbench::stage::framing;
use crate::workbench::view_state::area::Area;
use crate::workbench::view_state::arrangement::Arrangement;
use crate::workbench::view_state::camera::Camera;

/// Height of the strip below panes, which holds the scale bar and the line of time and time step, points.
const FOOT: f32 = 44.0;

impl Model {
    /// The canvas has been laid out.
    pub fn lay_out(&mut self, canvas: impl Into<Area>) {
        // A view that nobody has moved since it was fitted fits the canvas of every size.
        self.canvas = canvas.into();
        let size = self.pane(0).size();
        let outgrown = size != self.pane_size && self.fitted == Some(self.camera);
        self.pane_size = size;
        if self.fit_pending || outgrown {
            self.fit();
        }
        self.look();
        self.follow();
    }

    /// Looks where the bodies of a scene that has been opened will go. The view follows them if they leave.
    pub(super) fn foresee(&mut self) {
        self.forecast = forecast(&self.run().scene);
        self.view.follow = self.forecast.leaves;
        self.fit_pending = true;
    }

    /// Moves the view with the middle of the bodies.
    pub(super) fn follow(&mut self) {
        let middle = framing::middle(self.run().world()).filter(|_| self.view.follow);
        if let (Some(now), Some(before)) = (middle, self.followed) {
            self.camera.center += now - before;
            if let Some(fitted) = &mut self.fitted {
                fitted.center += now - before;
            }
        }
        self.followed = middle;
    }

    /// Moves the view by a distance on the screen, points, without a person's doing.
    pub(crate) fn slide(&mut self, by: [f32; 2]) {
        self.camera.pan(by);
        if let Some(fitted) = &mut self.fitted {
            fitted.pan(by);
        }
    }

    /// Fits the scene into the canvas.
    pub(super) fn fit(&mut self) {
        // The scene's start shows how far a mechanism reaches, the present state where the bodies are now.
        let [low, high] = framing::frame(&self.run().scene.world);
        let [now_low, now_high] = framing::frame(self.run().world());
        let (mut low, mut high) = (low.min(now_low), high.max(now_high));
        if self.view.follow {
            (low, high) = (now_low, now_high);
        } else if let Some([swept_low, swept_high]) = self.forecast.swept {
            let margin = framing::margin(swept_low, swept_high);
            (low, high) = (low.min(swept_low - margin), high.max(swept_high + margin));
        }
        self.camera = Camera::fit(low, high, self.pane(0));
        self.followed = None;
        self.fit_pending = false;
        self.fitted = Some(self.camera);
    }

    /// The parts of the canvas that show the runs: the main one's first.
    pub fn panes(&self) -> Vec<Area> {
        let runs = 1 + self.comparison.present().count();
        let mut room = self.canvas;
        if self.arrangement == Arrangement::Panes && runs > 1 {
            room.max.y = (room.max.y - FOOT).max(room.min.y);
        }
        self.arrangement.divide(room, runs)
    }

    /// The pane of that index, or the whole canvas.
    pub fn pane(&self, index: usize) -> Area {
        self.panes().get(index).copied().unwrap_or(self.canvas)
    }
}
