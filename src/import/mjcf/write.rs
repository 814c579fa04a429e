//! A scene as MJCF: the plane is MuJoCo's x–z, seen against y, so that angles turn about −y.
//!
//! Bodies that hinges, sliders and welds connect form trees: the first such joint by which a body hangs on what is there
//! already is its joint in MJCF, further hinges and welds are equality constraints. A body without such a joint has two
//! slides and a hinge. A circle is a sphere, a box, a capsule and an ellipse are solids as deep as they are thin; each body
//! states its mass and its inertia. MuJoCo's contacts and equalities are soft.

use super::couplings::{self, same};
use crate::model::joint::{Distance, Slider};
use crate::model::{Body, JointKind, Placement, Rotation, Shape, World};
use crate::scene::{Problem, Scene};
use glam::DVec2;
use std::fmt::Write;

/// Pairs of bodies that do not collide, at most: each is a line.
const MOST_PAIRS: usize = 10_000;
/// How many times its largest force a motor makes per unit of speed by which it misses its own.
const GAIN: f64 = 100.0;

/// A scene as MJCF.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The XML.
    pub text: String,
    /// What it does not contain, or contains otherwise, each with its path in the scene.
    pub left_out: Vec<Problem>,
}

/// Writes a scene as MJCF.
pub fn export(scene: &Scene) -> Exported {
    let world = &scene.world;
    let mut writer = Writer {
        world,
        names: names(world),
        left_out: Vec::new(),
        velocities: Vec::new(),
        controls: Vec::new(),
    };
    writer.note_what_is_missing();
    let tree = writer.tree();
    let mut text = String::new();
    let g = world.gravity();
    let _ = writeln!(text, "<mujoco model=\"{}\">", escaped(&scene.name));
    let _ = writeln!(text, "  <compiler angle=\"radian\" autolimits=\"true\"/>");
    let h = scene.settings.time_step;
    let _ = writeln!(
        text,
        "  <option timestep=\"{h:?}\" gravity=\"{:?} 0 {:?}\" integrator=\"implicitfast\"/>",
        g.x, g.y
    );
    let _ = writeln!(text, "  <worldbody>");
    for index in tree.roots.iter().copied() {
        writer.body(&tree, index, &mut text);
    }
    let _ = writeln!(text, "  </worldbody>");
    writer.links(&tree, &mut text);
    let _ = writeln!(text, "</mujoco>");
    Exported { text, left_out: writer.left_out }
}

/// How the bodies hang on one another.
struct Tree {
    /// The joint by which a body hangs on another, and that other body.
    held: Vec<Option<(usize, usize)>>,
    children: Vec<Vec<usize>>,
    roots: Vec<usize>,
}

struct Writer<'w> {
    world: &'w World,
    names: Vec<String>,
    left_out: Vec<Problem>,
    /// Of the coordinates, in the order in which they are written.
    velocities: Vec<f64>,
    controls: Vec<f64>,
}

