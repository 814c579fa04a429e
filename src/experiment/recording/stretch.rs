//! Who is there: a recording is cut where bodies or constraints come or go, and each stretch between two cuts has a world of
//! its own.

use super::problem::RecordingProblem;
use crate::experiment::poses::pose_of_centre;
use crate::model::{BodyId, JointId, NonholonomicId, Pose, SpringId, Velocity, World};
use crate::scene::Scene;
use driftlab_probe::format::{Came, Step, Went};
use glam::DVec3;
use serde_json::Value;

/// The lines from a cut to the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Place of its first line.
    pub first: usize,
    /// The world of these lines, as it is before the first of them.
    pub world: World,
    /// By the recording's numbers; none of what is gone.
    pub bodies: Vec<Option<BodyId>>,
    /// Joints, likewise.
    pub joints: Vec<Option<JointId>>,
    /// Springs, likewise.
    pub springs: Vec<Option<SpringId>>,
    /// Velocity constraints, likewise.
    pub nonholonomic: Vec<Option<NonholonomicId>>,
}

impl Stretch {
    /// The world of a recording's first line.
    pub(crate) fn of(world: &World) -> Self {
        Self {
            first: 0,
            bodies: world.body_ids().iter().copied().map(Some).collect(),
            joints: world.joint_ids().iter().copied().map(Some).collect(),
            springs: world.spring_ids().iter().copied().map(Some).collect(),
            nonholonomic: world.nonholonomic_ids().iter().copied().map(Some).collect(),
            world: world.clone(),
        }
    }

    /// The stretch that begins with line `first`, which says who came and who went; `before` is the line before it.
    pub(super) fn next(
        &self,
        first: usize,
        line: u64,
        before: Option<&Step>,
        step: &Step,
        scene: &Scene,
    ) -> Result<Self, Vec<RecordingProblem>> {
        let mut own = Self { first, ..self.clone() };
        if let Some(before) = before {
            own.place(before, None);
        }
        // Behind lost lines somebody may have come and gone again.
        let [those, them] = step.went.as_ref().map_or_else(Default::default, |went| own.in_turn(went));
        own.remove(&those, line)?;
        if let Some(came) = &step.came {
            own.add(came, line, scene)?;
        }
        own.remove(&them, line)?;
        Ok(own)
    }

    /// Gives the bodies of this stretch's world the poses and velocities of a line, and sets its clock to the line's time.
    /// Without velocities they are (q⁺ − q⁻)/(t⁺ − t⁻) from the world's own poses, or from those of `before`.
    pub fn place(&mut self, step: &Step, before: Option<&Step>) {
        let states = self.states(step, before);
        // Times and states of a line that has been read are finite.
        let _set = self.world.set_time(step.t);
        let placed = self.world.place_bodies(&states);
        debug_assert!(placed.is_ok(), "{placed:?}");
    }

    /// Poses and velocities of the bodies' centres of mass after a step.
    fn states(&self, step: &Step, before: Option<&Step>) -> Vec<(BodyId, Pose, Velocity)> {
        // Lines may have been lost between the two.
        let elapsed = step.t - before.map_or(self.world.time(), |before| before.t);
        let given = step.v.as_ref();
        let state = |(number, q): (usize, &Option<[f64; 3]>)| {
            let (id, q) = (self.bodies.get(number).copied()??, (*q)?);
            let body = self.world.body(id)?;
            let centre = body.mass_properties().center;
            let pose = pose_of_centre(DVec3::from_array(q), centre);
            let from = before.map_or(Some(body.pose.coordinates()), |before| {
                before.q.get(number).copied()?.map(|q| pose_of_centre(DVec3::from_array(q), centre))
            });
            let moved =
                || from.filter(|_| elapsed > 0.0).map_or(DVec3::ZERO, |from| (pose - from) / elapsed);
            let v = match given.and_then(|given| given.get(number).copied()?) {
                Some(v) => DVec3::from_array(v),
                None => moved(),
            };
            let pose = Pose { position: pose.truncate(), angle: pose.z };
            Some((id, pose, Velocity { linear: v.truncate(), angular: v.z }))
        };
        step.q.iter().enumerate().filter_map(state).collect()
    }

    /// Those of what went that were there before, and those that had to come first.
    fn in_turn(&self, went: &Went) -> [Went; 2] {
        let part = |numbers: &[usize], had: usize| -> [Vec<usize>; 2] {
            let (before, after) = numbers.iter().partition(|number| **number < had);
            [before, after]
        };
        let [bodies, late_bodies] = part(&went.bodies, self.bodies.len());
        let [joints, late_joints] = part(&went.joints, self.joints.len());
        let [springs, late_springs] = part(&went.springs, self.springs.len());
        [
            Went { bodies, joints, springs },
            Went { bodies: late_bodies, joints: late_joints, springs: late_springs },
        ]
    }

