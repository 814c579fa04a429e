//! A row of the panel: a name, and a control behind it; numbers as a slider with a field to type in.
//!
//! A number that is typed takes effect when the field is left. What cannot be read keeps the old value, and says why
//! below the field until the next press of a button.

use super::fixed;
use super::layers::CARD;
use crate::workbench::text::format;
use crate::workbench::text::number_parser;
use egui_macroquad::egui::{
    self, Align, Area, Frame, Id, Layout, Response, Slider, SliderClamping, Ui, UiBuilder, vec2,
};
use std::cell::RefCell;

/// Width of the names before the controls, points.
const NAME_WIDTH: f32 = 120.0;
/// Width of value and unit behind a slider, points.
pub(super) const VALUE_WIDTH: f32 = 88.0;
/// Height of a row, points.
const ROW_HEIGHT: f32 = 20.0;
/// Width at which the reason why a number is refused is wrapped, points.
const REASON_WIDTH: f32 = 260.0;
/// Relative change of a number per point that it is dragged.
const DRAG: f64 = 0.01;
/// A logarithmic slider from zero shows this many decades below its end.
const DECADES: f64 = 1e-7;

/// A name in a column of its own, in two lines where it is long, and the control behind it.
pub(super) fn row<R>(ui: &mut Ui, name: &str, hint: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let font = egui::TextStyle::Body.resolve(ui.style());
        let height = fixed::tallest(ui, [name], &font, NAME_WIDTH).max(ROW_HEIGHT);
        let (rect, _) = ui.allocate_exact_size(vec2(NAME_WIDTH, height), egui::Sense::hover());
        let place = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
        let label = egui::Label::new(name).wrap().selectable(false);
        ui.new_child(place).add(label).on_hover_text(hint);
        add(ui)
    })
    .inner
}

/// Writes a number with its unit.
pub(super) type Write<'a> = dyn Fn(f64) -> String + 'a;
/// Reads a number with or without its unit.
pub(super) type Read<'a> = dyn Fn(&str) -> Option<f64> + 'a;
/// Reads a number, or says why it does not.
type Judge<'a> = dyn Fn(&str) -> Result<f64, String> + 'a;

/// What a slider shows and accepts.
pub(super) struct Numbers<'a> {
    /// Smallest and largest number.
    pub(super) range: [f64; 2],
    /// Whether the slider is logarithmic, or steps through whole numbers.
    pub(super) scale: Scale,
    /// Width of the written number, points.
    pub(super) width: f32,
    /// How a number is written.
    pub(super) write: Box<Write<'a>>,
    /// How a number is read.
    pub(super) read: Box<Read<'a>>,
}

/// How a slider divides its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Equal lengths for equal factors.
    Logarithmic,
    /// Equal lengths for equal differences.
    Linear,
    /// Whole numbers only.
    Integer,
}

/// A slider with its number behind it, the numbers of all sliders under each other; what is done to either, as done to
/// the number.
pub(super) fn control(ui: &mut Ui, numbers: Numbers<'_>, value: &mut f64, hint: &str) -> Response {
    with_judge(numbers, |own| judged(ui, own, value, hint))
}

/// The number alone, where there is no room for a slider: dragged along, or typed.
pub(super) fn number(ui: &mut Ui, numbers: Numbers<'_>, value: &mut f64, hint: &str) -> Response {
    with_judge(numbers, |own| entry(ui, &own, value, hint))
}

fn with_judge(numbers: Numbers<'_>, show: impl FnOnce(Judged<'_>) -> Response) -> Response {
    let Numbers { range, scale, width, write, read } = numbers;
    let [low, high] = range;
    let judge = |text: &str| {
        let number = number_parser::pointed(text.trim()).map(|plain| read(&plain))?;
        match number.ok_or_else(|| format!("'{}' cannot be read here.", text.trim()))? {
            number if (low..=high).contains(&number) => Ok(number),
            _ => Err(format!("From {} to {} only.", write(low), write(high))),
        }
    };
    show(Judged { range, limits: range, scale, width, write: &write, judge: &judge })
}

/// A number whose field says why it refuses a text.
pub(super) struct Judged<'a> {
    /// Ends of the slider.
    pub(super) range: [f64; 2],
    /// Ends of what may be typed.
    pub(super) limits: [f64; 2],
    pub(super) scale: Scale,
    pub(super) width: f32,
    pub(super) write: &'a Write<'a>,
    pub(super) judge: &'a Judge<'a>,
}

