//! How far an engine's constraints yield, foretold from its settings and held against the engine itself.
//!
//! Box2D and Rapier soften contacts and joints alike: in every part of a step, of h s, a row with the velocity ġ and the error
//! g gets
//!
//! ```text
//! λ⁺ = λ − K⁻¹ (ġ + r g + c K λ)/(1 + c) ,   r = ω/(2ζ + h ω) ,   c = 1/(h ω (2ζ + h ω))
//! ```
//!
//! with K = J M⁻¹ Jᵀ, ω = 2π times the row's frequency and ζ its damping ratio. Then bodies move; then a sweep without r takes
//! back the speed that this leaves, without c as well but for Rapier's joints. From this follow, for a row alone and for rows
//! that sweeps have brought to agree, where nothing changes from one part to the next:
//!
//! | quantity | closed form |
//! |---|---|
//! | sag under a load F | ġ = 0 and λ = h F: g = K F/ω²; (1 + c) K F/ω² for Rapier's joints |
//! | half-life of an error without a load | λ = 0: a part takes r h/(1 + c) of g, and H = −h ln 2/ln(1 − r h/(1 + c)) |
//! | stretch of a pendulum | the sag, and ½ (1 − c) h A/r of a bar that leaves its circle by ½ h² A in a part, A = J̇v |
//!
//! The bar falls from the horizontal, at whose lowest point F = 5/2 m g and A = 3/2 g.
//!
//! The frequency of a row is limited: in Box2D a joint's by 1/(4 h), a contact's by 1/(8 h), and contacts with what is fixed
//! have twice that; in Rapier each is a setting of its own. Two points of one contact, 2 r_x apart, share the load, and each
//! has K = 1/m + r_x²/I.

use super::{BesideError, SCENES, scenes, significant3};
use crate::document::method;
use driftlab::experiment::{Run, choice, reason};
use driftlab::model::joint::Hinge;
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use driftlab::scene::{Scene, stabilizer_from};
use glam::DVec2;
use std::f64::consts::{LN_2, TAU};
use std::fmt::Write as _;

/// m/s².
const G: f64 = 9.81;
/// Below this a length is nothing, m: single precision resolves some 1e-7 m at 1 m.
const NOTHING: f64 = 1e-6;
/// Share within which a closed form holds.
const WITHIN: f64 = 0.1;

/// An engine with settings.
struct Setup {
    scheme: &'static str,
    /// s.
    time_step: f64,
    parts: f64,
    /// Frequency, Hz, and damping ratio of joints, of contacts, and of contacts with what is fixed.
    joint: [f64; 2],
    contact: [f64; 2],
    fixed: [f64; 2],
    /// Whether the sweep behind the motion softens joints, too.
    softens_behind: bool,
}

impl Setup {
    fn box2d(scheme: &'static str, time_step: f64, parts: f64, [joint, contact]: [f64; 2]) -> Self {
        let rate = parts / time_step;
        let contact = contact.min(0.125 * rate);
        let (joint, contact, fixed) =
            ([joint.min(0.25 * rate), 2.0], [contact, 10.0], [2.0 * contact, 10.0]);
        Self { scheme, time_step, parts, joint, contact, fixed, softens_behind: false }
    }

    fn rapier(scheme: &'static str, parts: f64, joint: [f64; 2], [contact, fixed]: [f64; 2]) -> Self {
        let (contact, fixed) = ([contact, 10.0], [fixed, 10.0]);
        Self { scheme, time_step: 1.0 / 60.0, parts, joint, contact, fixed, softens_behind: true }
    }

    /// Length of a part, s; r, 1/s, and c of a row.
    fn softness(&self, [hertz, damping_ratio]: [f64; 2]) -> [f64; 3] {
        let (h, omega) = (self.time_step / self.parts, TAU * hertz);
        let damping = 2.0 * damping_ratio + h * omega;
        [h, omega / damping, (h * omega * damping).recip()]
    }

    /// Sag of a contact per K F, s².
    fn yields([hertz, _]: [f64; 2]) -> f64 {
        (TAU * hertz).powi(-2)
    }

    /// Sag of a joint per K F, s².
    fn joint_yields(&self) -> f64 {
        let [_, _, c] = self.softness(self.joint);
        let behind = if self.softens_behind { 1.0 + c } else { 1.0 };
        behind * Self::yields(self.joint)
    }

