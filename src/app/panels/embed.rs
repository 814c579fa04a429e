//! The window embedded in a page, or shown to an audience: one line of what to see, the canvas, the plot, and below
//! them play, restart and one slider. To an audience a tour goes on: its step stands in the place of the line, and the
//! control that it asks for in that of the slider.

use super::{header, method, parameters, plot, scheme, tour};
use crate::app::theme::Coloured;
use crate::parameter::Parameter;
use crate::workbench::command::Command;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::library::tours::{Ask, Until};
use crate::workbench::link::acts;
use crate::workbench::model::Model;
use crate::workbench::runs::comparison::Fork;
use crate::workbench::runs::live_run::{LiveRun, Setting};
use crate::workbench::view_state::plot_view::PlotView;
use egui_macroquad::egui::{
    self, Align, Button, Context, FontId, Frame, Label, Layout, Margin, RichText, TextStyle, Ui,
    WidgetInfo, WidgetType,
};

/// Width from which on the plot stands beside the canvas instead of below it, points.
const WIDE: f32 = 640.0;
/// Shares of the width and of the height that the plot takes there.
const BESIDE: f32 = 0.44;
const BELOW: f32 = 0.36;
/// Size of the text, and of the numbers on the axes, points.
const TEXT: f32 = 13.0;
const NUMBERS: f32 = 11.0;
/// Lines of text at most: a narrow window has two.
const LINES: [usize; 2] = [1, 2];
/// Height of the controls, and size of a button, points.
const CONTROLS: f32 = 40.0;
const BUTTON: [f32; 2] = [34.0, 28.0];
/// Key of a link that asks for the slider of the time step.
const TIME_STEP: &str = "h";

/// All that stands around the canvas.
pub(super) fn show(ctx: &Context, model: &Model, intents: &mut Intents) {
    match tour::present(model).filter(|_| model.layout.presenting) {
        Some(step) => taken(ctx, model, &step, intents),
        None => text(ctx, model, ctx.screen_rect().width() >= WIDE),
    }
    controls(ctx, model, intents);
    plots(ctx, model, intents);
}

/// The plot beside the canvas or below it.
pub(super) fn plots(ctx: &Context, model: &Model, intents: &mut Intents) {
    let is_wide = ctx.screen_rect().width() >= WIDE;
    let frame = |margin| Frame::side_top_panel(&ctx.style()).inner_margin(margin);
    let room = ctx.available_rect();
    if is_wide {
        egui::SidePanel::right("embedded plot")
            .resizable(false)
            .exact_width(BESIDE * room.width())
            .frame(frame(Margin::symmetric(6, 8)))
            .show(ctx, |ui| graph(ui, model, intents));
    } else {
        egui::TopBottomPanel::bottom("embedded plot")
            .resizable(false)
            .exact_height(BELOW * room.height())
            .frame(frame(Margin::symmetric(6, 6)))
            .show(ctx, |ui| graph(ui, model, intents));
    }
}

/// The step of a tour that is being taken.
fn taken(ctx: &Context, model: &Model, step: &tour::Present<'_>, intents: &mut Intents) {
    let margin = Margin::symmetric(12, 7);
    let height = tour::height(ctx, step, ctx.screen_rect().width() - margin.sum().x);
    egui::TopBottomPanel::top("presented tour")
        .resizable(false)
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(margin))
        .exact_height(height + margin.sum().y)
        .show(ctx, |ui| tour::show(ui, model, step, intents));
}

/// What to see in the scene, cut where it does not fit; a tooltip shows all of it.
fn text(ctx: &Context, model: &Model, is_wide: bool) {
    let text = header::about(model);
    let text = if text.is_empty() { model.run().scene.name.clone() } else { text };
    let lines = if is_wide { LINES[0] } else { LINES[1] };
    let font = FontId::proportional(TEXT);
    let height = lines as f32 * ctx.fonts(|fonts| fonts.row_height(&font));
    let frame = Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(12, 7));
    egui::TopBottomPanel::top("embedded text")
        .resizable(false)
        .show_separator_line(false)
        .frame(frame)
        .exact_height(height + 14.0)
        .show(ctx, |ui| {
            let mut job = egui::text::LayoutJob::simple(
                text.clone(),
                font,
                model.view.palette().text,
                ui.available_width(),
            );
            job.wrap.max_rows = lines;
            ui.add(Label::new(job)).on_hover_text(text);
        });
}

