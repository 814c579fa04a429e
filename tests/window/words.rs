//! The words of the window: each symbol has a name, each unit can be read, and there is one notation of numbers.

use driftlab::lcp;
use driftlab::method::Stabilizer;
use driftlab::parameter::Parameter;
use driftlab::schemes::TABLE;
use driftlab::workbench::text::format;
use driftlab::workbench::text::prose::prose;
use egui_macroquad::egui;

/// All parameters that a slider stands for, in every language.
fn parameters() -> impl Iterator<Item = &'static Parameter> {
    let schemes = TABLE.iter().map(|scheme| scheme.info());
    let languages =
        schemes.clone().flat_map(|info| info.languages).flat_map(|language| language.parameters);
    let solvers = lcp::solvers().flat_map(|solver| solver.info().parameters);
    schemes.flat_map(|info| info.parameters).chain(languages).chain(solvers)
}

/// A slider is labelled by a name in letters, not by a symbol alone: k, |dp|, W⁻¹ and δ say nothing to a newcomer, and a
/// solver's slider had no label at all. Its tooltip says what it does.
#[test]
fn every_parameter_has_a_name() {
    for parameter in parameters() {
        let Parameter { key, name, meaning, .. } = parameter;
        assert!(name.chars().filter(|c| c.is_alphabetic()).count() >= 4, "{key}: '{name}'");
        assert!(meaning.len() > 15, "{key}: '{meaning}'");
    }
}

/// A rate is written 1 s⁻¹: '1 1/s' reads as eleven.
#[test]
fn units_are_not_read_as_digits() {
    for parameter in parameters() {
        assert!(!parameter.unit.starts_with(|c: char| c.is_ascii_digit()), "{}", parameter.key);
    }
    for scheme in TABLE {
        let stabilizer = Stabilizer::by_key(scheme.info().key).expect("a scheme of the table");
        let remark = stabilizer.remark(1e-3).unwrap_or_default();
        assert!(!remark.contains(" 1/s") && !remark.contains(" 1/kg"), "{remark}");
    }
}

/// Where room is short a scheme has a short name, and no two have the same.
#[test]
fn short_names_are_short_and_differ() {
    let mut names: Vec<&str> = TABLE.iter().map(|scheme| scheme.info().short).collect();
    assert!(names.iter().all(|name| (3..=18).contains(&name.chars().count())), "{names:?}");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TABLE.len());
}

/// A bound that bounds nothing says so, instead of showing a million metres.
#[test]
fn no_limit_is_a_word() {
    let scheme = TABLE.iter().find(|scheme| scheme.info().key == "post_stabilization").expect("the scheme");
    let parameters = scheme.info().parameters;
    let bound = parameters.iter().find(|parameter| parameter.key == "max_correction").expect("the bound");
    assert_eq!(format::parameter(bound, bound.default, 3), "no limit");
    assert_eq!(format::parameter(bound, 0.1, 3), "0.1 m or rad");
}

/// Texts from scenes and the engine are shown with names instead of keys between backticks, and with one notation of numbers.
#[test]
fn texts_are_set_for_people() {
    for (text, shown) in [
        (
            "Compare `soft` with `post_stabilization`.",
            "Compare Soft step (Box2D 3.2.0) with Post-stabilization.",
        ),
        ("the solver `pgs`, or `this`", "the solver Projected Gauss–Seidel, or this"),
        ("unstable for h > 1.657e-2 s", "unstable for h > 0.01657 s"),
        ("springs of 1e3 and 1e6 N/m", "springs of 1000 and 10⁶ N/m"),
        ("a residual of 3.100e-7 after 12 iterations", "a residual of 3.1·10⁻⁷ after 12 iterations"),
        ("bodies[3].shapes[0]: 2e, v1e3, 0x1e3z, 5 m", "bodies[3].shapes[0]: 2e, v1e3, 0x1e3z, 5 m"),
    ] {
        assert_eq!(prose(text), shown);
    }
}

/// The digits are tabular: all of the same advance width, so that ticks line up and live numbers do not jitter. Inter's
/// own digits differ by up to a quarter of their width; a tenth of a percent, as between the 4 and the others of the
/// SemiBold, cannot be seen.
#[test]
fn digits_have_equal_widths() {
    let ctx = egui::Context::default();
    driftlab::app::text::fonts::install(&ctx);
    // Fonts take effect in the next frame.
    for _ in 0..2 {
        let _output = ctx.run(egui::RawInput::default(), |_| {});
    }
    let heading = egui::FontFamily::Name(driftlab::app::theme::HEADING_FAMILY.into());
    let equation = egui::FontFamily::Name(driftlab::app::theme::EQUATION_FAMILY.into());
    for family in [egui::FontFamily::Proportional, egui::FontFamily::Monospace, heading, equation] {
        let font = egui::FontId::new(100.0, family);
        let width = |digit| ctx.fonts(|fonts| fonts.glyph_width(&font, digit));
        let least = ('0'..='9').map(width).fold(f32::INFINITY, f32::min);
        let most = ('0'..='9').map(width).fold(0.0, f32::max);
        assert!(least > 20.0 && most - least <= 2e-3 * most, "{font:?}: from {least} to {most}");
    }
}
