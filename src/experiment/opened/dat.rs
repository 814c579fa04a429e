//! A complementarity problem in the plain text of Siconos: the number n of rows, then the n² numbers of M row by row, then
//! the n of q, with any white space between them; w = M z + q, as here.

use super::problem_line::{ProblemLine, problem_line};
use crate::lcp::LcpProblem;

/// Whether a text is meant to be such a file: its first line is a number alone.
pub fn is_dat(text: &str) -> bool {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .is_some_and(|line| line.trim().parse::<usize>().is_ok())
}

/// The problem.
///
/// # Errors
/// A word that is no number, with its line; more or fewer numbers than n asks for.
pub fn problem_of_dat(text: &str) -> Result<LcpProblem, String> {
    let words = text
        .lines()
        .enumerate()
        .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line + 1, word)));
    let mut words = words.peekable();
    let first = words.next().and_then(|(_, word)| word.parse::<usize>().ok()).filter(|n| *n > 0);
    let n = first.ok_or("expected the number of rows, 1 or more")?;
    let wanted = n.checked_mul(n).and_then(|square| square.checked_add(n)).ok_or("expected fewer rows")?;
    let mut numbers = Vec::new();
    for (line, word) in words {
        // Fortran writes exponents with a D.
        let number = word.replace(['d', 'D'], "e").parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number
            .ok_or_else(|| format!("line {line}: expected a number, found '{}'", word.escape_debug()))?;
        if numbers.len() == wanted {
            return Err(format!("line {line}: expected {n}² numbers of M and {n} of q, found more"));
        }
        numbers.push(number);
    }
    if numbers.len() < wanted {
        return Err(format!("expected {n}² numbers of M and {n} of q, found {}", numbers.len()));
    }
    let q = numbers.split_off(n * n);
    LcpProblem::new(numbers, q).map_err(|error| error.to_string())
}

/// The first problem of a text: plain, or a line of JSON.
///
/// # Errors
/// What is wrong with it.
pub fn first_problem(text: &str) -> Result<ProblemLine, Vec<String>> {
    if is_dat(text) {
        let problem = problem_of_dat(text).map_err(|what| vec![what])?;
        return Ok(ProblemLine { id: None, problem, names: None });
    }
    problem_line(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default())
}

/// The text of a problem, whose numbers read back to the same bits.
pub fn dat_of_problem(problem: &LcpProblem) -> String {
    let line = |row: &[f64]| row.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ");
    let rows: Vec<_> = (0..problem.n()).map(|row| line(problem.row(row))).collect();
    format!("{}\n{}\n{}\n", problem.n(), rows.join("\n"), line(problem.q()))
}