    /// Half-life of an error without a load, s.
    fn half_life(&self, row: [f64; 2]) -> f64 {
        let [h, rate, c] = self.softness(row);
        -h * LN_2 / (1.0 - rate * h / (1.0 + c)).ln()
    }

    /// Stretch of the bar that swings, m.
    fn stretch(&self) -> f64 {
        let [h, rate, c] = self.softness(self.joint);
        2.5 * G * self.joint_yields() + 0.5 * (1.0 - c) * h * 1.5 * G / rate
    }

    /// m K of a point of a contact of a box of this size, with half the load: relative to a row of 1/m with all of it.
    fn shared([width, height]: [f64; 2]) -> f64 {
        let arm = 0.25 * width * width / ((width * width + height * height) / 12.0);
        0.5 * (1.0 + arm)
    }
}

fn setups() -> [Setup; 5] {
    [
        Setup::box2d("box2d", 1.0 / 60.0, 4.0, [60.0, 30.0]),
        Setup::box2d("box2d,substeps=16", 1.0 / 60.0, 16.0, [60.0, 30.0]),
        Setup::box2d("box2d,substeps=2,joint_hertz=20,contact_hertz=10", 1.0 / 60.0, 2.0, [20.0, 10.0]),
        Setup::rapier("rapier", 4.0, [1e6, 1.0], [30.0, 60.0]),
        Setup::rapier(
            "rapier,joint_natural_frequency=20,joint_damping_ratio=2,contact_natural_frequency=15,\
             static_contact_natural_frequency=30,warmstart_joints=on",
            4.0,
            [20.0, 2.0],
            [15.0, 30.0],
        ),
    ]
}

/// What is measured of a run.
#[derive(Clone, Copy)]
enum Quantity {
    /// Largest opening of a joint at the end, m.
    Opening,
    /// Largest overlap at the end, m.
    Overlap,
    /// Largest opening over the run, m.
    Stretch,
    /// Half-life of the largest opening over the first ten steps, s.
    HalfLifeOfOpening,
    /// Half-life of the largest overlap over the first ten steps, s.
    HalfLifeOfOverlap,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Self::Opening => "sag of joints, m",
            Self::Overlap => "sag of contacts, m",
            Self::Stretch => "stretch, m",
            Self::HalfLifeOfOpening => "half-life of a joint's error, s",
            Self::HalfLifeOfOverlap => "half-life of an overlap, s",
        }
    }
}

/// A world whose figure has a closed form.
struct Case {
    what: &'static str,
    world: World,
    /// s.
    duration: f64,
    quantity: Quantity,
    foretold: fn(&Setup) -> f64,
}

fn body(world: &mut World, shape: Shape, at: [f64; 2], mass: f64) -> usize {
    let mass = MassSpec::Given { mass, inertia: None };
    let own = Body::new(BodyKind::Dynamic, at.into(), 0.0, vec![Placement::centred(shape)], mass);
    world.add_body(own.expect("a body")).expect("a body");
    world.bodies().len() - 1
}

fn grounded(gravity: f64) -> World {
    let mut world = World::new(DVec2::new(0.0, -gravity));
    let shape = Shape::Box { size: DVec2::new(20.0, 1.0) };
    let place = vec![Placement::centred(shape)];
    let own = Body::new(BodyKind::Fixed, DVec2::new(0.0, -0.5), 0.0, place, MassSpec::default());
    world.add_body(own.expect("the ground")).expect("the ground");
    world
}

/// Boxes of these sizes and masses upon each other.
fn stack(boxes: &[([f64; 2], f64)]) -> World {
    let (mut world, mut top) = (grounded(G), 0.0);
    for ([width, height], mass) in boxes {
        let shape = Shape::Box { size: DVec2::new(*width, *height) };
        body(&mut world, shape, [0.0, top + 0.5 * height], *mass);
        top += height;
    }
    world
}

/// Bars of 0.5 m and 1 kg that hang from the origin, the last one of another mass; opened by `gap` m at the first hinge, and
/// turned by `angle`.
fn hanging(bars: usize, last: f64, [gravity, gap, angle]: [f64; 3]) -> World {
    const LENGTH: f64 = 0.5;
    let mut world = World::new(DVec2::new(0.0, -gravity));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![], MassSpec::default()).expect("a wall");
    let mut above = world.add_body(wall).expect("a wall");
    let along = DVec2::from_angle(angle);
    for bar in 0..bars {
        let mass = if bar + 1 == bars { last } else { 1.0 };
        let mass = MassSpec::Given { mass, inertia: None };
        let shape = vec![Placement::centred(Shape::Box { size: DVec2::new(LENGTH, 0.05) })];
        let at = along * (gap + LENGTH * (bar as f64 + 0.5));
        let mut own = Body::new(BodyKind::Dynamic, at, angle, shape, mass).expect("a bar");
        own.collides = false;
        let own = world.add_body(own).expect("a bar");
        let end = if bar == 0 { DVec2::ZERO } else { DVec2::new(0.5 * LENGTH, 0.0) };
        let hinge = Hinge { anchors: [end, DVec2::new(-0.5 * LENGTH, 0.0)] };
        world.add_joint(Joint::between([above, own], JointKind::Hinge(hinge))).expect("a hinge");
        above = own;
    }
    world
}

