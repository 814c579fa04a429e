//! Islands: groups of bodies that joints, springs and contacts connect. The ground connects nobody.

use super::super::theme::Palette;
use crate::model::{BodyId, World};
use crate::workbench::view_state::layers::View;
use egui_macroquad::egui::Color32;

/// The island of each body.
pub(super) struct Islands {
    /// Number of its island, in the order of their first bodies; none for a body that forces do not move, or that
    /// nothing connects with another.
    of: Vec<Option<usize>>,
}

impl Islands {
    /// The islands of `world`, if they are shown.
    pub fn shown(view: &View, world: &World) -> Option<Self> {
        view.islands.then(|| Self::new(world))
    }

    /// The colour of a body: that of its island.
    pub fn color(&self, body: usize, palette: &Palette) -> Color32 {
        self.of.get(body).copied().flatten().map_or(palette.fixed, |island| palette.body(island))
    }

    fn new(world: &World) -> Self {
        let bodies = world.bodies();
        let joints = world.joints().iter().flat_map(|joint| {
            let all: Vec<usize> = joint.all_bodies().collect();
            all.windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>()
        });
        let springs = world.springs().iter().map(|spring| spring.bodies());
        let others = world.nonholonomic().iter().map(|constraint| constraint.bodies());
        let indices = |[a, b]: [BodyId; 2]| Some([world.index_of(a)?, world.index_of(b)?]);
        let contacts = world.contacts().iter().filter_map(|contact| indices(contact.id.bodies));
        let moves = |index: usize| bodies.get(index).is_some_and(|body| body.is_dynamic());
        // Union-find; a root is the first body of its group.
        let mut parent: Vec<usize> = (0..bodies.len()).collect();
        let mut connected = vec![false; bodies.len()];
        for [a, b] in joints.chain(springs).chain(others).chain(contacts) {
            for body in [a, b].into_iter().filter(|body| moves(*body)) {
                connected[body] = true;
            }
            if moves(a) && moves(b) {
                let (a, b) = (root(&mut parent, a), root(&mut parent, b));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut numbers = vec![None; bodies.len()];
        let mut count = 0;
        let of = (0..bodies.len()).map(|body| {
            let first = root(&mut parent, body);
            connected[body].then(|| {
                *numbers[first].get_or_insert_with(|| {
                    count += 1;
                    count - 1
                })
            })
        });
        Self { of: of.collect() }
    }
}

fn root(parent: &mut [usize], mut body: usize) -> usize {
    while parent[body] != body {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    body
}
