//! The equation of the chosen scheme, in which the terms light up that the scheme before did not have.

use super::super::theme::{Palette, equation_font};
use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{Id, Label, Ui};

/// Seconds for which the terms are lit, and of these the last ones in which they fade.
const LIT: f64 = 2.5;
const FADING: f64 = 1.0;
/// Opacity of the light.
const LIGHT: f32 = 0.45;

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
            format.background = lit;
        }
        text.append(term, 0.0, format);
    }
    ui.add(Label::new(text).wrap());
    if light > 0.0 && shown.before != equation {
        ui.ctx().request_repaint();
    }
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
    use super::terms;

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
