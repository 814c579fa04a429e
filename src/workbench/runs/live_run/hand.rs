//! The mouse's actions on the world: pulling, pushing, and moving bodies while paused.

use super::LiveRun;
use crate::model::{BodyId, Grab, Repulsion, World};
use crate::scene::Tool;
use crate::workbench::runs::player::Player;
use crate::workbench::runs::recorder::Recorder;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::stage::push::Push;
use glam::DVec2;

/// What a person's hands do to the bodies: the pull and the push of the mouse, and the keys that are held, as switches.
pub type MouseHand = (Option<Grab>, Option<Repulsion>, u64);

/// Hands that do nothing.
pub(crate) const IDLE: MouseHand = (None, None, 0);

impl LiveRun {
    /// What a press that would take `hold` begins; during a replay it can only move the view. A recording that is being
    /// made takes note of the press.
    pub fn press(&mut self, hold: Hold, reach: f64) -> Hold {
        let Push { radius, strength, .. } = self.push;
        if matches!(hold, Hold::Body { .. } | Hold::Push) && self.recorder.replays() {
            return Hold::Nothing;
        }
        if let Some(take) = self.recorder.take_mut() {
            match hold {
                Hold::Body { .. } => take.press(Tool::Grab, 1.0, reach),
                Hold::Push => take.press(Tool::Repel, strength, radius),
                Hold::Free | Hold::View | Hold::Nothing => {}
            }
        }
        hold
    }

    /// The held body or push follows the cursor at the world point `to`. While time passes a body is pulled by a soft spring;
    /// while paused it is moved ([`LiveRun::shift`]). In a recording, pulls and pushes act with the next step.
    pub fn follow_cursor(&mut self, hold: Hold, to: DVec2, player: &Player) {
        let (Hold::Body { .. } | Hold::Push) = hold else { return };
        if let Some(take) = self.recorder.take_mut() {
            return take.hold(to, self.push.strength);
        }
        match hold {
            Hold::Body { body, at } if player.playing => self.pull(body, at, to),
            // While paused the body itself is moved.
            Hold::Body { .. } => {}
            _ => {
                // A push acts as time passes; a paused world does not notice it.
                if player.playing && self.run.world.repulsion().is_none() {
                    self.mark("push", "push".to_owned());
                }
                let hand = (self.run.world.grab(), Some(self.push.at(to)), self.run.world.switches());
                give(&mut self.run.world, hand);
            }
        }
    }

    /// The button comes up.
    pub fn release(&mut self) {
        match &mut self.recorder {
            Recorder::Recording(take) => take.release(),
            Recorder::Live => self.take_hand_away(),
            Recorder::Replay(_) => {}
        }
    }

    fn pull(&mut self, id: BodyId, at: DVec2, to: DVec2) {
        let world = &self.run.world;
        if world.grab().is_none_or(|grab| grab.body != id) {
            let grab = world.body(id).map(|body| Grab::new(id, body, body.point_in_world(at)));
            let hand = (grab, world.repulsion(), world.switches());
            give(&mut self.run.world, hand);
            self.mark("grab", "grab".to_owned());
        }
        let (grab, push, keys) = self.hand();
        give(&mut self.run.world, (grab.map(|grab| Grab { target: to, ..grab }), push, keys));
    }

    /// The distance by which a held body is moved so that its point `at` lies at `to`, m, if the world is paused and
    /// the mouse moves it.
    pub fn lift(&self, hold: Hold, to: DVec2, player: &Player) -> Option<(BodyId, DVec2)> {
        let Hold::Body { body: id, at } = hold else { return None };
        let free = !player.playing && self.recorder == Recorder::Live;
        let body = self.run.world.body(id).filter(|_| free)?;
        Some((id, to - body.point_in_world(at)))
    }

    /// Moves a body by `shift`, m, which opens its joints: new figures, and a mark.
    pub fn shift(&mut self, id: BodyId, shift: DVec2) {
        self.run.world.release_grab();
        if shift == DVec2::ZERO || self.played.is_some() {
            return;
        }
        self.cut();
        self.acts.touched = true;
        self.abandon();
        let moved = self.run.world.edit_body(id, |body| body.pose.position += shift);
        debug_assert!(moved.is_ok(), "{moved:?}");
        (self.record.account, self.judged.edited) = (None, Some(self.run.world.steps()));
        self.run.remeasure();
        self.judge_anew();
        self.record.history.push_with(self.run.report(), self.watched_now());
        self.mark("moved", "moved".to_owned());
    }

    /// Discards the recorded future if the mouse acts on the present state.
    pub(crate) fn note_hand(&mut self) {
        let acts = match &self.recorder {
            Recorder::Live => self.hand() != IDLE,
            Recorder::Recording(take) => take.is_pressed() || take.keys() != 0,
            Recorder::Replay(_) => false,
        };
        if acts {
            self.cut();
        }
    }

    /// Ends the mouse's pull and push; keys stay held.
    pub(crate) fn take_hand_away(&mut self) {
        let keys = self.run.world.switches();
        give(&mut self.run.world, (None, None, keys));
    }

    /// Exactly these keys are held from now on, as switches. During a replay they are those of the recording; in a recording
    /// they act with the next step.
    pub fn hold_keys(&mut self, keys: u64) {
        match &mut self.recorder {
            Recorder::Replay(_) => {}
            Recorder::Recording(take) => take.hold_keys(keys),
            Recorder::Live => {
                let before = self.run.world.switches();
                if before != keys {
                    self.mark("keys", "key".to_owned());
                }
                let (grab, push, _) = self.hand();
                give(&mut self.run.world, (grab, push, keys));
            }
        }
    }
}

/// Lets the hands do that to the bodies from now on.
pub(crate) fn give(world: &mut World, (grab, repulsion, keys): MouseHand) {
    world.set_switches(keys);
    let given = world.set_hand(grab, repulsion);
    // What the mouse does, and what a state of the same world did, is always possible.
    debug_assert!(given.is_ok(), "{given:?}");
}