/// A disk of 0.5 m on the ground, which it overlaps by `overlap` m.
fn disk(gravity: f64, overlap: f64) -> World {
    let mut world = grounded(gravity);
    body(&mut world, Shape::Circle { radius: 0.5 }, [0.0, 0.5 - overlap], 1.0);
    world
}

const DOWN: f64 = -0.25 * TAU;
const UNIT: [f64; 2] = [1.0, 1.0];

fn cases() -> Vec<Case> {
    let case =
        |what, world, duration, quantity, foretold| Case { what, world, duration, quantity, foretold };
    let unit = |mass: f64| (UNIT, mass);
    let five: Vec<_> = (0..5).map(|_| unit(1.0)).collect();
    vec![
        case("a disk on the ground", disk(G, 0.0), 5.0, Quantity::Overlap, |own| {
            G * Setup::yields(own.fixed)
        }),
        case("a box on the ground", stack(&[unit(1.0)]), 5.0, Quantity::Overlap, |own| {
            Setup::shared(UNIT) * G * Setup::yields(own.fixed)
        }),
        case(
            "a plank of 4 × 0.5 m on the ground",
            stack(&[([4.0, 0.5], 1.0)]),
            5.0,
            Quantity::Overlap,
            |own| Setup::shared([4.0, 0.5]) * G * Setup::yields(own.fixed),
        ),
        case("two boxes upon each other", stack(&[unit(1.0), unit(1.0)]), 10.0, Quantity::Overlap, |own| {
            // The upper contact has K = 2/m and one box above, the lower one 1/m and two.
            2.0 * Setup::shared(UNIT) * G * Setup::yields(own.contact).max(Setup::yields(own.fixed))
        }),
        case("five boxes upon each other", stack(&five), 20.0, Quantity::Overlap, |own| {
            2.0 * 4.0 * Setup::shared(UNIT) * G * Setup::yields(own.contact)
        }),
        case(
            "a box of 10 kg on one of 1 kg",
            stack(&[unit(1.0), unit(10.0)]),
            20.0,
            Quantity::Overlap,
            |own| 1.1 * 10.0 * Setup::shared(UNIT) * G * Setup::yields(own.contact),
        ),
        case(
            "a disk 5 mm deep in the ground, weightless",
            disk(0.0, 5e-3),
            0.5,
            Quantity::HalfLifeOfOverlap,
            |own| own.half_life(own.fixed),
        ),
        case("a bar that hangs", hanging(1, 1.0, [G, 0.0, DOWN]), 5.0, Quantity::Opening, |own| {
            G * own.joint_yields()
        }),
        case(
            "a bar of 50 kg that hangs",
            hanging(1, 50.0, [G, 0.0, DOWN]),
            5.0,
            Quantity::Opening,
            |own| G * own.joint_yields(),
        ),
        case("six bars that hang", hanging(6, 1.0, [G, 0.0, DOWN]), 20.0, Quantity::Opening, |own| {
            // The first hinge has K = 1/m and six bars below, the second one 2/m and five.
            10.0 * G * own.joint_yields()
        }),
        case(
            "five bars with a last one of 20 kg",
            hanging(6, 20.0, [G, 0.0, DOWN]),
            20.0,
            Quantity::Opening,
            |own| 48.0 * G * own.joint_yields(),
        ),
        case(
            "a hinge opened by 10 mm, weightless",
            hanging(1, 1.0, [0.0, 1e-2, DOWN]),
            0.5,
            Quantity::HalfLifeOfOpening,
            |own| own.half_life(own.joint),
        ),
        case(
            "a bar that swings from the horizontal",
            hanging(1, 1.0, [G, 0.0, 0.0]),
            5.0,
            Quantity::Stretch,
            Setup::stretch,
        ),
    ]
}

