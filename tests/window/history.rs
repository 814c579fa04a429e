use driftlab::model::joint::Unit;
use driftlab::report::StepReport;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::runs::history::{Channel, Extremes, History, Mark, Worked};
use driftlab::workbench::runs::live_run::LiveRun;
use driftlab::workbench::view_state::plot_view::{concerned, energy_drawn, energy_range, error_axis};

fn report(step: u64, joint_error: f64) -> StepReport {
    crate::scene::reported(|report| {
        (report.step, report.time, report.joint_error) = (step, step as f64 * 1e-3, joint_error);
    })
}

fn all(history: &History, channel: Channel, columns: usize) -> Vec<Vec<Extremes>> {
    history.decimate(channel, history.span().expect("a run"), columns)
}

fn extremes(runs: &[Vec<Extremes>]) -> [f64; 2] {
    let columns = || runs.iter().flatten();
    let low = columns().map(|e| e.low).fold(f64::INFINITY, f64::min);
    let high = columns().map(|e| e.high).fold(f64::NEG_INFINITY, f64::max);
    [low, high]
}

/// A peak of a single step in a run of a quarter of a million steps is shown in any number of pixel columns, with bounded
/// memory.
#[test]
fn thinning_keeps_the_extremes() {
    let mut history = History::default();
    for step in 0..250_000 {
        let error = match step {
            777 => 5.0,
            31_234 => 1e-9,
            _ => 1e-3 + 1e-4 * (step % 7) as f64,
        };
        history.push(&report(step, error));
    }
    assert!(history.stored() < 40_000, "{} records are kept", history.stored());
    for columns in [1, 10, 900, 4000] {
        let runs = all(&history, Channel::JointError, columns);
        assert_eq!(extremes(&runs), [1e-9, 5.0], "in {columns} columns");
        assert!(runs.iter().map(Vec::len).sum::<usize>() <= columns + 2);
    }
}

/// Figures that are compared from a moment on stay exact when the steps since then are only kept in buckets: the value at that
/// moment, and a peak in the first step after it.
#[test]
fn a_part_stays_exact() {
    let mut history = History::default();
    let (moment, peak) = (1_001, 9.0);
    for step in 0..200_000 {
        let error = match step {
            // Larger, but before the part.
            1_001 => 50.0,
            1_002 => peak,
            _ => 1e-3 * step as f64 / 200_000.0,
        };
        history.push(&report(step, error));
        if step == moment {
            history.part();
        }
        if step > moment && step % 1_000 == 0 {
            let (since, now) = (moment as f64 * 1e-3, step as f64 * 1e-3);
            assert_eq!(history.value_at(Channel::JointError, since), Some(50.0), "after {step} steps");
            assert_eq!(history.largest(Channel::JointError, [since, now]), peak, "after {step} steps");
        }
    }
    assert!(history.stored() < 40_000);
}

/// The end of a long run is kept step by step.
#[test]
fn the_recent_part_is_exact() {
    let mut history = History::default();
    for step in 0..100_000 {
        history.push(&report(step, step as f64));
    }
    let runs = history.decimate(Channel::JointError, [99.9, 99.999], 1_000_000);
    let values: Vec<_> = runs.iter().flatten().map(|e| e.high).collect();
    assert!(values.ends_with(&[99_997.0, 99_998.0, 99_999.0]), "ends with {:?}", values.last());
    assert!(values.len() >= 99);
}

/// Missing values, which some schemes do not have, leave a gap in the line and do not enter the extremes.
#[test]
fn missing_values_are_gaps() {
    let mut history = History::default();
    for step in 0..300 {
        let mut figures = report(step, 1.0);
        figures.joint_error_before = (!(100..200).contains(&step)).then_some(2.0);
        history.push(&figures);
    }
    let runs = all(&history, Channel::JointErrorBefore, 300);
    assert_eq!(runs.len(), 2, "before the gap and after it");
    assert_eq!(extremes(&runs), [2.0, 2.0]);
    assert!(runs.iter().flatten().all(|e| !(0.1005..0.1995).contains(&e.time)));
    assert!(all(&History::default_with(&[f64::NAN; 5]), Channel::JointError, 10).is_empty());
}

trait WithErrors {
    fn default_with(errors: &[f64]) -> History;
}

impl WithErrors for History {
    fn default_with(errors: &[f64]) -> History {
        let mut history = History::default();
        for (step, error) in errors.iter().enumerate() {
            history.push(&report(step as u64, *error));
        }
        history
    }
}

