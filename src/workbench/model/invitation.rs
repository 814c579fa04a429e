//! What the first screen asks for, one after the other, until a person has broken, tamed and compared.

use super::{ARGUMENT, Model};
use crate::detect::distance_to;
use crate::model::Body;
use crate::schemes::TABLE;
use crate::workbench::editor::toolbox::Group;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::text::prose::capitalised;
use crate::workbench::view_state::plot_view::Tab;
use glam::DVec2;

/// Number of requests: to pull, to tame, to compare.
const INVITATIONS: usize = 3;
/// Error of the joints, in sizes of the scene, below which the chain is tame.
const TAME: f64 = 1e-3;
/// What is asked of a person before a scene without bodies.
const EMPTY: &str = "Choose a tool on the right, and draw with it here.";
/// Places in the table of schemes that the first screen offers for a comparison: none, projection, RATTLE.
const OFFERED: [usize; 3] = [0, 6, 7];

impl Model {
    /// What the first screen asks for now; nothing while a card says what to do about a run that has stopped.
    pub fn invitation(&self) -> Option<String> {
        if self.run().failure().is_some() {
            return None;
        }
        if self.build.is_on() && self.run().world().bodies().is_empty() {
            return Some(match self.build.placing() {
                Some(tool) if matches!(tool.group, Group::Shapes | Group::Stamps) => {
                    format!("{}: {}.", capitalised(tool.name), tool.drawn.hint())
                }
                Some(tool) if tool.group != Group::Actions => "Place a body first.".to_owned(),
                _ => EMPTY.to_owned(),
            });
        }
        match self.library.invitation? {
            0 => Some("Pull the chain.".to_owned()),
            // Projection closes the joints however far they have drifted; others can blow up on the way.
            1 => Some(match self.run().method().stabilizer.scheme().remedy(self.run().time_step())[..] {
                [(gain, _)] => format!("Raise {} until it is tame, or press 7.", gain.symbol),
                _ => "Tame it: press 7.".to_owned(),
            }),
            2 => {
                let shown = |place: &usize| {
                    let mut runs =
                        self.runs.comparison.forks().iter().map(|fork| fork.run().scheme_index());
                    self.run().scheme_index() == *place || runs.any(|other| other == *place)
                };
                let place = OFFERED.into_iter().find(|place| !shown(place))?;
                let name = TABLE.get(place)?.info().short;
                Some(format!("Compare: press the squares on '{name}'."))
            }
            _ => None,
        }
    }

    /// The first screen's scene begins again: under the scheme with which the argument begins, so do the requests.
    pub(crate) fn invite_again(&mut self) {
        let begins = self.run().method().stabilizer.info().key == ARGUMENT[0];
        self.library.invitation = self.library.invitation.map(|asked| if begins { 0 } else { asked });
    }

    /// Goes on to the next request of the first screen when the chain is tame under another scheme than the first one, also where
    /// nobody has pulled it before.
    pub(super) fn tamed(&mut self) {
        let run = self.run();
        let tame = run.method().stabilizer.info().key != ARGUMENT[0]
            && run.report().joint_error < TAME * run.extent();
        if tame {
            self.done(1);
        }
    }

    /// The mouse has acted at the world point `to`: a push that reaches a body moves the chain as a pull does.
    pub(crate) fn pushed(&mut self, to: DVec2) {
        let run = self.run();
        let reached = |body: &Body| body.is_dynamic() && distance_to(body, to) < run.push.radius;
        if self.hand.hold == Hold::Push
            && self.runs.player.playing
            && run.world().bodies().iter().any(reached)
        {
            self.done(0);
        }
    }

    /// A run has been added beside the main one: what the first screen asks for last, and the table shows the result.
    pub(crate) fn compared(&mut self) {
        if self.library.invitation == Some(2) {
            self.shown.plot.tab = Tab::Compare;
        }
        self.done(2);
    }

    /// The person has done what is asked for at that `place`, or something further on.
    pub(crate) fn done(&mut self, place: usize) {
        if let Some(asked) = &mut self.library.invitation {
            *asked = (*asked).max(place + 1).min(INVITATIONS);
        }
    }
}
