//! What a run warns of before its first step, and what its summary warns of.

use super::options::Posing;
use super::output::complain;
use crate::detect::{Detector, Reach};
use crate::experiment::{
    Coarse, Corrected, Gain, Passages, SpringPhase, Summary, Touching, contradiction, joint_phases,
    spring_phases,
};
use crate::method::{Method, Restitution};
use crate::model::{Joint, RESOLVED, World};
use crate::numbers::four_digits;
use crate::scene::{Scene, shown};

/// Says before the first step of `h` s which methods let constraint errors grow by themselves, by their closed forms.
pub(super) fn warn_of_instability(methods: &[Method], h: f64) {
    let unstable = methods.iter().filter_map(|method| method.instability(h));
    complain(&unstable.map(|text| format!("warning: {text}")).collect::<Vec<_>>());
}

/// What `run` and `check` warn of before the first step of the scene.
pub(super) fn beforehand(posing: &Posing, scene: &Scene) -> Vec<String> {
    let method = &scene.settings.method;
    let unstable = method.instability(scene.settings.time_step);
    let mut warnings: Vec<_> = unstable.map(|text| format!("warning: {text}")).into_iter().collect();
    warnings.extend(posing.solver_notes(std::slice::from_ref(method), &scene.world));
    warnings.extend(unresolved_springs(scene).map(|text| format!("note: {text}")));
    warnings.extend(crowd(&scene.world).map(|text| format!("warning: {text}")));
    let contradicts = contradiction(&scene.world, method);
    warnings.extend(contradicts.map(|text| format!("warning: {text}; `run --consistent` makes them fit")));
    warnings
}

/// That the time step does not resolve some springs, and some soft joints and wheels, which are implicit and lose their energy:
/// of each list the one of the largest hω, and how many others.
fn unresolved_springs(scene: &Scene) -> impl Iterator<Item = String> {
    let (world, settings) = (&scene.world, &scene.settings);
    let springs = spring_phases(world, &settings.method, settings.time_step).into_iter().enumerate();
    let springs = springs.filter_map(|(index, own)| Some((index, own?))).collect();
    let joints = joint_phases(world, &settings.method, settings.time_step);
    let of_joint = |index: usize| format!("joints[{index}], a {}", kind_of(&world.joints()[index]));
    let both = [
        unresolved(scene, springs, |index| format!("springs[{index}]")),
        unresolved(scene, joints, of_joint),
    ];
    both.into_iter().flatten()
}

/// What a joint that gives way is.
fn kind_of(joint: &Joint) -> String {
    let key = joint.kind.key();
    if joint.softness.is_some() { format!("soft {key}") } else { key.to_owned() }
}

fn unresolved(
    scene: &Scene,
    mut all: Vec<(usize, SpringPhase)>,
    name: impl Fn(usize) -> String,
) -> Option<String> {
    let settings = &scene.settings;
    all.retain(|(_, own)| !own.is_resolved());
    let mut by_phase = all.iter();
    let first = *by_phase.next()?;
    let (index, own) =
        by_phase.fold(first, |most, next| if next.1.phase > most.1.phase { *next } else { most });
    let others = match all.len() - 1 {
        0 => String::new(),
        1 => " (and another)".to_owned(),
        count => format!(" (and {count} others)"),
    };
    let step = settings.time_step * RESOLVED[0] / own.phase;
    Some(format!(
        "{}{others}: h ω = {} > 0.5: implicit, which damps it: an undamped swing would keep {} of its energy in a period; steps up to {} s resolve it",
        name(index),
        four_digits(own.phase),
        four_digits(own.left),
        four_digits(step)
    ))
}

/// That the first step will take long, if bodies lie on one another: each pair of them touches.
fn crowd(world: &World) -> Option<String> {
    /// Contacts per body beyond which bodies must overlap: each disk of a dense packing touches six others, two boxes
    /// touch twice.
    const DENSE: usize = 20;
    let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
    let mut contacts = Vec::new();
    Detector::default().detect(world, &frames, &Reach::default(), &mut contacts);
    let (contacts, bodies) = (contacts.len(), world.bodies().len());
    (contacts > DENSE * bodies).then(|| {
        format!("{contacts} contacts of {bodies} bodies: the bodies lie on one another, and a step may take long (move them apart)")
    })
}

