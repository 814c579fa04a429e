//! Converts one recording of Box2D's: `driftlab-b2rec INPUT OUTPUT` does it in a child process of itself, and tells what it
//! found. `driftlab-b2rec --sample NAME OUTPUT` writes one of the small recordings that the tests use.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use driftlab_peers::{Limits, box2d, convert_in_child, run_child};

const CHILD: &str = "--child";

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = match &args[..] {
        [child, rest @ ..] if child == CHILD => return run_child(rest),
        [flag, name, output] if flag == "--sample" => sample(&name.to_string_lossy(), output),
        [input, output] => convert(Path::new(input), Path::new(output)),
        _ => Err("usage: driftlab-b2rec INPUT.b2rec OUTPUT.jsonl".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn convert(input: &Path, output: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let told = convert_in_child(&std::env::current_exe()?, &[CHILD], input, output, Limits::default())?;
    println!("{} steps, {} bodies, {} joints; {}", told.steps, told.bodies, told.joints, told.engine);
    for note in told.notes {
        println!("{note}");
    }
    Ok(())
}

fn sample(name: &str, output: &OsString) -> Result<(), Box<dyn std::error::Error>> {
    let (_, make) = box2d::samples::ALL.iter().find(|(known, _)| *known == name).ok_or_else(|| {
        let names = box2d::samples::ALL.map(|(name, _)| name).join(", ");
        format!("no sample is named {name}; there are {names}")
    })?;
    Ok(std::fs::write(output, make())?)
}