impl Writer<'_> {
    fn leave_out(&mut self, path: String, message: &str) {
        self.left_out.push(Problem { path, message: message.to_owned() });
    }

    fn note_what_is_missing(&mut self) {
        for (index, body) in self.world.bodies().iter().enumerate() {
            let path = format!("bodies[{index}]");
            let notes = [
                (body.restitution > 0.0, "restitution is left out: MuJoCo's contacts are soft"),
                (body.applied.is_some() || !body.driven.is_empty(), "the applied force is left out"),
                (!body.damping.is_none(), "damping and drag are left out"),
                (
                    body.rolling_resistance != 0.0 || body.surface_speed != 0.0,
                    "rolling resistance and surface speed are left out",
                ),
                (
                    !body.is_dynamic() && body.velocity != Default::default(),
                    "the prescribed motion is left out: the body stands still",
                ),
                (body.fixed_rotation, "fixed_rotation is left out: the body turns"),
            ];
            for (_, note) in notes.into_iter().filter(|(acts, _)| *acts) {
                self.leave_out(path.clone(), note);
            }
        }
        if !self.world.fields().is_empty() {
            self.leave_out("fields".to_owned(), "fields are left out");
        }
        if !self.world.nonholonomic().is_empty() {
            self.leave_out("joints".to_owned(), "velocity constraints are left out");
        }
    }

    /// Joints in their order, as far as each adds a body to what hangs together.
    fn tree(&self) -> Tree {
        let n = self.world.bodies().len();
        let mut held: Vec<Option<(usize, usize)>> = vec![None; n];
        let moves = |index: usize| self.world.bodies()[index].is_dynamic();
        // Bodies that stand still are there; all others begin as roots of their own.
        let mut root: Vec<usize> = (0..n).collect();
        fn find(root: &mut [usize], mut index: usize) -> usize {
            while root[index] != index {
                root[index] = root[root[index]];
                index = root[index];
            }
            index
        }
        for (number, joint) in self.world.joints().iter().enumerate() {
            let fits =
                matches!(joint.kind, JointKind::Hinge(_) | JointKind::Slider(_) | JointKind::Weld(_));
            if !fits || joint.softness.is_some() || joint.broken {
                continue;
            }
            let [a, b] = joint.bodies();
            // The one that hangs has to be the root of its own part.
            for (child, parent) in [(b, a), (a, b)] {
                let free = moves(child) && held[child].is_none();
                if free && find(&mut root, child) == child && find(&mut root, parent) != child {
                    held[child] = Some((number, parent));
                    let place = find(&mut root, parent);
                    root[child] = place;
                    break;
                }
            }
        }
        let mut children = vec![Vec::new(); n];
        let mut roots = Vec::new();
        for (index, held) in held.iter().enumerate() {
            match held {
                Some((_, parent)) => children[*parent].push(index),
                None => roots.push(index),
            }
        }
        Tree { held, children, roots }
    }

    /// A body with all that hangs on it, without recursion: a chain may be long.
    fn body(&mut self, tree: &Tree, first: usize, text: &mut String) {
        enum Todo {
            Begin(usize),
            End,
        }
        let (mut todo, mut depth) = (vec![Todo::Begin(first)], 2);
        while let Some(next) = todo.pop() {
            match next {
                Todo::Begin(index) => {
                    self.begin(tree, index, depth, text);
                    todo.push(Todo::End);
                    todo.extend(tree.children[index].iter().rev().map(|child| Todo::Begin(*child)));
                    depth += 1;
                }
                Todo::End => {
                    depth -= 1;
                    let _ = writeln!(text, "{}</body>", "  ".repeat(depth.min(20)));
                }
            }
        }
    }

    fn begin(&mut self, tree: &Tree, index: usize, depth: usize, text: &mut String) {
        let body = &self.world.bodies()[index];
        let indent = "  ".repeat(depth.min(20));
        let held = tree.held[index];
        // Relative to the parent's origin and axes.
        let (origin, angle) = match held {
            Some((_, parent)) => {
                let parent = &self.world.bodies()[parent];
                let back = Rotation::from_angle(parent.pose.angle);
                (back.inverse_apply(body.origin() - parent.origin()), body.pose.angle - parent.pose.angle)
            }
            None => (body.origin(), body.pose.angle),
        };
        let lift = if body.gravity_scale == 1.0 {
            String::new()
        } else {
            format!(" gravcomp=\"{:?}\"", 1.0 - body.gravity_scale)
        };
        let _ = writeln!(
            text,
            "{indent}<body name=\"{}\" pos=\"{:?} 0 {:?}\" axisangle=\"0 -1 0 {angle:?}\"{lift}>",
            escaped(&self.names[index]),
            origin.x,
            origin.y
        );
        let inner = format!("{indent}  ");
        if body.is_dynamic() {
            let mass = body.mass_properties();
            let (m, i, c) = (mass.mass, mass.inertia, mass.center);
            let _ = writeln!(
                text,
                "{inner}<inertial pos=\"{:?} 0 {:?}\" mass=\"{m:?}\" diaginertia=\"{i:?} {i:?} {i:?}\"/>",
                c.x, c.y
            );
            self.joints_of(held, index, &inner, text);
        }
        for (number, placement) in body.shapes().iter().enumerate() {
            self.geom(body, [index, number], placement, &inner, text);
        }
        self.sites(index, &inner, text);
    }

    /// The joint by which a body hangs, or its three coordinates.
    fn joints_of(&mut self, held: Option<(usize, usize)>, index: usize, indent: &str, text: &mut String) {
        let bodies = self.world.bodies();
        let body = &bodies[index];
        let Some((number, parent)) = held else {
            // The centre of mass is where the hinge is, so that its speed is that of the slides.
            let turned = Rotation::from_angle(body.pose.angle);
            let axis = |direction: DVec2| {
                let own = turned.inverse_apply(direction);
                format!("{:?} 0 {:?}", own.x, own.y)
            };
            let c = body.mass_properties().center;
            let _ = writeln!(text, "{indent}<joint type=\"slide\" axis=\"{}\"/>", axis(DVec2::X));
            let _ = writeln!(text, "{indent}<joint type=\"slide\" axis=\"{}\"/>", axis(DVec2::Y));
            let _ = writeln!(
                text,
                "{indent}<joint type=\"hinge\" axis=\"0 -1 0\" pos=\"{:?} 0 {:?}\"/>",
                c.x, c.y
            );
            self.velocities.extend([body.velocity.linear.x, body.velocity.linear.y, body.velocity.angular]);
            return;
        };
        let joint = &self.world.joints()[number];
        // Ours is the second body against the first; theirs the child against its parent.
        let second = joint.bodies()[1] == index;
        let sign = if second { 1.0 } else { -1.0 };
        let anchors = joint.kind.anchors();
        let arm = anchors[usize::from(second)] + body.mass_properties().center;
        let at = format!("pos=\"{:?} 0 {:?}\"", arm.x, arm.y);
        let [a, b] = joint.bodies().map(|index| &bodies[index]);
        let apart = b.pose.angle - a.pose.angle;
        let other = &bodies[parent];
        let range = |now: f64| -> String {
            let Some([lower, upper]) = joint.limits else { return String::new() };
            let ends = [lower, upper].map(|end| sign * (end + joint.zero - now));
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            // An open side is far away.
            let far = |x: f64| x.clamp(-1e6, 1e6);
            format!(" range=\"{:?} {:?}\"", far(low), far(high))
        };
        let loss = match joint.friction {
            0.0 => String::new(),
            most => format!(" frictionloss=\"{most:?}\""),
        };
        match &joint.kind {
            JointKind::Hinge(_) => {
                let range = range(apart);
                let springs = couplings::torsion(self.world, joint, apart, sign);
                let _ = writeln!(
                    text,
                    "{indent}<joint name=\"j{number}\" type=\"hinge\" axis=\"0 -1 0\" {at}{range}{springs}{loss}/>"
                );
                self.velocities.push(body.velocity.angular - other.velocity.angular);
            }
            JointKind::Slider(Slider { axis, .. }) => {
                let turned = Rotation::from_angle(a.pose.angle);
                let axis = turned.apply(*axis) * sign;
                let own = Rotation::from_angle(body.pose.angle).inverse_apply(axis);
                let on = |body: &Body, arm: DVec2| {
                    body.pose.position + Rotation::from_angle(body.pose.angle).apply(arm)
                };
                let now = sign * (on(b, anchors[1]) - on(a, anchors[0])).dot(axis);
                let range = range(now);
                let _ = writeln!(
                    text,
                    "{indent}<joint name=\"j{number}\" type=\"slide\" axis=\"{:?} 0 {:?}\"{range}{loss}/>",
                    own.x, own.y
                );
                let point = on(body, arm - body.mass_properties().center);
                let speed = |body: &Body| {
                    body.velocity.linear + (point - body.pose.position).perp() * body.velocity.angular
                };
                self.velocities.push((speed(body) - speed(other)).dot(axis));
            }
            _ => {}
        }
    }

    fn geom(
        &mut self,
        body: &Body,
        [index, number]: [usize; 2],
        placement: &Placement,
        indent: &str,
        text: &mut String,
    ) {
        let Placement { shape, offset, angle, .. } = placement;
        let turned = || {
            let (x, y) = (DVec2::from_angle(*angle), DVec2::from_angle(*angle).perp());
            format!("xyaxes=\"{:?} 0 {:?} {:?} 0 {:?}\"", x.x, x.y, y.x, y.y)
        };
        let at = format!("pos=\"{:?} 0 {:?}\"", offset.x, offset.y);
        let solid = match shape {
            Shape::Circle { radius } => format!("type=\"sphere\" size=\"{radius:?}\" {at}"),
            Shape::Capsule { length, radius } => {
                let half = DVec2::from_angle(*angle) * (length / 2.0);
                let (from, to) = (*offset - half, *offset + half);
                format!(
                    "type=\"capsule\" size=\"{radius:?}\" fromto=\"{:?} 0 {:?} {:?} 0 {:?}\"",
                    from.x, from.y, to.x, to.y
                )
            }
            Shape::Box { size } => {
                let half = *size / 2.0;
                format!(
                    "type=\"box\" size=\"{:?} {:?} {:?}\" {at} {}",
                    half.x,
                    half.y,
                    half.min_element(),
                    turned()
                )
            }
            Shape::Ellipse { semi_axes: half } => {
                format!(
                    "type=\"ellipsoid\" size=\"{:?} {:?} {:?}\" {at} {}",
                    half.x,
                    half.y,
                    half.min_element(),
                    turned()
                )
            }
            Shape::HalfPlane { normal, offset: distance } => {
                let normal = Rotation::from_angle(*angle).apply(*normal);
                let point = *offset + normal * *distance;
                format!(
                    "type=\"plane\" size=\"0 0 1\" pos=\"{:?} 0 {:?}\" zaxis=\"{:?} 0 {:?}\"",
                    point.x, point.y, normal.x, normal.y
                )
            }
            Shape::Polygon { .. } | Shape::Polyline { .. } => {
                let what = format!("the {} is left out: the subset has none (its mass stays)", shape.key());
                self.leave_out(format!("bodies[{index}].shapes[{number}]"), &what);
                return;
            }
        };
        let friction = placement.surface.friction.unwrap_or(body.friction);
        let ghost = if body.collides { "" } else { " contype=\"0\" conaffinity=\"0\"" };
        let _ = writeln!(text, "{indent}<geom {solid} friction=\"{friction:?} 0 0\" condim=\"3\"{ghost}/>");
    }

    /// The ends of springs, rods and ropes.
    fn sites(&self, index: usize, indent: &str, text: &mut String) {
        let center = self.world.bodies()[index].mass_properties().center;
        let mut site = |name: String, arm: DVec2| {
            let point = arm + center;
            let _ = writeln!(text, "{indent}<site name=\"{name}\" pos=\"{:?} 0 {:?}\"/>", point.x, point.y);
        };
        for (number, spring) in
            self.world.springs().iter().enumerate().filter(|(_, spring)| spring.rest_angle.is_none())
        {
            for end in (0..2).filter(|end| spring.bodies()[*end] == index) {
                site(format!("s{number}_{end}"), spring.anchors[end]);
            }
        }
        for (number, joint) in self.world.joints().iter().enumerate() {
            if let JointKind::Distance(_) | JointKind::Rope(_) = joint.kind {
                for end in (0..2).filter(|end| joint.bodies()[*end] == index) {
                    site(format!("r{number}_{end}"), joint.kind.anchors()[end]);
                }
            }
        }
    }

    /// Tendons, equalities, actuators, exclusions, and the velocities at the start.
    fn links(&mut self, tree: &Tree, text: &mut String) {
        let (mut tendons, mut equalities, mut actuators, mut excluded) =
            (String::new(), String::new(), String::new(), String::new());
        let world = self.world;
        for (number, spring) in world.springs().iter().enumerate() {
            let (k, d) = (spring.softness.stiffness, spring.softness.damping);
            if spring.rest_angle.is_some() {
                let shared = world
                    .springs()
                    .iter()
                    .filter(|other| other.rest_angle.is_some() && same(other.bodies(), spring.bodies()))
                    .count();
                let held = |end: usize, other: usize| {
                    let own = tree.held[spring.bodies()[end]];
                    own.is_some_and(|(joint, parent)| {
                        parent == spring.bodies()[other]
                            && matches!(world.joints()[joint].kind, JointKind::Hinge(_))
                    })
                };
                if shared > 1 || !(held(0, 1) || held(1, 0)) {
                    self.leave_out(
                        format!("springs[{number}]"),
                        "the torsional spring is left out: its bodies have no hinge of their own for it",
                    );
                }
                continue;
            }
            let rest = spring.rest_length;
            let _ = writeln!(
                tendons,
                "    <spatial stiffness=\"{k:?}\" damping=\"{d:?}\" springlength=\"{rest:?}\"><site site=\"s{number}_0\"/><site site=\"s{number}_1\"/></spatial>"
            );
        }
        for (number, joint) in world.joints().iter().enumerate() {
            let [a, b] = joint.bodies();
            if joint.broken {
                continue;
            }
            let path = format!("joints[{number}]");
            if joint.softness.is_some() {
                self.leave_out(path, "the soft joint is left out");
                continue;
            }
            if joint.breaking.is_some() {
                self.leave_out(path.clone(), "that it breaks is left out");
            }
            let in_tree =
                [a, b].into_iter().any(|index| tree.held[index].is_some_and(|(own, _)| own == number));
            let [one, other] = [a, b].map(|index| escaped(&self.names[index]));
            if !joint.collide_connected {
                let _ = writeln!(excluded, "    <exclude body1=\"{one}\" body2=\"{other}\"/>");
            }
            let c = world.bodies()[a].mass_properties().center;
            match &joint.kind {
                JointKind::Hinge(_) if !in_tree => {
                    let at = joint.kind.anchors()[0] + c;
                    let _ = writeln!(
                        equalities,
                        "    <connect body1=\"{one}\" body2=\"{other}\" anchor=\"{:?} 0 {:?}\"/>",
                        at.x, at.y
                    );
                    if joint.limits.is_some() || joint.motor.is_some() || joint.friction > 0.0 {
                        self.leave_out(
                            path.clone(),
                            "limits, motor and friction of a hinge that closes a loop are left out",
                        );
                    }
                }
                JointKind::Weld(_) if !in_tree => {
                    let _ = writeln!(equalities, "    <weld body1=\"{one}\" body2=\"{other}\"/>");
                }
                JointKind::Distance(Distance { .. }) => {
                    let _ = writeln!(
                        tendons,
                        "    <spatial name=\"t{number}\"><site site=\"r{number}_0\"/><site site=\"r{number}_1\"/></spatial>"
                    );
                    let _ = writeln!(equalities, "    <tendon tendon1=\"t{number}\"/>");
                }
                JointKind::Rope(_) => {
                    let [shortest, longest] = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                    let (low, high) = (shortest.max(0.0), longest.min(1e6));
                    let _ = writeln!(
                        tendons,
                        "    <spatial range=\"{low:?} {high:?}\"><site site=\"r{number}_0\"/><site site=\"r{number}_1\"/></spatial>"
                    );
                }
                JointKind::Hinge(_) | JointKind::Slider(_) | JointKind::Weld(_) if in_tree => {
                    if let Some(motor) = joint.motor {
                        let sign =
                            if tree.held[b].is_some_and(|(own, _)| own == number) { 1.0 } else { -1.0 };
                        let most = motor.max_force;
                        let gain = GAIN * most / motor.speed.abs().max(1.0);
                        let _ = writeln!(
                            actuators,
                            "    <velocity joint=\"j{number}\" kv=\"{gain:?}\" forcerange=\"{:?} {most:?}\"/>",
                            -most
                        );
                        self.controls.push(sign * motor.speed);
                        self.leave_out(path.clone(), "the motor has a finite gain in MuJoCo");
                        if joint.servo.is_some() {
                            self.leave_out(path.clone(), "that the motor holds a position is left out");
                        }
                        if joint.speed_profile.is_some() || joint.force_profile.is_some() {
                            self.leave_out(
                                path.clone(),
                                "the motor's profiles are left out: it keeps their scale",
                            );
                        }
                    }
                }
                JointKind::Gear(gear) => match couplings::of_gear(world, &tree.held, gear) {
                    Some(coupling) => equalities.push_str(&coupling),
                    None => {
                        self.leave_out(path, "the gear is left out: a joint of it holds no body of its own")
                    }
                },
                _ => self.leave_out(path, "the joint is left out"),
            }
        }
        self.exclude_filtered(&mut excluded);
        for (section, inside) in [
            ("tendon", &tendons),
            ("equality", &equalities),
            ("contact", &excluded),
            ("actuator", &actuators),
        ] {
            if !inside.is_empty() {
                let _ = writeln!(text, "  <{section}>\n{inside}  </{section}>");
            }
        }
        let list = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ");
        if self.velocities.iter().chain(&self.controls).any(|x| *x != 0.0) {
            let controls = if self.controls.is_empty() {
                String::new()
            } else {
                format!(" ctrl=\"{}\"", list(&self.controls))
            };
            let _ = writeln!(
                text,
                "  <keyframe>\n    <key name=\"start\" qvel=\"{}\"{controls}/>\n  </keyframe>",
                list(&self.velocities)
            );
        }
    }

    /// Pairs of bodies whose filters let them pass.
    fn exclude_filtered(&mut self, excluded: &mut String) {
        let bodies = self.world.bodies();
        let plain = |body: &Body| body.group == 0 && body.mask == u32::MAX;
        let special: Vec<usize> =
            (0..bodies.len()).filter(|index| bodies[*index].collides && !plain(&bodies[*index])).collect();
        let mut pairs = 0;
        for a in &special {
            for b in 0..bodies.len() {
                let (one, other) = (&bodies[*a], &bodies[b]);
                let passes =
                    crate::model::Filter { categories: one.categories, mask: one.mask, group: one.group }
                        .passes(&crate::model::Filter {
                            categories: other.categories,
                            mask: other.mask,
                            group: other.group,
                        });
                let counted = special.contains(&b) && b <= *a;
                if b == *a || counted || passes || !other.collides {
                    continue;
                }
                pairs += 1;
                if pairs <= MOST_PAIRS {
                    let [one, other] = [*a, b].map(|index| escaped(&self.names[index]));
                    let _ = writeln!(excluded, "    <exclude body1=\"{one}\" body2=\"{other}\"/>");
                }
            }
            if pairs > MOST_PAIRS {
                self.leave_out(
                    "bodies".to_owned(),
                    "filters of collisions are left out in part: too many pairs",
                );
                return;
            }
        }
    }
}

/// Unique names; MuJoCo keeps 'world' for itself.
fn names(world: &World) -> Vec<String> {
    let mut taken = std::collections::BTreeSet::from(["world".to_owned()]);
    let name = |(index, body): (usize, &Body)| {
        let own = body.name.trim().to_owned();
        let name = if own.is_empty() || taken.contains(&own) { format!("{own}_{index}") } else { own };
        taken.insert(name.clone());
        name
    };
    world.bodies().iter().enumerate().map(name).collect()
}

/// A text as an attribute.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
