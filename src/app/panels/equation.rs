//! The equation of the chosen scheme, in which the terms light up that the scheme before did not have.

use super::super::theme::{Palette, equation_font};
use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{Id, Label, Ui};

/// Seconds for which the terms are lit, and of these the last ones in which they fade.
const LIT: f64 = 2.5;
const FADING: f64 = 1.0;
/// Opacity of the light.
const LIGHT: f32 = 0.35;

/// What was shown last, what before it, and when it changed, s.
#[derive(Clone, Copy)]
struct Shown {
    equation: &'static str,
    before: &'static str,
    since: f64,
}

pub(super) fn show(ui: &mut Ui, equation: &'static str, palette: &Palette) {
    let (id, now) = (Id::new("equation"), ui.input(|input| input.time));
    let first = Shown { equation, before: equation, since: now };
    let mut shown = ui.data(|data| data.get_temp::<Shown>(id)).unwrap_or(first);
    if shown.equation != equation {
        shown = Shown { equation, before: shown.equation, since: now };
    }
    ui.data_mut(|data| data.insert_temp(id, shown));
    let left = LIT - (now - shown.since);
    let light = (left / FADING).clamp(0.0, 1.0) as f32;
    let lit = palette.bodies[2].gamma_multiply(LIGHT * light);
    let mut text = LayoutJob::default();
    for (i, (term, new)) in terms(shown.before, equation).into_iter().enumerate() {
        let mut format = TextFormat::simple(equation_font(), palette.accent);
        if i > 0 {
            text.append(" ", 0.0, format.clone());
        }
        if new && light > 0.0 {
            (format.background, format.color) = (lit, palette.text);
        }
        text.append(term, 0.0, format);
    }
    ui.add(Label::new(text).wrap()).on_hover_text(legend(equation));
    if light > 0.0 && shown.before != equation {
        ui.ctx().request_repaint();
    }
}

/// What the symbols of the equations mean. A longer symbol stands before those that it contains.
const SYMBOLS: [(&str, &str); 43] = [
    ("g̈", "second derivative of g with respect to time"),
    ("ġ", "first derivative of g with respect to time"),
    ("g", "how far joints are apart, or the gap of a contact: 0 where the constraint holds"),
    ("J", "Jacobian of the constraints, ∂g/∂q"),
    ("q̇", "rates of positions and angles"),
    ("μ", "multipliers that move positions and no velocities"),
    ("q⁺", "positions and angles after the step"),
    ("q", "positions and angles"),
    ("v̇", "accelerations by the forces"),
    ("v½", "velocities in the middle of the step"),
    ("v⁺", "velocities after the step"),
    ("v*", "velocities that forces alone would make"),
    ("v", "velocities"),
    ("u", "velocities of the correction alone, forgotten after the step"),
    ("c", "the rate at which driven joints and moving bodies change g"),
    ("α̃", "compliance divided by the square of the substep"),
    ("α_m", "weight of the filtered acceleration before, from ρ∞"),
    ("α_f", "weight of the acceleration before, from ρ∞"),
    ("α", "decay rate, a parameter of the scheme"),
    ("β", "stiffness or share of the correction, a parameter of the scheme"),
    ("γ", "share of the error that a step takes back, a parameter of the scheme"),
    ("λ", "impulses of the constraints"),
    ("Δ", "change in one sweep"),
    ("dp", "shift of positions and angles by the correction"),
    ("C", "error of a row that the step has to take away"),
    ("G", "stiffness by the curvature of the constraints"),
    ("Σ", "sum over the rows of a body"),
    ("y", "where the body would be without constraints"),
    ("M", "mass matrix"),
    (
        "K",
        "J M⁻¹ Jᵀ of one constraint, the inverse of the mass that it feels; of soft constraints their stiffness",
    ),
    ("Â", "approximation of J M⁻¹ Jᵀ of a row"),
    ("A", "J M⁻¹ Jᵀ of all constraints"),
    ("F", "forces"),
    ("s_", "softness of the impulse (s_m) and of its memory (s_i), from frequency and damping"),
    ("r", "rate of the correction, from frequency and damping; of soft constraints their error"),
    ("η", "length of a substep"),
    ("R", "softness of a row"),
    ("B", "damping of a row"),
    ("a", "accelerations; beside v̇ filtered ones, which move the bodies"),
    ("f", "forces of the constraints"),
    ("ℓ", "potential of a row, of which its impulse is the derivative"),
    ("b", "speed at which a row takes its error back"),
    ("d", "impedance of a row: its share of what would remove the error"),
];
/// Symbols that need no line in every equation: the time step.
const STEP: (&str, &str) = ("h", "length of a step");

