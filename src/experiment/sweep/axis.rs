//! The values that a parameter takes in a map: `alpha=1:1000:log:40`, `alpha=0:2:lin:5`, or a list, `alpha=50,200,2000`.
//!
//! A value is kept as the text that the command line would give, the shortest decimal of its f64: the same text in every
//! part of a sweep, on every machine.

use crate::numbers::shortest;

/// Largest number of values on one axis.
const MOST_VALUES: usize = 100_000;
/// Largest number of points of a grid.
const MOST_POINTS: u64 = 100_000_000;

/// How values are spaced, and drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// By differences.
    Linear,
    /// By ratios.
    Logarithmic,
    /// Words, which have no spacing.
    Words,
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The parameter's name.
    pub key: String,
    /// The spacing.
    pub scale: Scale,
    values: Vec<String>,
    spelled: String,
}

impl Axis {
    /// Reads `key=from:to:lin:count`, `key=from:to:log:count` or `key=value,value,…`.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = "expected key=from:to:log:count, key=from:to:lin:count or key=value,value,…";
        let (key, range) = text.split_once('=').ok_or_else(|| format!("'{text}': {expected}"))?;
        let key = key.trim();
        if key.is_empty() || range.trim().is_empty() {
            return Err(format!("'{text}': {expected}"));
        }
        let wrong = |message: String| format!("{key}: {message}");
        let parts: Vec<&str> = range.split(':').map(str::trim).collect();
        let (scale, values) = match parts.as_slice() {
            [list] => listed(list),
            [from, to, spacing, count] => spaced([from, to], spacing, count),
            _ => Err(format!("'{range}' is not a range ({expected})")),
        }
        .map_err(wrong)?;
        Ok(Self { key: key.to_owned(), scale, values, spelled: text.to_owned() })
    }

    /// The values, as the command line spells them.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The values as numbers; none for words.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| value.parse().ok()).collect()
    }

    /// The text that it was read from.
    pub fn spelled(&self) -> &str {
        &self.spelled
    }
}

fn listed(list: &str) -> Result<(Scale, Vec<String>), String> {
    let values: Vec<String> = list.split(',').map(|value| value.trim().to_owned()).collect();
    let numbers: Vec<Option<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    if values.iter().any(String::is_empty) {
        return Err(format!("an empty value in '{list}'"));
    }
    if let Some(twice) = (1..values.len()).find(|i| values[..*i].contains(&values[*i])) {
        return Err(format!("'{}' is given twice", values[twice]));
    }
    if numbers.iter().all(Option::is_none) {
        return Ok((Scale::Words, values));
    }
    match numbers.into_iter().collect::<Option<Vec<f64>>>() {
        Some(numbers) if numbers.iter().all(|x| x.is_finite()) => {
            let values = numbers.into_iter().map(shortest).collect();
            Ok((Scale::Linear, values))
        }
        Some(_) => Err(format!("'{list}' holds a number that is not finite")),
        None => Err(format!("'{list}' mixes numbers and words")),
    }
}

fn spaced(ends: [&str; 2], spacing: &str, count: &str) -> Result<(Scale, Vec<String>), String> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => Err(format!("'{text}' is not a number")),
    };
    let [from, to] = [number(ends[0])?, number(ends[1])?];
    let count = count.parse().ok().filter(|count| (2..=MOST_VALUES).contains(count));
    let count = count.ok_or_else(|| format!("expected a count from 2 to {MOST_VALUES}"))?;
    if from >= to {
        return Err(format!("{from}:{to} is empty (expected the smaller end first)"));
    }
    let share = |i: usize| i as f64 / (count - 1) as f64;
    let (scale, between): (_, Box<dyn Fn(f64) -> f64>) = match spacing {
        "lin" => (Scale::Linear, Box::new(|t| from + t * (to - from))),
        "log" if from > 0.0 => (Scale::Logarithmic, Box::new(|t| from * libm::pow(to / from, t))),
        "log" => return Err(format!("a log range cannot start at {from} (expected more than 0)")),
        _ => return Err(format!("unknown spacing '{spacing}' (expected lin or log)")),
    };
    let value = |i: usize| match i {
        // The ends exactly as they were given.
        0 => from,
        i if i + 1 == count => to,
        i => between(share(i)),
    };
    Ok((scale, (0..count).map(|i| shortest(value(i))).collect()))
}

/// All combinations of the values of some axes, the last axis running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: Vec<Axis>,
    points: u64,
}

impl Grid {
    /// The grid over `axes`.
    ///
    /// # Errors
    /// No axis, the same parameter twice, more than a hundred million points.
    pub fn new(axes: Vec<Axis>) -> Result<Self, String> {
        if axes.is_empty() {
            return Err("expected at least one parameter".to_owned());
        }
        let twice = (1..axes.len()).find(|i| axes[..*i].iter().any(|axis| axis.key == axes[*i].key));
        if let Some(twice) = twice {
            return Err(format!("'{}' is given twice", axes[twice].key));
        }
        let count = |points: u64, axis: &Axis| points.checked_mul(axis.values.len() as u64);
        match axes.iter().try_fold(1, count).filter(|points| *points <= MOST_POINTS) {
            Some(points) => Ok(Self { axes, points }),
            None => Err(format!("more than {MOST_POINTS} combinations")),
        }
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Number of combinations.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Combination number `index`: (parameter, value), in the order of the axes.
    pub fn at(&self, index: u64) -> Vec<(&str, &str)> {
        let mut rest = index;
        let mut settings: Vec<_> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let count = axis.values.len() as u64;
                let value = &axis.values[(rest % count) as usize];
                rest /= count;
                (axis.key.as_str(), value.as_str())
            })
            .collect();
        settings.reverse();
        settings
    }
}
