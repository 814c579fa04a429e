//! How many problems a choice of methods solves, and in what time.

use driftlab::experiment::Run;
use driftlab::lcp::{MixedError, MixedWorkspace, Solver};
use driftlab::scene::Scene;
use driftlab::step::PosedProblem;
use std::io::Write;

/// `auto`, with all of its methods or without one of them.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What is left out.
    pub label: String,
    /// The solver.
    pub solver: Solver,
}

/// `auto` first, then without each of its methods in turn.
pub fn variants() -> Vec<Variant> {
    let less_one = Solver::automatic_without()
        .map(|(method, solver)| Variant { label: format!("without {method}"), solver });
    let all = Variant { label: "all methods".to_owned(), solver: Solver::default() };
    std::iter::once(all).chain(less_one).collect()
}

/// The results of a variant on its problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Problems solved to the tolerance.
    pub solved: usize,
    /// Problems without a solution, met with the least violation.
    pub violated: usize,
    /// Problems in forces that ended on a ray or are proved to have no solution, which friction of a given direction can cause.
    pub rays: usize,
    /// Problems left unsolved.
    pub unsolved: usize,
    /// Time of each problem in ascending order, s.
    pub seconds: Vec<f64>,
}

impl Tally {
    /// Adds the problems of another tally.
    pub fn add(&mut self, other: &Self) {
        self.solved += other.solved;
        self.violated += other.violated;
        self.rays += other.rays;
        self.unsolved += other.unsolved;
        self.seconds.extend_from_slice(&other.seconds);
        self.seconds.sort_by(f64::total_cmp);
    }

    /// Problems in all.
    pub fn problems(&self) -> usize {
        self.solved + self.violated + self.rays + self.unsolved
    }

    /// The time within which this share of the problems is solved, s: 0.5 gives the median, 1 the worst; zero if
    /// there are no problems.
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.seconds.len().saturating_sub(1) as f64;
        self.seconds.get((share * last).round() as usize).copied().unwrap_or_default()
    }

    /// All times together, s.
    pub fn total(&self) -> f64 {
        self.seconds.iter().sum()
    }
}

/// One in so many of the problems that the first attempt solves is an ordinary problem of the corpus.
const ORDINARY: usize = 10;

/// What came of a variant's hard problems, and of a sample of the ordinary ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tallies {
    /// Problems that the first attempt of `auto` leaves.
    pub hard: Tally,
    /// One in ten of the problems that it solves.
    pub ordinary: Tally,
}

impl Tallies {
    /// Adds another's problems.
    pub fn add(&mut self, other: &Self) {
        self.hard.add(&other.hard);
        self.ordinary.add(&other.ordinary);
    }
}

/// Steps a world, and solves its problems by each of the variants: tallies for each. `clock` returns seconds since an
/// arbitrary moment. A step that fails ends the world; its problems count as all others.
pub fn score(scene: &Scene, steps: u64, variants: &[Variant], clock: &dyn Fn() -> f64) -> Vec<Tallies> {
    let mut run = Run::new(scene, steps).recording_problems();
    let mut all = vec![Tallies::default(); variants.len()];
    let mut passed = 0;
    let mut workspaces: Vec<_> = variants.iter().map(|_| MixedWorkspace::default()).collect();
    let (mut lambda, mut v) = (Vec::new(), Vec::new());
    while run.next().is_some() {
        for posed in run.posed_problems() {
            let hard = is_hard(posed);
            passed += usize::from(!hard);
            if !hard && passed % ORDINARY != 0 {
                continue;
            }
            for ((variant, tallies), workspace) in variants.iter().zip(&mut all).zip(&mut workspaces) {
                let tally = if hard { &mut tallies.hard } else { &mut tallies.ordinary };
                lambda.clone_from(&posed.warm);
                let start = clock();
                let outcome = variant.solver.solve_mixed(&posed.problem, &mut lambda, &mut v, workspace);
                tally.seconds.push(clock() - start);
                match outcome {
                    Ok(outcome) if outcome.infeasible > 0 => tally.violated += 1,
                    Ok(_) => tally.solved += 1,
                    Err(MixedError::Ray { .. } | MixedError::NoSolution { .. }) => tally.rays += 1,
                    Err(_) => tally.unsolved += 1,
                }
            }
        }
    }
    for Tallies { hard, ordinary } in &mut all {
        hard.seconds.sort_by(f64::total_cmp);
        ordinary.seconds.sort_by(f64::total_cmp);
    }
    all
}

/// Whether the first attempt of `auto` did not solve it.
fn is_hard(posed: &PosedProblem) -> bool {
    posed.attempts != Some(1)
}

/// A row of the table: what was solved, by what, and what came of it.
pub type Row<'a> = (&'a str, &'a str, &'a Tally);

/// The table as Markdown; times in ms, all together in s.
pub fn markdown<'a>(rows: impl IntoIterator<Item = Row<'a>>) -> String {
    let columns = "solved | least violation | ray | unsolved | median | 99 % | worst | all together";
    let mut text = format!("| problems | methods | number | {columns} |\n|---|---|{}\n", "---:|".repeat(9));
    for (problems, methods, tally) in rows {
        let [median, most, worst] = [0.5, 0.99, 1.0].map(|share| 1e3 * tally.quantile(share));
        let Tally { solved, violated, rays, unsolved, .. } = tally;
        let (number, total) = (tally.problems(), tally.total());
        text +=
            &format!("| {problems} | {methods} | {number} | {solved} | {violated} | {rays} | {unsolved} ");
        text += &format!("| {median:.3} | {most:.2} | {worst:.1} | {total:.2} |\n");
    }
    text
}

/// The table as CSV; all times in s.
///
/// # Errors
/// What the writer says.
pub fn csv<'a>(rows: impl IntoIterator<Item = Row<'a>>, writer: impl Write) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(writer);
    writer.write_record([
        "problems",
        "methods",
        "number",
        "solved",
        "least_violation",
        "ray",
        "unsolved",
        "median_s",
        "percentile_99_s",
        "worst_s",
        "total_s",
    ])?;
    for (problems, methods, tally) in rows {
        let Tally { solved, violated, rays, unsolved, .. } = *tally;
        let counts = [tally.problems(), solved, violated, rays, unsolved].map(|count| count.to_string());
        let times = [tally.quantile(0.5), tally.quantile(0.99), tally.quantile(1.0), tally.total()];
        let times = times.map(|seconds| format!("{seconds:e}"));
        let numbers = counts.iter().chain(&times).map(String::as_str);
        writer.write_record([problems, methods].into_iter().chain(numbers))?;
    }
    Ok(writer.flush()?)
}