/// An infinite error is kept as an extreme.
#[test]
fn infinity_is_kept() {
    let history = History::default_with(&[1.0, f64::INFINITY, 2.0]);
    assert_eq!(extremes(&all(&history, Channel::JointError, 1))[1], f64::INFINITY);
}

/// The work of the corrections is summed over the run, and going back restores the sum of that time.
#[test]
fn work_adds_up_and_rewinds() {
    let (mut history, mut worked) = (History::default(), Worked::default());
    for step in 0..10 {
        let mut report = report(step, 1.0);
        report.correction_work = 0.5;
        history.push(&report);
        if step < 5 {
            worked = worked.after(&report);
        }
    }
    assert_eq!(history.work(), 5.0);
    history.rewind(0.004, worked);
    assert_eq!(history.work(), 2.5);
    assert_eq!(history.span(), Some([0.0, 0.004]));
}

/// A slider that is being dragged leaves one mark, not one per frame.
#[test]
fn one_drag_is_one_mark() {
    let mut history = History::default();
    let mark = |time: f64, subject: &str| Mark {
        time,
        subject: subject.to_owned(),
        label: format!("{subject} at {time}"),
    };
    for step in 0..10 {
        history.mark(mark(step as f64 * 0.01, "alpha"), false);
    }
    history.mark(mark(0.1, "h"), false);
    history.mark(mark(2.0, "alpha"), false);
    // The same press of the button, held for longer.
    history.mark(mark(3.0, "alpha"), true);
    let labels: Vec<_> = history.marks().map(|mark| mark.label.as_str()).collect();
    assert_eq!(labels, ["alpha at 0.09", "h at 0.1", "alpha at 3"]);
}

/// Joint errors have the units of the scene's joints: m for hinges, m and rad for welds, m² for the squared distance; the axis
/// names only the units of the quantities shown.
#[test]
fn errors_have_their_units() {
    let units = |key: &str| LiveRun::new(super::scene(key), &Stepping::suited()).units().to_vec();
    assert_eq!(units("six-link-chain"), [Unit::Metre]);
    assert_eq!(units("two-wall-weld"), [Unit::Metre, Unit::Radian]);
    let squared = units("anitescu-hart-pendulum");
    assert_eq!(squared, [Unit::SquareMetre]);
    assert_eq!(error_axis(&[true, true, true, true, false], &[Unit::Metre]), "error in m");
    assert_eq!(error_axis(&[true, false, false, false, true], &squared), "error in m², m²/s");
    assert_eq!(
        error_axis(&[false, false, false, false, true], &[Unit::Metre, Unit::Radian]),
        "error in m/s or rad/s"
    );
    let both = [Unit::Metre, Unit::Radian];
    assert_eq!(error_axis(&[true, false, true, false, false], &both), "error in m or rad");
}

/// The error plot offers no joint errors in a scene without joints, and no contact errors in one without contacts.
#[test]
fn only_errors_that_can_be_are_offered() {
    let offered = |key: &str| concerned(&super::scene(key).world);
    assert_eq!(offered("box-at-rest"), [false, false, true, true, false]);
    assert_eq!(offered("single-pendulum")[0..2], [true, true]);
    assert_eq!(offered("ragdoll"), [true; 5]);
}

/// The energy axis contains all energies and has a finite, positive range, also if all energies are zero or the world has
/// diverged.
#[test]
fn the_axis_of_energy_can_be_read() {
    assert_eq!(energy_range([[0.0, 0.0]].into_iter()), [-1.0, 1.0]);
    assert_eq!(energy_range([[-1e-300, 1e-305]].into_iter()), [-1.0, 1.0]);
    assert_eq!(energy_range(std::iter::empty()), [-1.0, 1.0]);
    let [low, high] = energy_range([[1.0, 2.0], [-1.0, 1.5]].into_iter());
    assert!(low < -1.0 && low > -2.0 && high > 2.0 && high < 3.0);
    let [low, high] = energy_range([[5.0, 5.0]].into_iter());
    assert!(low < 5.0 && high > 5.0 && high - low < 1e-6);
    for blown in [f64::INFINITY, f64::NEG_INFINITY, 1e300, f64::NAN] {
        let [low, high] = energy_range([[1.0, 2.0], [blown, blown]].into_iter());
        assert!(low.is_finite() && high.is_finite() && high > low);
        let drawn = energy_drawn(blown);
        assert!(blown.is_nan() || (low..=high).contains(&drawn), "{blown} is drawn inside");
    }
}
