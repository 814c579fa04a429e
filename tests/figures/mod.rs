//! Pictures of figures, compared with files beside this one: the same words at the same places, lines through the same points.
//!
//! Their numbers may differ by a pixel. `DRIFTLAB_BLESS=1` writes the files anew (CONTRIBUTING.md says when).

use driftlab::experiment::converge::{Plan, TimeSteps, converge, draw as draw_converge};
use driftlab::experiment::{Axis as Values, Map, Shading, compare, draw_map, error_chart};
use driftlab::figure::canvas::Format;
use driftlab::figure::{Axis, Chart, Curve, Ends, Level, LevelAxis, color, draw};
use driftlab::method::Method;
use driftlab::scene::{Scene, catalogue};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::{env, fs};

/// How far a line or a word may be from where it is in the file, px.
const TOLERANCE: f64 = 1.0;

/// Compares a picture, an SVG file or a list of what is drawn, with the file of that name.
#[track_caller]
pub(crate) fn golden(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/figures").join(name);
    if env::var_os("DRIFTLAB_BLESS").is_some() {
        return fs::write(&path, drawn).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = difference(&expected, drawn) {
        let seen = env::temp_dir().join(name);
        fs::write(&seen, drawn).unwrap();
        panic!("{name}, drawn to {}: {difference} (DRIFTLAB_BLESS=1 accepts it)", seen.display());
    }
}

/// By what a picture differs from the expected one: the first line with another word, or with a number that is too far off.
fn difference(expected: &str, drawn: &str) -> Option<String> {
    let (count, other) = (expected.lines().count(), drawn.lines().count());
    let pairs = expected.lines().zip(drawn.lines()).enumerate();
    let differs = |(_, (a, b)): &(usize, (&str, &str))| !is_alike(a, b);
    let line = pairs.clone().find(differs);
    let line = line.map(|(index, (a, b))| format!("line {}\n  expected {a}\n  drawn    {b}\n", index + 1));
    line.or_else(|| (count != other).then(|| format!("{count} lines expected, {other} drawn")))
}

/// Attributes whose numbers are places, px.
const PLACES: [&str; 10] = ["at=", "points=", "x=", "y=", "x1=", "y1=", "x2=", "y2=", "cx=", "cy="];

/// Whether two lines are the same, but for places that differ by [`TOLERANCE`] at most. Lines of words stand by themselves.
fn is_alike(expected: &str, drawn: &str) -> bool {
    if !expected.starts_with(['<', '@']) {
        return expected == drawn;
    }
    let parts = |line: &str| line.split([' ', ',', '"']).map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (parts(expected), parts(drawn));
    let mut is_place = false;
    let mut near = |(a, b): (&String, &String)| {
        if a.ends_with('=') {
            is_place = PLACES.contains(&a.as_str());
        }
        match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) if is_place => (a - b).abs() <= TOLERANCE,
            _ => a == b,
        }
    };
    a.len() == b.len() && a.iter().zip(&b).all(&mut near)
}

