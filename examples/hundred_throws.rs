//! A hundred throws: a pyramid of 210 boxes at rest is struck by a disk, each time of another mass, from another side,
//! at another speed and another box; how long the steps of the following second take.
//!
//! `cargo run --release -p driftlab --no-default-features --example hundred_throws [SCHEME…]`, with `--throws N` for fewer and
//! `--slowest` for the slowest steps alone. Without schemes: all whose contact problems are solved exactly, at the
//! velocity level. Throws are the same in every run; `--rows 40` takes a pyramid of 820 boxes, and `--bounded` bounds
//! the effort of `auto`. Times are the CPU time of the thread where Linux tells it, else those of a clock, and depend
//! on the machine.

use driftlab::lcp::Trail;
use driftlab::method::Effort;
use driftlab::prelude::*;
use std::time::Instant;

/// Time step, s: one frame.
const H: f64 = 1.0 / 60.0;
/// Steps until the pyramid rests, and behind each throw.
const SETTLING: usize = 60;
const STEPS: usize = 60;
/// What a frame leaves for a step, ms.
const FRAME: f64 = 16.0;
/// Rows of boxes, if nothing else is asked for: 210 boxes.
const ROWS: usize = 20;
const THROWS: usize = 100;
const SLOWEST: usize = 10;
/// Upper ends of the histogram's classes, ms.
const CLASSES: [f64; 8] = [1.0, 2.0, 4.0, 8.0, FRAME, 32.0, 64.0, 128.0];
const SCHEMES: [&str; 7] = [
    "none",
    "baumgarte_velocity",
    "anitescu_hart",
    "implicit",
    "post_stabilization",
    "projection",
    "rattle",
];

/// A linear congruence: the same throws on every machine.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 40) as f64 / (1_u64 << 24) as f64)
    }
}

/// Rows of boxes of 1 m and 1000 kg, 0.1 m apart, on the ground.
fn pyramid(rows: usize) -> Result<World, ModelError> {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let ground = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    world.add_body(Body::fixed().shape(ground).friction(0.6).build()?)?;
    for row in 0..rows {
        for place in 0..rows - row {
            let x = 1.1 * (place as f64 - 0.5 * (rows - row - 1) as f64);
            let at = [x, row as f64 + 0.5];
            let shape = Shape::Box { size: DVec2::ONE };
            world.add_body(Body::dynamic().at(at).shape(shape).friction(0.6).build()?)?;
        }
    }
    Ok(world)
}

/// Adds the disk of throw number `index`: 0.1 to 10 times the mass of a box, 5 to 40 m/s, from anywhere above the
/// ground, at any box.
fn throw(world: &mut World, index: usize) -> Result<String, ModelError> {
    let mut random = Random(index as u64 + 1);
    // Neighbouring seeds begin alike.
    for _ in 0..4 {
        random.between(0.0, 1.0);
    }
    let boxes = world.bodies().len() - 1;
    let aim = world.bodies()[1 + (random.between(0.0, boxes as f64) as usize).min(boxes - 1)].pose.position;
    let mass = 1000.0 * 10_f64.powf(random.between(-1.0, 1.0));
    let speed = random.between(5.0, 40.0);
    let angle = random.between(0.05, 0.95) * std::f64::consts::PI;
    let from = DVec2::new(angle.cos(), angle.sin());
    // Back along the line of flight until it is clear of every box and of the ground.
    let clear = |at: DVec2| world.bodies()[1..].iter().all(|b| (b.pose.position - at).length() > 1.5);
    let away = (1..).map(|step| aim + 0.25 * f64::from(step) * from).find(|at| clear(*at) && at.y > 0.6);
    let at = away.unwrap_or(aim + 40.0 * from);
    let disk = Body::dynamic().at(at).shape(Shape::Circle { radius: 0.5 }).mass(mass).friction(0.6);
    world.add_body(disk.velocity(-speed * from).build()?)?;
    Ok(format!("{mass:.0} kg at {speed:.0} m/s from {:.0}°", angle.to_degrees()))
}

/// CPU time of this thread, ms since some moment.
#[cfg(target_os = "linux")]
fn now(_: Instant) -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 * 1e-6
}