/// Warnings that the run's results may be inaccurate, each with its number.
pub(super) fn warnings(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut warnings = Vec::new();
    warnings.extend(summary.blow_up.iter().map(|blow_up| ("warning", blow_up.to_string())));
    warnings.extend(summary.energy_gain.iter().map(|gain| ("warning", gained(gain, summary))));
    warnings.extend(summary.pushed().map(|corrected| ("warning", pushed(corrected, summary))));
    warnings.extend(summary.pumped().map(|work| ("warning", pumped(work))));
    warnings.extend(summary.coarse.iter().map(|coarse| ("warning", of_coarse_steps(coarse, summary))));
    warnings.extend(summary.breaks.iter().map(|broken| ("note", broken.to_string())));
    warnings.extend(summary.passages.iter().map(|passages| ("warning", passed(passages))));
    warnings.extend(summary.apart.iter().map(|apart| ("warning", apart.to_string())));
    warnings.extend(summary.unsolved().map(|text| ("warning", text)));
    if summary.damped_steps > 0 {
        let what = match (summary.joints > 0, summary.has_contacts()) {
            (true, true) => "joints and contacts",
            (true, false) => "joints",
            (false, _) => "contacts",
        };
        let text = format!("{what} contradict each other, corrections were damped");
        warnings.push(("warning", format!("{} steps: {text}", summary.damped_steps)));
    }
    if let Some(left) = summary.correction_left.filter(|_| summary.unconverged_steps > 0) {
        let text = "of its error: outside the region where Newton's method converges";
        warnings.push((
            "warning",
            format!(
                "{} steps: a correction left up to {} {text}",
                summary.unconverged_steps,
                four_digits(left)
            ),
        ));
    }
    if summary.unresolved_steps > 0 {
        let (rate, phase) = (summary.fastest_phase / summary.time_step, summary.fastest_phase);
        warnings.push((
            "warning",
            format!(
                "{} steps: h does not resolve the fastest constrained motion, {} rad/s, h ω up to {} (at most 1)",
                summary.unresolved_steps,
                four_digits(rate),
                four_digits(phase)
            ),
        ));
    }
    warnings
}

/// Above what a gain of energy is measured.
pub(super) fn above(summary: &Summary) -> &'static str {
    let is_driven = summary.applied_work != 0.0 || summary.work.driven() != 0.0;
    if is_driven { "its start and what drives the scene has put in" } else { "its start" }
}

/// Energy of the corrections, beyond what the errors of the start explain.
fn pushed(corrected: &Corrected, summary: &Summary) -> String {
    let Corrected { gain, added, share, at } = *corrected;
    let share = share.map_or_else(String::new, |share| {
        format!(", {} % of the largest kinetic energy", four_digits(100.0 * share))
    });
    format!(
        "at {} s the energy is {} J above {}, of which corrections have added {} J{share}: the correction of large errors, of the \
         start or of coarse steps, pushes bodies apart",
        four_digits(at),
        four_digits(gain),
        above(summary),
        four_digits(added)
    )
}

/// Energy of the corrections that did not last beyond its step.
fn pumped(work: f64) -> String {
    format!(
        "the corrections of one step have put in {} J, more than the scene can exchange by itself, and impacts or other corrections \
         have taken it back: a large error is pushed out too fast",
        four_digits(work)
    )
}

/// Energy that the length of the step explains.
fn of_coarse_steps(coarse: &Coarse, summary: &Summary) -> String {
    let [gain, late, at] = [coarse.gain, coarse.late, coarse.at].map(four_digits);
    let newton = summary.method().contact.restitution == Restitution::Newton;
    let rebounds = if newton && summary.touching() == Touching::Elastic {
        ", or rebounds of rough contacts,"
    } else {
        ""
    };
    format!(
        "at {at} s the energy is {gain} J above {}, more than a tenth of the largest kinetic energy: weights that act too late in steps \
         this coarse, by up to {late} J, and corrections{rebounds} may have added it",
        above(summary)
    )
}

/// Energy from nothing, and what may have added it.
pub(super) fn gained(gain: &Gain, summary: &Summary) -> String {
    let Gain { gain, unexplained, at } = *gain;
    let explanation = Gain::explanation(summary.method(), summary.touching());
    format!(
        "at {} s the energy is {} J above {}, of which nothing in the scene explains {} J: {explanation}",
        four_digits(at),
        four_digits(gain),
        above(summary),
        four_digits(unexplained)
    )
}

/// Who has passed through whom, and what helps.
pub(super) fn passed(passages: &Passages) -> String {
    let Passages { count, first: [one, other], at } = passages;
    let (one, other) = (shown(one), shown(other));
    let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
    format!(
        "bodies passed through each other {times}, first {one} and {other} at {} s: a smaller time step helps",
        four_digits(*at)
    )
}