/// A slider with its number behind it.
pub(super) fn judged(ui: &mut Ui, own: Judged<'_>, value: &mut f64, hint: &str) -> Response {
    let Judged { range: [low, high], scale, width, .. } = own;
    ui.spacing_mut().slider_width = (ui.available_width() - width - ui.spacing().item_spacing.x).max(40.0);
    // A number beyond the slider's ends is shown at the nearer one, and changes only when the knob is moved.
    let mut knob = value.clamp(low, high);
    let mut slider = Slider::new(&mut knob, low..=high).show_value(false).clamping(SliderClamping::Edits);
    slider = match scale {
        Scale::Logarithmic => {
            slider.logarithmic(true).smallest_positive(if low > 0.0 { low } else { high * DECADES })
        }
        Scale::Linear => slider,
        Scale::Integer => slider.integer(),
    };
    let moved = ui.add(slider).on_hover_text(hint);
    if moved.changed() {
        *value = knob;
    }
    entry(ui, &own, value, hint).union(moved)
}

/// A number to drag along and to type into.
pub(super) fn entry(ui: &mut Ui, own: &Judged<'_>, value: &mut f64, hint: &str) -> Response {
    let Judged { range: [low, high], limits: [least, most], scale, write, judge, .. } = *own;
    let speed = match scale {
        Scale::Logarithmic => DRAG * value.abs(),
        Scale::Linear => DRAG * (high - low),
        Scale::Integer => 4.0 * DRAG,
    };
    let refused = RefCell::new(None);
    let (present, shown) = (*value, write(*value));
    let read = |text: &str| {
        // The text as it was offered for editing has fewer digits than the number.
        if text.trim() == shown.trim() {
            return Some(present);
        }
        judge(text).map_err(|reason| *refused.borrow_mut() = Some(reason)).ok()
    };
    let number = egui::DragValue::new(value)
        .range(least..=most)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .speed(speed)
        .custom_formatter(|x, _| write(x))
        .custom_parser(read);
    let typed = ui.add_sized([ui.available_width(), ROW_HEIGHT], number).on_hover_text(hint);
    explain(ui, &typed, refused.into_inner());
    typed
}

/// Says below a field why what was typed into it was refused, until a button is pressed somewhere or the field is edited again.
fn explain(ui: &Ui, field: &Response, refused: Option<String>) {
    let id: Id = field.id.with("refused");
    if let Some(reason) = refused {
        ui.data_mut(|data| data.insert_temp(id, reason));
    } else if field.has_focus() || ui.input(|i| i.pointer.any_pressed()) {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    let Some(reason) = ui.data(|data| data.get_temp::<String>(id)) else { return };
    let below = field.rect.right_bottom() + vec2(0.0, 2.0);
    let area = Area::new(id).order(CARD).interactable(false).pivot(egui::Align2::RIGHT_TOP);
    area.fixed_pos(below).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(REASON_WIDTH);
            let color = ui.visuals().error_fg_color;
            ui.colored_label(color, format!("{reason} The old value stays."));
        });
    });
}

/// A number with its unit, for people.
fn with_unit(number: String, unit: &str) -> String {
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// A range in words.
pub(super) fn between([low, high]: [f64; 2], unit: &str) -> String {
    let end = |x: f64| format::significant(x, 4);
    if high.is_finite() {
        with_unit(format!("from {} to {}", end(low), end(high)), unit)
    } else {
        with_unit(format!("{} or more", end(low)), unit)
    }
}

#[cfg(test)]
mod tests {
    use super::NAME_WIDTH;
    use crate::app::text::fonts;
    use crate::lcp;
    use crate::schemes::TABLE;
    use egui_macroquad::egui::{Context, FontId, RawInput};

    /// Size of the text of a row, points.
    const TEXT: f32 = 14.0;

    /// No name of a parameter is cut: each word fits into the column of the names, so that a long name is wrapped.
    #[test]
    fn parameter_names_fit_their_column() {
        let ctx = Context::default();
        fonts::install(&ctx);
        // Fonts take effect in the next frame.
        for _ in 0..2 {
            let _output = ctx.run(RawInput::default(), |_| {});
        }
        let width = |text: &str| {
            let (text, font) = (text.to_owned(), FontId::proportional(TEXT));
            let white = egui_macroquad::egui::Color32::WHITE;
            ctx.fonts(|fonts| fonts.layout_no_wrap(text, font, white).size().x)
        };
        let schemes = TABLE.iter().map(|scheme| scheme.info());
        let spoken =
            schemes.clone().flat_map(|info| info.languages).flat_map(|language| language.parameters);
        let solvers = lcp::solvers().flat_map(|solver| solver.info().parameters);
        for parameter in schemes.flat_map(|info| info.parameters).chain(spoken).chain(solvers) {
            let label = super::format::label(parameter);
            assert_eq!(label.split_whitespace().collect::<Vec<_>>().join(" "), label);
            assert!(label.starts_with(parameter.name) && label.ends_with(parameter.symbol));
            for word in label.split(' ') {
                assert!(width(word) <= NAME_WIDTH, "'{word}' of '{label}': {}", width(word));
            }
            assert!(width(&label) <= 2.0 * NAME_WIDTH, "'{label}' needs three lines");
        }
    }
}
