//! A `.b2rec` file as a driftlab recording.

use std::io::Write;

use driftlab_probe::format::{Came, FORMAT, Header, Moment as At, Precision, Units, Went};
use serde_json::{Map, Value, json};

use super::ffi::{Engine, Player, World};
use super::names::Names;
use super::steps::{Copy, MOST_SUBSTEPS, hands, is_finite, moments, new_joints};
use super::stream::{Stream, f32_at, name};
use super::told::Moment;
use super::{BOX2D, REVISION, joints, scene};
use crate::{Error, Told};

/// Replays a recording of Box2D's, and writes it as a driftlab recording, line by line.
///
/// Of a file that is cut off, the steps before the cut are written, and it is said so. A damaged file may stop the process: a
/// program calls [`crate::convert_in_child`] instead.
///
/// # Errors
/// The bytes are no recording of Box2D's or of another revision, Box2D refuses them, or nothing can be written.
pub fn convert(bytes: &[u8], out: &mut impl Write) -> Result<Told, Error> {
    let stream = Stream::read(bytes)?;
    let engine = Engine::take();
    let image = &bytes[stream.snapshot.clone()];
    engine.validate_snapshot(image).map_err(|status| Error::Box2d(refusal(status)))?;
    // The calls before the first step belong to the world of the first line.
    let first = stream.frames.first().map_or(stream.end, |frame| frame.at);
    let mut start =
        engine.player(&bytes[..first]).ok_or_else(|| Error::Box2d("refuses the first state".into()))?;
    start.step();
    if !start.is_healthy() {
        return Err(Error::Box2d("refuses a call before the first step".into()));
    }
    let mut copy = Copy::of(&engine, &start.world())
        .ok_or_else(|| Error::Box2d("cannot copy the first state".into()))?;
    let mut names = Names::default();
    for sentence in stream.calls.keys().filter_map(|opcode| name(*opcode)).filter(|what| !what.is_empty()) {
        names.leave_out(format!("changes on the way: {sentence}"));
    }
    names.left_out.sort();
    if stream.frames.iter().any(|frame| frame.substeps > MOST_SUBSTEPS) {
        names.leave_out(format!("impulses of steps with more than {MOST_SUBSTEPS} substeps"));
    }
    if stream.length_scale != 1.0 {
        let scale = stream.length_scale;
        names.leave_out(format!("metres: Box2D was told that {scale} of its units of length are one, and all lengths are in these"));
    }
    let (came, mut before) = arrivals(&mut names, &start);
    let mut told = Told {
        bodies: names.bodies.len(),
        joints: names.joints.len(),
        engine: format!("Box2D {BOX2D}, recordings of revision {}.{}", REVISION.0, REVISION.1),
        ..Told::default()
    };
    let gravity = start.world().gravity();
    let header = header(&stream, &names, copy.image(), gravity, came)?;
    line(out, &header)?;
    let mut player = engine
        .player(&bytes[..stream.end])
        .ok_or_else(|| Error::Box2d("refuses the first state".into()))?;
    player.forward_only();
    drop(start);

    let mut t = 0.0;
    let mut after: Option<Vec<Option<Moment>>> = None;
    let mut rescaled = false;
    for (number, frame) in stream.frames.iter().enumerate() {
        let (mut came, mut went, mut hand) = (None, None, Vec::new());
        if let Some(after) = &after {
            went = departures(&mut names, &player.world());
            let (new, now) = arrivals(&mut names, &player);
            came = Some(new).filter(|new| *new != Came::default());
            hand = hands(&names, after, &now);
            rescaled |= player.world().gravity() != gravity;
            before = now;
            if !copy.take(&player.world()) {
                told.notes.push(format!(
                    "Box2D could not copy its state at step {number}: the steps before it are told"
                ));
                told.partial = true;
                break;
            }
        }
        let Some((mut step, end)) = copy.line(frame, &mut names, &before) else {
            told.notes.push(format!(
                "Box2D could not go back to its state at step {number}: the steps before it are told"
            ));
            told.partial = true;
            break;
        };
        t += f64::from(frame.h);
        step.t = t;
        (step.came, step.went) = (came, went);
        step.hand.extend(hand);
        if !is_finite(&step) {
            told.notes.push(format!(
                "step {number} has numbers that are infinite or none: the steps before it are told"
            ));
            told.partial = true;
            break;
        }
        line(out, &step)?;
        told.steps += 1;
        after = Some(end);
        let last = number + 1 == stream.frames.len();
        let stepped = player.step();
        if !stepped || (!player.is_healthy() && !last) {
            told.notes
                .push(format!("Box2D refuses a call behind step {number}: the steps up to it are told"));
            told.partial = true;
            break;
        }
    }
    if let Some(at) = player.diverged_at() {
        told.notes.push(format!(
            "from step {at} on the replay has another state than the recorded run: it was made by another build of Box2D, or with \
             callbacks, which a recording does not have"
        ));
    }
    if let Some(cut) = stream.cut {
        told.notes.push(format!("the file is cut off or damaged: {cut}"));
        told.partial = true;
    }
    if rescaled {
        told.notes.push("gravity changes on the way; the first line has that of the start".into());
    }
    out.flush()?;
    Ok(told)
}

fn line(out: &mut impl Write, value: &impl serde::Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_vec(value).map_err(|error| Error::Io(error.to_string()))?;
    text.push(b'\n');
    Ok(out.write_all(&text)?)
}