/// The symbols of an equation with their meanings, one to a line.
fn legend(equation: &str) -> String {
    let mut rest =
        equation.replace("sweeps of", "").replace("then once more with", "").replace("argmin", "");
    let mut lines = Vec::new();
    for (symbol, meaning) in SYMBOLS.into_iter().chain([STEP]) {
        if rest.contains(symbol) {
            lines.push(format!("{symbol}: {meaning}"));
            rest = rest.replace(symbol, " ");
        }
    }
    lines.join("\n")
}

/// The terms of an equation, each with whether the equation `before` lacks it: those outside the longest common subsequence.
fn terms<'a>(before: &str, equation: &'a str) -> Vec<(&'a str, bool)> {
    let old: Vec<&str> = before.split(' ').collect();
    let new: Vec<&str> = equation.split(' ').collect();
    // common[i][j]: length of the longest common subsequence of old[i..] and new[j..].
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut marked = Vec::with_capacity(new.len());
    while j < new.len() {
        let same = i < old.len() && old[i] == new[j];
        if same {
            i += 1;
        } else if i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            i += 1;
            continue;
        }
        marked.push((new[j], !same));
        j += 1;
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::{legend, terms};
    use crate::schemes::TABLE;

    /// Every letter of every scheme's equation is explained, and no symbol that is part of another one twice.
    #[test]
    fn every_symbol_is_explained() {
        assert_eq!(
            legend("J v⁺ + c + α g = 0").lines().map(|line| line.split(':').next()).collect::<Vec<_>>(),
            ["g", "J", "v⁺", "c", "α"].map(Some)
        );
        for info in TABLE.iter().map(|scheme| scheme.info()) {
            let mut rest = info
                .equation
                .replace("sweeps of", "")
                .replace("then once more with", "")
                .replace("argmin", "");
            for line in legend(info.equation).lines() {
                let (symbol, _) = line.split_once(':').expect("a symbol and its meaning");
                rest = rest.replace(symbol, " ");
            }
            // Indices of symbols that are explained with them, and numbers of sweeps, which the parameters' names explain.
            for known in ["k_v", "k_p", "s_m", "s_i", "ᵀ", "m ", "i ", "k v", "k p", "_v", "_p", "k"] {
                rest = rest.replace(known, " ");
            }
            assert!(!rest.chars().any(char::is_alphabetic), "{}: {rest}", info.key);
        }
    }

    fn lit(before: &str, equation: &str) -> String {
        let terms = terms(before, equation);
        terms.into_iter().filter(|(_, new)| *new).map(|(term, _)| term).collect::<Vec<_>>().join(" ")
    }

    /// From no stabilization to Baumgarte's the term α g is new, and the other way round nothing is.
    #[test]
    fn the_new_terms_light_up() {
        let (none, baumgarte) = ("J v⁺ + c = 0", "J v⁺ + c + α g = 0");
        assert_eq!(lit(none, baumgarte), "+ α g");
        assert_eq!(lit(baumgarte, none), "");
        assert_eq!(lit(baumgarte, "J v⁺ + c + γ g/h = 0"), "γ g/h");
        assert_eq!(lit(none, none), "");
    }
}
