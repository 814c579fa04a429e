//! Recorded numbers read back to the same f64 and have the documented meaning.

use super::reported;
use crate::physics::worlds::edit;
use driftlab::experiment::{CsvRecorder, Run, Summary, TraceRecorder};
use driftlab::scene::catalogue;
use proptest::prelude::*;

fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let row = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn csv_numbers_read_back_to_the_same_bits() {
    // Protects analyses made from the file: no digit of any f64 is lost in it.
    proptest!(|(bits in any::<u64>())| {
        let number = f64::from_bits(bits);
        prop_assume!(number.is_finite());
        let report = reported(|report| (report.time, report.residual) = (number, -number));
        let mut bytes = Vec::new();
        let mut recorder = CsvRecorder::new(&mut bytes).unwrap();
        recorder.add(&report, Some(number)).unwrap();
        recorder.flush().unwrap();
        drop(recorder);
        let row = &cells(&bytes)[1];
        for (cell, expected) in [(&row[1], number), (&row[14], -number), (&row[15], number)] {
            prop_assert_eq!(cell.parse::<f64>().unwrap().to_bits(), expected.to_bits());
        }
    });
}

#[test]
fn the_trace_tells_origins_and_velocities() {
    // Protects the trace's contract: x, y of the body's origin, velocity of its centre of mass.
    let mut scene = catalogue::find("single-pendulum").unwrap().scene().unwrap();
    edit(&mut scene.world, 1, |body| body.velocity.angular = 0.25);
    let mut run = Run::new(&scene, 1);
    let mut bytes = Vec::new();
    let mut trace = TraceRecorder::new(&mut bytes).unwrap();
    trace.add(run.world()).unwrap();
    run.next().unwrap().unwrap();
    trace.add(run.world()).unwrap();
    trace.flush().unwrap();
    drop(trace);
    let rows = cells(&bytes);
    assert_eq!(rows[0].join(","), "step,time,body,x,y,angle,vx,vy,omega");
    assert_eq!(rows[2].join(","), "0,0,bar,0.5,0,0,0,0,0.25");
    assert_eq!(rows.len(), 5);
    let bar = &run.world().bodies()[1];
    assert_eq!(rows[4][4].parse::<f64>().unwrap(), bar.origin().y);
    assert_eq!(rows[4][8].parse::<f64>().unwrap(), bar.velocity.angular);
}

#[test]
fn a_summary_does_not_hide_nan() {
    // Protects against f64::max, which drops NaN: a diverged run must not be reported as one without error.
    let scene = catalogue::find("single-pendulum").unwrap().scene().unwrap();
    let run = Run::new(&scene, 0);
    let mut summary = Summary::new(&scene, run.initial());
    summary.add(&reported(|report| (report.joint_error, report.residual) = (f64::NAN, f64::NAN)));
    summary.add(&reported(|report| (report.joint_error, report.residual) = (1.0, 1.0)));
    assert!(summary.joint_error.largest.is_nan() && summary.residual.is_nan());
    assert_eq!(summary.joint_error.last, 1.0);
}
