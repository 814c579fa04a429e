//! What an engine lacks of a world: one sentence for each thing, with the name of the body or joint.

use crate::peer::{Error, Kind};
use driftlab_engine::model::{Body, Joint, JointKind, Nonholonomic, Piece, Spring, World};

/// The sentences so far.
pub struct Lacks<'w> {
    world: &'w World,
    engine: Kind,
    sentences: Vec<String>,
}

impl<'w> Lacks<'w> {
    /// What neither engine has of this world.
    pub fn of(engine: Kind, world: &'w World) -> Self {
        let mut lacks = Self { world, engine, sentences: Vec::new() };
        for index in 0..world.bodies().len() {
            lacks.look_at_body(index);
        }
        for joint in world.joints().iter().filter(|joint| !joint.broken) {
            lacks.look_at_joint(joint);
        }
        for constraint in world.nonholonomic() {
            lacks.look_at_nonholonomic(constraint);
        }
        for spring in world.springs().iter().filter(|spring| !spring.broken && spring.breaking.is_some()) {
            lacks.spring(spring, "breaks under a load: the engine's springs do not");
        }
        if !world.materials().pairs.is_empty() {
            let what =
                "have friction or restitution of their own: the engine combines those of two surfaces";
            lacks.say("Pairs of materials", what);
        }
        lacks
    }

    /// The world, if the engine lacks nothing.
    ///
    /// # Errors
    /// All that it lacks.
    pub fn finish(self) -> Result<(), Error> {
        let Self { engine, sentences: lacks, .. } = self;
        if lacks.is_empty() { Ok(()) } else { Err(Error::Lacks { engine, lacks }) }
    }

    /// The name of a body.
    pub fn name(&self, index: usize) -> String {
        name(self.world, index)
    }

    /// Says `what` of a subject; `the engine` in it becomes the engine's name.
    fn say(&mut self, subject: &str, what: &str) {
        let sentence = format!("{subject} {}.", what.replace("the engine", self.engine.name()));
        if !self.sentences.contains(&sentence) {
            self.sentences.push(sentence);
        }
    }

    /// Says something of a body; `the engine` becomes its name.
    pub fn body(&mut self, index: usize, what: &str) {
        self.say(&self.name(index), what);
    }

    /// Says something of a joint, likewise.
    pub fn joint(&mut self, joint: &Joint, what: &str) {
        let [a, b] = joint.bodies().map(|index| self.name(index));
        self.say(&format!("The {} between {a} and {b}", joint.kind.key()), what);
    }

    /// Says something of a spring, likewise.
    pub fn spring(&mut self, spring: &Spring, what: &str) {
        let [a, b] = spring.bodies().map(|index| self.name(index));
        self.say(&format!("The spring between {a} and {b}"), what);
    }

    fn look_at_body(&mut self, index: usize) {
        let body: &Body = &self.world.bodies()[index];
        if body.collides && body.pieces().iter().any(|piece| matches!(piece, Piece::Ellipse(_))) {
            self.body(index, "is an ellipse: the engine has none");
        }
        if body.surface_profile.is_some() {
            self.body(index, "has a surface speed that a profile drives: that of the engine is constant");
        }
        let of_rest = |piece: usize| {
            let skin = body.skin(piece as u32);
            skin.static_friction != skin.friction
        };
        if body.collides && (0..body.pieces().len()).any(of_rest) {
            self.body(index, "has static friction of its own: the engine has one coefficient");
        }
        if body.is_dynamic() && (body.damping.drag != 0.0 || body.damping.quadratic_drag != 0.0) {
            self.body(index, "has drag in the air: the engine has linear damping alone");
        }
    }

    fn look_at_joint(&mut self, joint: &Joint) {
        let unknown = match &joint.kind {
            JointKind::Gear(_) | JointKind::Pulley(_) | JointKind::Custom(_) => true,
            JointKind::Bead(_) => true,
            JointKind::Hinge(_)
            | JointKind::Distance(_)
            | JointKind::Rope(_)
            | JointKind::Weld(_)
            | JointKind::Slider(_)
            | JointKind::Slot(_)
            | JointKind::PoseMotor(_) => false,
        };
        if unknown || joint.further().is_some() {
            return self.joint(joint, "is none of the engine's joints");
        }
        if joint.softness.is_some() {
            self.joint(joint, "is soft by a stiffness: the engine's soft joints have a frequency instead");
        }
        if joint.breaking.is_some() {
            self.joint(joint, "breaks under a load: the engine's joints do not");
        }
        if joint.restitution > 0.0 && joint.limits.is_some() {
            self.joint(joint, "rebounds at its limits: those of the engine do not");
        }
        if joint.acting_motor().is_some() && joint.friction > 0.0 {
            self.joint(
                joint,
                "has a motor and friction: the engine has a motor alone, which may serve as one of both",
            );
        }
    }

    fn look_at_nonholonomic(&mut self, constraint: &Nonholonomic) {
        let [a, b] = constraint.bodies().map(|index| self.name(index));
        let key = constraint.kind.key();
        let of = if a == b { format!("of {b}") } else { format!("between {a} and {b}") };
        self.say(&format!("The velocity constraint {key} {of}"), "is none of the engine's joints");
    }
}

/// The name of a body, or its place among the bodies.
pub fn name(world: &World, index: usize) -> String {
    match world.bodies()[index].name.as_str() {
        "" => format!("body {index}"),
        name => name.to_owned(),
    }
}