fn graph(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let (palette, mut view) = (model.view.palette(), model.shown.plot.clone());
    ui.visuals_mut().override_text_color = Some(palette.weak);
    ui.style_mut().text_styles.insert(TextStyle::Body, FontId::proportional(NUMBERS));
    tour::mark_in(ui, model, ["plot", ""], ui.max_rect());
    plot::chosen(ui, &mut view, model, intents);
    if view != model.shown.plot {
        intents.push(Intent::Plot(view));
    }
}

fn controls(ctx: &Context, model: &Model, intents: &mut Intents) {
    let frame = Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(10, 4));
    egui::TopBottomPanel::bottom("embedded controls")
        .resizable(false)
        .exact_height(CONTROLS)
        .frame(frame)
        .show(ctx, |ui| {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let (sign, name) =
                    if model.runs.player.playing { ("⏸", "Pause") } else { ("▶", "Play") };
                for (sign, name, command) in
                    [(sign, name, Command::TogglePlay), ("⟲", "Restart", Command::Restart)]
                {
                    let button = ui.add_sized(BUTTON, Button::new(RichText::new(sign).size(16.0)));
                    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
                    let control = if command == Command::Restart { "restart" } else { "play" };
                    tour::mark_in(ui, model, [control, ""], button.rect);
                    if button.on_hover_text(name).clicked() {
                        intents.push(Intent::Command(command));
                    }
                }
                ui.add_space(8.0);
                match model
                    .library
                    .tour_step()
                    .and_then(|step| step.ask.as_ref())
                    .filter(|_| model.layout.presenting)
                {
                    Some(ask) => asked(ui, model, ask, intents),
                    None => slider(ui, model.layout.slider.as_deref(), model, intents),
                }
            });
        });
}

/// The control that a step of a tour asks to use; where that stands elsewhere, the slider.
fn asked(ui: &mut Ui, model: &Model, ask: &Ask, intents: &mut Intents) {
    let (kind, key) = ask.control.split_once(' ').unwrap_or((&ask.control, ""));
    let tab = plot::TABS.into_iter().find(|(_, _, own)| *own == kind);
    match (kind, tab) {
        ("scheme" | "beside", _) => scheme::alone(ui, key, model, intents),
        ("time", _) => method::step_slider(ui, model, intents),
        (_, Some((tab, name, own))) => {
            let label = ui.selectable_label(model.shown.plot.tab == tab, name);
            tour::mark_in(ui, model, [own, ""], label.rect);
            if label.clicked() {
                intents.push(Intent::Plot(PlotView { tab, ..model.shown.plot.clone() }));
            }
        }
        _ => {
            let named = match &ask.until {
                Until::Parameter { key, .. } => Some(key.as_str()),
                _ => model.layout.slider.as_deref(),
            };
            let top = ui.min_rect().right_top();
            slider(ui, named, model, intents);
            tour::mark_in(ui, model, ["parameters", ""], ui.min_rect().with_min_x(top.x));
        }
    }
}

/// The slider of the parameter of that key, or that of the first parameter that a run has.
fn slider(ui: &mut Ui, named: Option<&str>, model: &Model, intents: &mut Intents) {
    if named == Some(TIME_STEP) {
        return method::step_slider(ui, model, intents);
    }
    let Some((fork, run, parameter)) = offered(model, named) else {
        return method::step_slider(ui, model, intents);
    };
    let mut stabilizer = run.method().stabilizer.clone();
    let mut value = stabilizer.values.of(parameter);
    if parameters::alone(ui, parameter, &mut value) && stabilizer.values.set(parameter.key, value).is_ok() {
        intents.push(Intent::Edit(fork.map(|fork| fork.id)));
        intents.push(Intent::Set(Setting::Stabilizer(stabilizer)));
    }
}

/// The first run that has the parameter, the main one before those beside it; if none has it, the first parameter that
/// there is. Only those count that act on the scene.
fn offered<'a>(
    model: &'a Model,
    named: Option<&str>,
) -> Option<(Option<&'a Fork>, &'a LiveRun, &'static Parameter)> {
    let forks = model.comparison().forks().iter().map(|fork| (Some(fork), fork.run()));
    let runs: Vec<_> = std::iter::once((None, model.run())).chain(forks).collect();
    let of = |key: &str| {
        let find = |run| acting(run).find(|parameter| parameter.key == key);
        runs.iter().find_map(|(fork, run)| Some((*fork, *run, find(run)?)))
    };
    let first = || runs.iter().find_map(|(fork, run)| Some((*fork, *run, acting(run).next()?)));
    named.and_then(of).or_else(first)
}

/// The parameters of a run's scheme that act on its scene.
fn acting(run: &LiveRun) -> impl Iterator<Item = &'static Parameter> + '_ {
    run.method().stabilizer.info().parameters.iter().filter(move |own| acts(own, &run.scene.world))
}