    fn remove(&mut self, went: &Went, line: u64) -> Result<(), Vec<RecordingProblem>> {
        let mut problems = Vec::new();
        let mut wrong = |kind: &str, place: usize, number: usize| {
            let message = format!("nothing with the number {number} is there");
            problems.push(RecordingProblem::at(line, format!("went.{kind}[{place}]"), message));
        };
        for (place, &number) in went.springs.iter().enumerate() {
            let id = self.springs.get_mut(number).and_then(Option::take);
            let gone = id.is_some_and(|id| self.world.remove_spring(id).is_ok());
            if !gone {
                wrong("springs", place, number);
            }
        }
        for (place, &number) in went.joints.iter().enumerate() {
            let id = self.joints.get_mut(number).and_then(Option::take);
            let gone = id.is_some_and(|id| self.world.remove_joint(id).is_ok());
            if !gone {
                wrong("joints", place, number);
            }
        }
        for (place, &number) in went.bodies.iter().enumerate() {
            let id = self.bodies.get_mut(number).and_then(Option::take);
            let gone = id.is_some_and(|id| self.world.remove_body(id).is_ok());
            if !gone {
                wrong("bodies", place, number);
            }
        }
        // What was attached to a body went with it.
        let world = &self.world;
        self.joints.iter_mut().for_each(|own| *own = own.filter(|id| world.joint(*id).is_some()));
        self.springs.iter_mut().for_each(|own| *own = own.filter(|id| world.spring(*id).is_some()));
        let own = self.nonholonomic.iter_mut();
        own.for_each(|own| *own = own.filter(|id| world.nonholonomic_ids().contains(id)));
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Adds what came: the world is written as a scene, and read again with it.
    fn add(&mut self, came: &Came, line: u64, scene: &Scene) -> Result<(), Vec<RecordingProblem>> {
        let links = self.world.joints().len() + self.world.nonholonomic().len();
        let had = [self.world.bodies().len(), links, self.world.springs().len()];
        let scene =
            Scene { world: self.world.clone(), references: Vec::new(), window: None, ..scene.clone() };
        let whole = |error: serde_json::Error| vec![RecordingProblem::at(line, "came", error.to_string())];
        let mut text: Value = serde_json::from_str(&scene.to_json()).map_err(whole)?;
        let lists = [("bodies", &came.bodies), ("joints", &came.joints), ("springs", &came.springs)];
        for (key, more) in lists {
            if let Some(keys) = text.as_object_mut() {
                let list = keys.entry(key).or_insert_with(|| Value::Array(Vec::new()));
                list.as_array_mut().into_iter().for_each(|list| list.extend(more.iter().cloned()));
            }
        }
        let read = Scene::parse(&text.to_string()).map_err(|problems| {
            let told = problems.into_iter().map(|problem| {
                let path = place_in_came(&problem.path, lists.map(|(key, _)| key), had);
                RecordingProblem::at(line, path, problem.message)
            });
            told.collect::<Vec<_>>()
        })?;
        let world = read.world;
        renumber(&mut self.bodies, world.body_ids());
        renumber(&mut self.joints, world.joint_ids());
        renumber(&mut self.springs, world.spring_ids());
        renumber(&mut self.nonholonomic, world.nonholonomic_ids());
        self.world = world;
        Ok(())
    }
}

/// Gives what is still there its ids in another world that has it in the same order, and what is new the next numbers.
fn renumber<I: Copy>(numbers: &mut Vec<Option<I>>, ids: &[I]) {
    let mut ids = ids.iter().copied();
    numbers.iter_mut().filter(|own| own.is_some()).for_each(|own| *own = ids.next());
    numbers.extend(ids.map(Some));
}

/// Where a problem of the scene with what came stands in the line: `bodies[7].mass` is `came.bodies[0].mass` behind seven others.
fn place_in_came(path: &str, keys: [&str; 3], had: [usize; 3]) -> String {
    let own = keys.into_iter().zip(had).find_map(|(key, had)| {
        let (index, rest) = path.strip_prefix(key)?.strip_prefix('[')?.split_once(']')?;
        let index = index.parse::<usize>().ok()?.checked_sub(had)?;
        Some(format!("came.{key}[{index}]{rest}"))
    });
    own.unwrap_or_else(|| "came".to_owned())
}