/// A figure that was foretold and measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The engine with its settings.
    pub scheme: &'static str,
    /// The world.
    pub what: &'static str,
    /// What is foretold, with its unit.
    pub quantity: &'static str,
    /// By the closed form.
    pub foretold: f64,
    /// Of the engine's run; none where it failed.
    pub measured: Option<f64>,
}

impl Prediction {
    /// Whether both are alike within a tenth, or are nothing.
    pub fn holds(&self) -> bool {
        self.measured.is_some_and(|measured| {
            let most = self.foretold.abs().max(measured.abs());
            most < NOTHING || (measured - self.foretold).abs() <= WITHIN * self.foretold.abs()
        })
    }
}

/// All figures, by engine and world.
///
/// # Errors
/// A scheme that this program does not have.
pub fn predictions() -> Result<Vec<Prediction>, BesideError> {
    let mut all = Vec::new();
    for setup in setups() {
        for case in cases() {
            let measured = measured(&case, &setup)?;
            let (what, quantity) = (case.what, case.quantity.name());
            all.push(Prediction {
                scheme: setup.scheme,
                what,
                quantity,
                foretold: (case.foretold)(&setup),
                measured,
            });
        }
    }
    Ok(all)
}

fn measured(case: &Case, setup: &Setup) -> Result<Option<f64>, BesideError> {
    let wrong = |text: String| BesideError(format!("{}, {}: {text}", setup.scheme, case.what));
    let stabilizer = stabilizer_from(setup.scheme, setup.time_step).map_err(wrong)?;
    let any = scenes::scene(SCENES[0].0).map_err(|problems| BesideError::of(SCENES[0].0, problems))?;
    let mut scene = Scene { world: case.world.clone(), ..any };
    scene.settings.time_step = setup.time_step;
    let method = method(&scene.settings, &stabilizer);
    choice::can_begin(&method, &scene).map_err(|refused| wrong(refused.message))?;
    let steps = (case.duration / setup.time_step).round() as u64;
    let mut run = Run::under(&scene, method, steps);
    let mut errors = vec![[run.report().joint_error, run.report().contact_error]];
    while let Some(step) = run.next() {
        let report = step.map_err(|error| wrong(reason(&error, run.world())))?;
        errors.push([report.joint_error, report.contact_error]);
    }
    let last = errors[errors.len() - 1];
    // Over the first ten steps from the first one on, in which contacts are found.
    let half_life = |of: usize| {
        let [from, to] = [errors[1][of], errors[11][of]];
        (to > 0.0 && to < from).then(|| 10.0 * setup.time_step * LN_2 / (from / to).ln())
    };
    Ok(match case.quantity {
        Quantity::Opening => Some(last[0]),
        Quantity::Overlap => Some(last[1]),
        Quantity::Stretch => Some(errors.iter().map(|own| own[0]).fold(0.0, f64::max)),
        Quantity::HalfLifeOfOpening => half_life(0),
        Quantity::HalfLifeOfOverlap => half_life(1),
    })
}

/// The part of the page that tells them.
pub fn section(all: &[Prediction]) -> String {
    let held = all.iter().filter(|own| own.holds()).count();
    let mut text = format!(
        "\n# Foretold and measured\n\n{held} of {} figures of engines are within 10 % of the closed form from the engine's settings alone (`evidence/src/beside/predict.rs` \
         has the forms), or both are below 1 µm.\n",
        all.len()
    );
    for chunk in all.chunk_by(|a, b| a.scheme == b.scheme) {
        let _ = writeln!(
            text,
            "\n`{}`\n\n| world | quantity | foretold | measured | |\n|---|---|---:|---:|---|",
            chunk[0].scheme
        );
        for own in chunk {
            let measured = own.measured.map_or_else(|| "–".to_owned(), significant3);
            let verdict = if own.holds() { "" } else { "differs" };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {measured} | {verdict} |",
                own.what,
                own.quantity,
                significant3(own.foretold)
            );
        }
    }
    text.push_str(REASONS);
    text
}

/// Why some differ.
const REASONS: &str = "
Those that differ are Rapier's. It sweeps joints once in a part and by default begins each step without the impulses of the last one, so that hinges
in a row have not agreed when the step ends. Where it does begin with them, the sweep behind the motion softens again, and rows that act on each other
agree on another sag than a row alone. A hinge of 10⁶ Hz takes back its error within the first step, so that no half-life is left to measure. Why the bar that swings
on a soft hinge of Rapier's stretches more is not known.
";
