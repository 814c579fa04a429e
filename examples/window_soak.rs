//! The window's model over many hours of simulated time, as fast as it goes and without drawing: which memory does it take?
//!
//! `cargo run --release --example window_soak -- [SCENE [HOURS]]`; without arguments the ragdoll for 24 hours. Sixty
//! frames in each second of simulated time. A row for each hour says how far back one can go, the size that the model
//! reckons for the recorded states, the bytes that are allocated in fact beyond those of the opened window, and the
//! memory that the system has given (Linux), which adds what the allocator cannot use.

use allocation_counter::measure;
use driftlab::scene::catalogue;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::player::Player;

/// Frames in a second.
const FRAMES: u32 = 60;
/// Seconds in an hour.
const HOUR: u32 = 3600;
/// A megabyte, bytes.
const MEGABYTE: f64 = 1e6;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let key = arguments.next().unwrap_or_else(|| "ragdoll".to_owned());
    let hours = arguments.next().map_or(Ok(24), |text| text.parse::<u32>());
    let hours = hours.map_err(|problem| format!("hours: {problem}"))?;
    let entry = catalogue::find(&key).ok_or_else(|| format!("no shipped scene has the key {key}"))?;
    let scene = OpenScene { title: key, path: None, text: entry.text.to_owned() };
    let mut model = Model::new(Some(scene), Player::new(true), Stepping::within_frame(None))?;
    println!(
        "{:>5} {:>10} {:>11} {:>12} {:>14} {:>12}",
        "hour", "steps", "recorded, s", "reckoned, MB", "allocated, MB", "resident, MB"
    );
    let mut allocated = 0;
    for hour in 1..=hours {
        let info = measure(|| {
            for _ in 0..HOUR * FRAMES {
                model.advance(1.0 / f64::from(FRAMES));
            }
        });
        allocated += info.bytes_current;
        let [first, last] = model.run().recorded_span();
        println!(
            "{hour:>5} {:>10} {:>11.1} {:>12.1} {:>14.3} {:>12}",
            model.run().world().steps(),
            last - first,
            model.comparison().memory() as f64 / MEGABYTE,
            allocated as f64 / MEGABYTE,
            resident().map_or_else(|| "–".to_owned(), |bytes| format!("{:.1}", bytes / MEGABYTE)),
        );
    }
    Ok(())
}

/// The memory that the system has given to this process, bytes.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
}
