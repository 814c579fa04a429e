//! Which number and name everything has in the recording.

use std::collections::{HashMap, HashSet};

use super::told::{Body, BodyKind, Joint, Key, Moment};

/// A body of the recording.
#[derive(Debug)]
pub struct Named {
    /// Box2D's name of it.
    pub key: Key,
    /// Its name in the scene.
    pub name: String,
    /// What of it seldom changes.
    pub body: Body,
    /// Its angle in the last line, rad.
    pub angle: f64,
    /// Whether it is gone.
    pub gone: bool,
}

impl Named {
    /// Whether impulses move it.
    pub fn is_dynamic(&self) -> bool {
        self.body.kind == BodyKind::Dynamic && self.body.mass > 0.0
    }

    /// Its angle, which goes on where Box2D's jumps by a turn.
    pub fn follow(&mut self, moment: &Moment) -> f64 {
        self.angle += turn(moment.angle() - self.angle);
        self.angle
    }
}

/// A joint of Box2D's and what it is in the recording: a joint, a spring, both, or neither.
#[derive(Debug)]
pub struct Placed {
    /// Box2D's name of it.
    pub key: Key,
    /// As it is set up.
    pub joint: Joint,
    /// Its number among the joints.
    pub number: Option<usize>,
    /// The number of its spring.
    pub spring: Option<usize>,
    /// Whether it is gone.
    pub gone: bool,
}

/// Everything that has been in the world so far.
#[derive(Debug, Default)]
pub struct Names {
    /// The bodies by their numbers.
    pub bodies: Vec<Named>,
    /// The joints in the order in which they were seen.
    pub joints: Vec<Placed>,
    /// How many joints the recording has had.
    pub joint_count: usize,
    /// How many springs.
    pub spring_count: usize,
    /// What cannot be told.
    pub left_out: Vec<String>,
    by_body: HashMap<Key, usize>,
    by_joint: HashMap<Key, usize>,
    taken: HashSet<String>,
}

impl Names {
    /// The number of a body that is or was there.
    pub fn body(&self, key: Key) -> Option<usize> {
        self.by_body.get(&key).copied()
    }

    /// Whether a joint was seen before.
    pub fn knows_joint(&self, key: Key) -> bool {
        self.by_joint.contains_key(&key)
    }

    /// Takes a body in; its number.
    pub fn add_body(&mut self, key: Key, body: Body, moment: &Moment) -> usize {
        let number = self.bodies.len();
        let wanted = if body.name.is_empty() { format!("body {number}") } else { body.name.clone() };
        let mut name = wanted.clone();
        let mut another = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted} ({another})");
            another += 1;
        }
        self.by_body.insert(key, number);
        self.bodies.push(Named { key, name, body, angle: moment.angle(), gone: false });
        number
    }

    /// Takes a joint in.
    pub fn add_joint(&mut self, placed: Placed) {
        self.by_joint.insert(placed.key, self.joints.len());
        self.joints.push(placed);
    }

    /// Says once what cannot be told.
    pub fn leave_out(&mut self, sentence: String) {
        if self.left_out.len() < 100 && !self.left_out.contains(&sentence) {
            self.left_out.push(sentence);
        }
    }
}

/// An angle by whole turns in [−π, π].
pub fn turn(angle: f64) -> f64 {
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An angle that Box2D wraps at π goes on in the recording.
    #[test]
    fn angles_go_on() {
        let still = Moment { turn: [-1.0, 1e-3], ..Moment::default() };
        let mut names = Names::default();
        let body = Body {
            name: String::new(),
            kind: BodyKind::Dynamic,
            mass: 1.0,
            inertia: 1.0,
            center: [0.0; 2],
            gravity_scale: 1.0,
            damping: 0.0,
            angular_damping: 0.0,
            locks: [false; 3],
            enabled: true,
        };
        names.add_body(Key { index: 1, generation: 0 }, body, &still);
        let beyond = Moment { turn: [-1.0, -1e-3], ..Moment::default() };
        let angle = names.bodies[0].follow(&beyond);
        assert!((angle - (std::f64::consts::PI + 1e-3)).abs() < 1e-9, "{angle}");
    }
}