/// The time of a clock, ms.
#[cfg(not(target_os = "linux"))]
fn now(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// A step that was made.
struct Made {
    time: f64,
    throw: usize,
    step: usize,
    rows: usize,
    parts: usize,
    trail: Trail,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut throws, mut rows, mut slowest_alone, mut schemes) = (THROWS, ROWS, false, Vec::new());
    let mut effort = Effort::Exact;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--throws" => throws = words.next().ok_or("how many throws?")?.parse()?,
            "--rows" => rows = words.next().ok_or("how many rows?")?.parse()?,
            "--bounded" => effort = Effort::Bounded,
            "--slowest" => slowest_alone = true,
            _ => schemes.push(word),
        }
    }
    if schemes.is_empty() {
        schemes.extend(SCHEMES.map(str::to_owned));
    }
    let start = Instant::now();
    for key in schemes {
        let mut method = Method::by_key(&key).ok_or("no such scheme")?;
        method.contact.active_travel = 1.0;
        method.effort = effort;
        let mut resting = pyramid(rows)?;
        let mut workspace = Workspace::default();
        for _ in 0..SETTLING {
            step(&mut resting, &method, H, &mut workspace)?;
        }
        let (mut made, mut told, mut failed, mut worst_residual) = (Vec::new(), Vec::new(), 0, 0.0_f64);
        let mut approximate = Vec::new();
        for index in 0..throws {
            let mut world = resting.clone();
            told.push(throw(&mut world, index)?);
            for number in 0..STEPS {
                let before = now(start);
                let report = match step(&mut world, &method, H, &mut workspace) {
                    Ok(report) => report,
                    Err(error) => {
                        println!("{key}, throw {index} ({}), step {number}: {error}", told[index]);
                        failed += 1;
                        break;
                    }
                };
                let time = now(start) - before;
                worst_residual = worst_residual.max(report.relative_residual.unwrap_or(0.0));
                approximate.extend(report.approximate_residual);
                let (rows, parts, trail) = (report.rows, report.substeps, report.trail);
                made.push(Made { time, throw: index, step: number, rows, parts, trail });
            }
        }
        made.sort_by(|a, b| b.time.total_cmp(&a.time));
        println!(
            "\n{key}: {} steps of {throws} throws, {failed} failed, residual at most {worst_residual:.0e}",
            made.len()
        );
        if !approximate.is_empty() {
            approximate.sort_by(f64::total_cmp);
            let left = |share: f64| approximate[(share * (approximate.len() - 1) as f64) as usize];
            let (count, median, most) = (approximate.len(), left(0.5), left(0.99));
            println!("approximate: {count} steps, residual in the median {median:.0e}, in 99 % {most:.0e}");
        }
        if !slowest_alone {
            histogram(&made, throws);
        }
        for Made { time, throw, step, rows, parts, trail } in made.iter().take(SLOWEST) {
            let parts = if *parts > 1 { format!(", in {parts} parts") } else { String::new() };
            println!(
                "{time:8.1} ms  throw {throw} ({}), step {step}, {rows} rows{parts}: {trail}",
                told[*throw]
            );
        }
    }
    Ok(())
}

/// Times from the longest to the shortest.
fn histogram(made: &[Made], throws: usize) {
    let at = |share: f64| made[((1.0 - share) * (made.len() - 1) as f64) as usize].time;
    let within = made.iter().filter(|made| made.time <= FRAME).count();
    let mut worst = vec![0.0_f64; throws];
    made.iter().for_each(|made| worst[made.throw] = worst[made.throw].max(made.time));
    let whole = worst.iter().filter(|worst| **worst <= FRAME).count();
    println!("median {:.2} ms, 99 % {:.2} ms, worst {:.1} ms", at(0.5), at(0.99), made[0].time);
    let share = 100.0 * within as f64 / made.len() as f64;
    println!("within {FRAME} ms: {share:.2} % of the steps, all steps of {whole} throws");
    let mut below = 0.0;
    for end in CLASSES.into_iter().chain([f64::INFINITY]) {
        let count = made.iter().filter(|made| made.time > below && made.time <= end).count();
        println!("{below:6} to {end:4} ms: {count}");
        below = end;
    }
}