/// Takes in what is new in a player's world; the moments of all bodies.
fn arrivals(names: &mut Names, player: &Player) -> (Came, Vec<Option<Moment>>) {
    let world = player.world();
    let mut came = Came::default();
    for key in player.bodies().into_iter().flatten() {
        if names.body(key).is_none()
            && let (Some(body), Some(moment)) = (world.body(key), world.moment(key))
        {
            let number = names.add_body(key, body, &moment);
            came.bodies.push(scene::body(names, number, &world, &moment));
        }
    }
    let now = moments(&world, names);
    for key in new_joints(&world, names) {
        if let Some(joint) = world.joint(key) {
            joints::add(names, key, joint, &now, &mut came.joints, &mut came.springs);
        }
    }
    (came, now)
}

/// Strikes out what is gone.
fn departures(names: &mut Names, world: &World) -> Option<Went> {
    let mut went = Went::default();
    for (number, named) in names.bodies.iter_mut().enumerate() {
        if !named.gone && world.moment(named.key).is_none() {
            named.gone = true;
            went.bodies.push(number);
        }
    }
    for place in 0..names.joints.len() {
        let placed = &names.joints[place];
        if placed.gone || world.reading(placed.key).is_some() {
            continue;
        }
        // Joints of a body that is gone went with it.
        let alone = placed
            .joint
            .bodies
            .iter()
            .all(|key| names.body(*key).is_some_and(|body| !names.bodies[body].gone));
        if alone {
            went.joints.extend(placed.number);
            went.springs.extend(placed.spring);
        }
        names.joints[place].gone = true;
    }
    (went != Went::default()).then_some(went)
}

fn header(
    stream: &Stream,
    names: &Names,
    image: &[u8],
    gravity: [f64; 2],
    came: Came,
) -> Result<Header, Error> {
    let mut scene = Map::new();
    scene.insert("gravity".into(), json!(gravity));
    scene.insert("bodies".into(), came.bodies.into());
    if !came.joints.is_empty() {
        scene.insert("joints".into(), came.joints.into());
    }
    if !came.springs.is_empty() {
        scene.insert("springs".into(), came.springs.into());
    }
    let scene = serde_json::value::to_raw_value(&scene).map_err(|error| Error::Io(error.to_string()))?;
    Ok(Header {
        format: FORMAT.into(),
        engine: driftlab_probe::format::Engine {
            name: "Box2D".into(),
            version: Some(BOX2D.into()),
            settings: settings(stream, names, image),
        },
        time_step: stream.frames.first().map(|frame| f64::from(frame.h)).filter(|h| *h > 0.0),
        units: Units::Si,
        precision: Precision::F32,
        contacts_at: At::Begin,
        impulses: Default::default(),
        scene,
        left_out: names.left_out.clone(),
    })
}

/// The solver's settings. Those of the world stand in its state, behind a header of 16 bytes: `b2SerWorldConfig` in Box2D's
/// `src/world_snapshot.c`, whose layout the snapshot's own hash vouches for.
fn settings(stream: &Stream, names: &Names, image: &[u8]) -> Map<String, Value> {
    let mut told = Map::new();
    told.insert("recording_format".into(), json!(format!("{}.{}", REVISION.0, REVISION.1)));
    if let Some(frame) = stream.frames.first() {
        told.insert("subStepCount".into(), json!(frame.substeps));
    }
    let at = [
        ("hitEventThreshold", 24),
        ("restitutionThreshold", 28),
        ("maximumLinearSpeed", 32),
        ("contactSpeed", 36),
        ("contactHertz", 40),
        ("contactDampingRatio", 44),
        ("contactRecycleDistance", 48),
    ];
    if image.len() > 52 {
        told.extend(at.into_iter().map(|(name, at)| (name.to_owned(), json!(f32_at(image, at)))));
    }
    told.insert("lengthUnitsPerMeter".into(), json!(stream.length_scale));
    if let Some([first, rest @ ..]) = names.joints.get(..) {
        told.insert("jointHertz".into(), json!(first.joint.tuning[0]));
        told.insert("jointDampingRatio".into(), json!(first.joint.tuning[1]));
        let others = rest.iter().filter(|placed| placed.joint.tuning != first.joint.tuning).count();
        if others > 0 {
            told.insert("jointsWithOtherHertz".into(), json!(others));
        }
    }
    told
}

fn refusal(status: u32) -> String {
    use boxdd_sys::adapter as a;
    let why = match status {
        a::SNAPSHOT_TRUNCATED => "it is cut off",
        a::SNAPSHOT_BAD_HEADER => "its header is none",
        a::SNAPSHOT_ABI_MISMATCH => "it was written by a build of Box2D with another layout",
        a::SNAPSHOT_OVERFLOW | a::SNAPSHOT_LIMIT_EXCEEDED => {
            "it counts more than a million things, or has more than 256 MiB"
        }
        a::SNAPSHOT_INVALID_REFERENCE => "something in it names what is not there",
        a::SNAPSHOT_DUPLICATE => "something in it stands twice",
        a::SNAPSHOT_TRAILING_BYTES => "it has bytes left over",
        _ => "a value in it is impossible",
    };
    format!("{BOX2D} cannot read the file's first state: {why}")
}
