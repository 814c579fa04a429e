//! The plots of the bottom panel: what is painted, as a list of words and lines with their places.

use super::panels::window;
use super::{drawn, model};
use crate::figures::golden;
use driftlab::app::commands::Command;
use driftlab::app::intent::Intent;
use driftlab::app::model::Model;
use driftlab::app::view_state::plot_view::{PlotView, Tab};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Pos2, Rect, Shape, pos2};

/// Where the plot ends in a window of 1280 by 800 points: the side panel stands right of it.
const END: Pos2 = pos2(928.0, 800.0);

/// What stands below the tabs of the bottom panel, in the order of painting.
fn listed(harness: &Harness<'_, Model>) -> String {
    let tabs = harness.get_by_label("Energy").bounding_box().expect("a place");
    let part = Rect::from_min_max(pos2(0.0, tabs.y1 as f32), END);
    let mut text = String::new();
    let places = |points: &[Pos2]| {
        let points: Vec<String> = points.iter().map(|at| format!("{:.1},{:.1}", at.x, at.y)).collect();
        points.join(" ")
    };
    for shape in drawn::within(harness, part) {
        text += &match shape {
            Shape::Path(path) => {
                format!(
                    "@line {:?} {:.1} at= {}\n",
                    path.stroke.color,
                    path.stroke.width,
                    places(&path.points)
                )
            }
            Shape::LineSegment { points, stroke } => {
                format!("@line {:?} {:.1} at= {}\n", stroke.color, stroke.width, places(&points))
            }
            Shape::Text(own) => {
                let at = own.visual_bounding_rect().min;
                format!("@words at= {}\n{}\n", places(&[at]), own.galley.text().trim())
            }
            _ => continue,
        };
    }
    text
}

/// Protects the window's plots: what is drawn of errors and of energies of two runs, with their names, axes and grid.
#[test]
fn the_plots_of_two_runs_look_as_they_did() {
    for (tab, file) in [(Tab::Errors, "window-errors.txt"), (Tab::Energy, "window-energy.txt")] {
        let mut model = model("single-pendulum");
        model.apply(Intent::Beside(1));
        (0..20).for_each(|_| model.apply(Command::StepForward));
        model.settle();
        model.apply(Intent::Plot(PlotView { tab, ..PlotView::default() }));
        let mut harness = window(model);
        harness.run_steps(60);
        golden(file, &listed(&harness));
    }
}