fn svg(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Curves whose points are known: h and h² with rings, a dashed one, a guide, a published level and a limit, over decades.
fn orders() -> Chart {
    let steps = [1e-3, 2e-3, 4e-3, 8e-3];
    let along = |order: i32| steps.map(|h: f64| [h, h.powi(order)]);
    let limit = Level { axis: LevelAxis::X, color: color(1), ..Level::across("limit: h = 5 ms", 5e-3) };
    Chart {
        title: "Orders".to_owned(),
        x: Axis::logarithmic("time step h / s").ending(Ends::Data),
        y: Axis::logarithmic("error / m"),
        curves: vec![
            Curve::guide("h²".to_owned(), [[1e-3, 4e-7], [8e-3, 2.56e-5]]),
            Curve::marked(0, "first order".to_owned(), along(1)),
            Curve::marked(1, "second order, every other one with gaps".to_owned(), along(2)),
            Curve::line(2, "a line".to_owned(), along(3)).dashed(),
        ],
        levels: vec![Level::across("published: 1 µm", 1e-6), limit],
    }
}

/// Protects charts on logarithmic axes: where curves, marks, ticks, levels and the legend stand.
#[test]
fn curves_over_decades_look_as_they_did() {
    golden("orders.svg", &svg(draw(&orders(), Format::Svg, 1).unwrap()));
}

/// Protects charts on linear axes, and values below zero.
#[test]
fn curves_over_linear_axes_look_as_they_did() {
    let angle = |i: i32| 0.25 * f64::from(i);
    let wave = (0..=25).map(|i| [angle(i), angle(i).cos()]);
    let chart = Chart {
        title: "A cosine".to_owned(),
        x: Axis::linear("time t / s").ending(Ends::Exact),
        y: Axis::linear("cos t"),
        curves: vec![Curve::line(0, "cos t".to_owned(), wave)],
        levels: vec![Level { over: [Some(1.0), Some(4.0)], ..Level::across("half", 0.5) }],
    };
    golden("cosine.svg", &svg(draw(&chart, Format::Svg, 1).unwrap()));
}

fn pendulum() -> Scene {
    catalogue::find("single-pendulum").unwrap().scene().unwrap()
}

/// Protects the picture of `driftlab compare`: errors over time, one curve per scheme.
#[test]
fn the_error_plot_looks_as_it_did() {
    let scene = pendulum();
    let methods = ["none", "baumgarte_velocity"].map(|key| Method::by_key(key).unwrap());
    let curves = compare(&scene, &methods, 12, |_| ControlFlow::Continue(()));
    let chart = error_chart("Pendulum", &curves, &[]);
    golden("errors.svg", &svg(draw(&chart, Format::Svg, 1).unwrap()));
}

/// Protects maps: cells, colours, the bar and a boundary over two parameters, and a line over one.
#[test]
fn maps_look_as_they_did() {
    let axes = ["alpha=1:1000:log:4", "beta=0:6:lin:3"].map(|text| Values::parse(text).unwrap());
    let values = (0..12).map(|i| (i != 5).then_some(0.1 * f64::from(i))).collect();
    let boundary = ("β = log α".to_owned(), vec![(1.0, 0.0), (10.0, 1.0), (1000.0, 3.0)]);
    let (title, label, shading) = ("A map", "spectral radius ρ", Shading::Between(0.0, 1.2));
    let map = Map { title, axes: &axes, values, label, shading, curves: vec![boundary] };
    golden("map.svg", &svg(draw_map(&map, Format::Svg).unwrap()));
    let values = [1e-6, 1e-4, 1e-2, 1.0].map(Some).to_vec();
    let (shading, curves) = (Shading::Logarithmic, Vec::new());
    let line = Map { axes: &axes[..1], values, shading, curves, ..map };
    golden("map-of-one.svg", &svg(draw_map(&line, Format::Svg).unwrap()));
}

/// Protects the page of `driftlab converge`: six panels under a heading, one legend.
#[test]
fn the_page_of_orders_looks_as_it_did() {
    let scene = pendulum();
    let plan = Plan {
        methods: vec![Method::by_key("none").unwrap()],
        steps: TimeSteps::dividing(&[0.01, 0.005, 0.0025], 0.2).unwrap(),
        reference: Method::by_key("rattle").unwrap(),
        refined: 2,
    };
    // A second passes whenever the time is asked for.
    let time = Cell::new(0.0);
    let clock = || time.replace(time.get() + 1.0);
    let found = converge(&scene, plan, &clock, &mut || true).unwrap();
    golden("converge.svg", &svg(draw_converge(&found, Format::Svg).unwrap()));
}

/// The points of the only line with that colour, px.
fn line_of(svg: &str, color: &str) -> Vec<[f64; 2]> {
    let mut lines = svg.lines().filter(|line| line.starts_with("<polyline") && line.contains(color));
    let points = lines.next().unwrap().split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    points
        .split_whitespace()
        .map(|point| point.split_once(',').map(|(x, y)| [number(x), number(y)]).unwrap())
        .collect()
}

/// A larger value is drawn higher and a later one further right, and on axes of decades an error of order two rises twice as
/// steeply as one of order one: the slope counts decades per decade.
#[test]
fn orders_are_slopes() {
    let chart = Chart { levels: Vec::new(), ..orders() };
    let of_order = |order: i32| {
        let curve = Curve::line(0, String::new(), [1e-3, 1e-2].map(|h: f64| [h, h.powi(order)]));
        let decades = Ends::At([-6.0, -2.0]);
        let (x, y) = (chart.x.clone().ending(Ends::At([-3.0, -2.0])), chart.y.clone().ending(decades));
        let chart = Chart { x, y, curves: vec![curve], ..chart.clone() };
        let line = line_of(&svg(draw(&chart, Format::Svg, 8).unwrap()), "#0072B2");
        let ([left, low], [right, high]) = (line[0], line[line.len() - 1]);
        assert!(left < right && low > high, "{line:?}");
        low - high
    };
    let (first, second) = (of_order(1), of_order(2));
    assert!((second / first - 2.0).abs() < 1e-3, "{first} {second}");
}

/// A picture that differs is refused: a point that is shifted, a curve that is turned upside down, another word, a curve that
/// is gone; one that is a rounded pixel off is not.
#[test]
fn a_changed_picture_is_told() {
    let of = |chart: &Chart| svg(draw(chart, Format::Svg, 1).unwrap());
    let (chart, expected) = (orders(), of(&orders()));
    assert_eq!(difference(&expected, &of(&chart)), None);
    let changed = |change: &dyn Fn(&mut Chart)| {
        let mut other = chart.clone();
        change(&mut other);
        difference(&expected, &of(&other)).is_some()
    };
    assert!(changed(&|chart| chart.curves[1].parts[0][1][1] *= 1.05), "a point 5 % higher");
    assert!(changed(&|chart| chart.curves[3].parts[0]
        .iter_mut()
        .for_each(|point| point[1] = 1.0 / point[1])));
    assert!(changed(&|chart| chart.y.label = "error / mm".to_owned()));
    assert!(changed(&|chart| drop(chart.curves.pop())));
    assert!(!changed(&|chart| chart.curves[1].parts[0][1][1] *= 1.0 + 1e-3), "a tenth of a pixel");
}

/// Numbers along an axis tell its ticks apart and are exact: multiples of 1, 2 or 5 times a power of ten, with a minus sign as
/// wide as a digit, in as many digits as the distance of the ticks needs, and powers of ten along decades.
#[test]
fn ticks_are_round_and_told_apart() {
    let texts = |axis: &Axis, ends: [f64; 2]| -> Vec<String> {
        let ticks = axis.ticks(ends, (ends[1] - ends[0]) / 5.0);
        ticks.into_iter().map(|tick| axis.text(tick, ends)).collect()
    };
    let (linear, decades) = (Axis::linear(""), Axis::logarithmic(""));
    assert_eq!(texts(&linear, [-0.5, 0.5]), ["−0.4", "−0.2", "0", "0.2", "0.4"]);
    let near = texts(&linear, [1234.5669, 1234.5677]);
    assert_eq!(near, ["1234.567", "1234.5672", "1234.5674", "1234.5676"]);
    let close = [0.0, 0.05, 0.1, 0.15].map(|tick| linear.text(tick, [0.0, 0.525]));
    assert_eq!(close, ["0", "0.05", "0.1", "0.15"]);
    assert_eq!(texts(&linear, [0.0, 1e6]), ["0", "2·10⁵", "4·10⁵", "6·10⁵", "8·10⁵", "10⁶"]);
    assert_eq!(texts(&Axis::linear("").whole(), [0.0, 2.3]), ["0", "1", "2"]);
    assert_eq!(texts(&decades, [-3.0, 0.0]), ["10⁻³", "10⁻²", "10⁻¹", "10⁰"]);
    assert_eq!(texts(&decades, [-12.0, 0.0]), ["10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"]);
    // Less than a decade and a half has 1, 2 and 5.
    let narrow = Axis::logarithmic("").ending(Ends::Data);
    assert_eq!(texts(&narrow, [-4.0, -3.0]), ["10⁻⁴", "2·10⁻⁴", "5·10⁻⁴", "10⁻³"]);
    assert_eq!(texts(&narrow.plain(), [0.0, 1.0]), ["1", "2", "5", "10"]);
}

/// An axis of errors shows at least three decades, leaves out the zeros with which errors begin, and holds the largest; one of
/// other values holds all of them, and begins at zero where they do.
#[test]
fn axes_hold_their_values() {
    let errors = Axis::logarithmic("").ending(Ends::Errors);
    let values = (0..120).map(|i| if i == 0 { 0.0 } else { 1e-6 });
    let [low, high] = errors.range(values);
    assert!(low < -6.0 && high > -6.0 && high - low > 3.0, "{low} {high}");
    let linear = Axis::linear("");
    let [low, high] = linear.range([-1.0, f64::NAN, 3.0].into_iter());
    assert!((-1.5..-1.0).contains(&low) && high > 3.0, "{low} {high}");
    assert_eq!(linear.range([0.0, 2.0].into_iter())[0], 0.0);
    assert_eq!(Axis::logarithmic("").range([2e-5, 3e-3].into_iter()), [-5.0, -2.0]);
}
