//! What a summary warns of.

use super::output::figure;
use crate::experiment::{Gain, Passages, Summary};
use crate::scene::shown;

/// Warnings that the run's results may be inaccurate, each with its number.
pub(super) fn warnings(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut warnings = Vec::new();
    warnings.extend(summary.blow_up.iter().map(|blow_up| ("warning", blow_up.to_string())));
    warnings.extend(summary.energy_gain.iter().map(|gain| ("warning", gained(gain, summary))));
    warnings.extend(summary.passages.iter().map(|passages| ("warning", passed(passages))));
    warnings.extend(summary.unsolved().map(|text| ("warning", text)));
    if summary.damped_steps > 0 {
        let text = "joints and contacts contradict each other, corrections were damped";
        warnings.push(("warning", format!("{} steps: {text}", summary.damped_steps)));
    }
    if let Some(left) = summary.correction_left.filter(|_| summary.unconverged_steps > 0) {
        let text = "of its error: outside the region where Newton's method converges";
        warnings.push((
            "warning",
            format!("{} steps: a correction left up to {} {text}", summary.unconverged_steps, figure(left)),
        ));
    }
    if summary.unresolved_steps > 0 {
        let (rate, phase) = (summary.fastest_phase / summary.time_step, summary.fastest_phase);
        warnings.push((
            "warning",
            format!(
                "{} steps: h does not resolve the fastest constrained motion, {} rad/s, h ω up to {} (at most 1)",
                summary.unresolved_steps,
                figure(rate),
                figure(phase)
            ),
        ));
    }
    warnings
}

/// Energy from nothing, and what may have added it.
pub(super) fn gained(gain: &Gain, summary: &Summary) -> String {
    let Gain { gain, unexplained, at } = *gain;
    let explanation = Gain::explanation(summary.method(), summary.has_contacts());
    format!(
        "at {} s the energy is {} J above its start, of which nothing in the scene explains {} J: {explanation}",
        figure(at),
        figure(gain),
        figure(unexplained)
    )
}

/// Who has passed through whom, and what helps.
pub(super) fn passed(passages: &Passages) -> String {
    let Passages { count, first: [one, other], at } = passages;
    let (one, other) = (shown(one), shown(other));
    let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
    format!(
        "bodies passed through each other {times}, first {one} and {other} at {} s: a smaller time step helps",
        figure(*at)
    )
}
