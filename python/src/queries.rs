//! What is asked about the present state of a world, as arrays that cannot be written to.

use crate::columns::Words;
use crate::errors::{value, wrong};
use crate::scene::body_names;
use driftlab::detect::{self, Detector, Reach, Space};
use driftlab::glam::DVec2;
use driftlab::model::{BodyId, Joint, World};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array of rows of `columns` numbers.
pub fn table<'py>(py: Python<'py>, all: Vec<f64>, columns: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = all.len() / columns;
    let array = all.into_pyarray(py).reshape([rows, columns])?;
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// An array.
pub fn read_only<'py>(py: Python<'py>, all: Vec<f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let array = all.into_pyarray(py);
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// `of` the free coordinate of each joint and its rate; nan where it has none.
pub fn joint_coordinates(world: &World, of: fn([f64; 2]) -> f64) -> Vec<f64> {
    let own = |joint: &Joint| {
        let [a, b] = joint.bodies().map(|body| world.frame(body));
        let [va, vb] = joint.bodies().map(|body| world.velocity_of(body));
        let coordinate = joint.kind.coordinate(&a, &b);
        coordinate.map_or([f64::NAN; 2], |own| [own.g, own.ja.dot(va) + own.jb.dot(vb)])
    };
    world.joints().iter().map(own).map(of).collect()
}

/// Rows about pairs of bodies that touch, or nearly.
pub struct Pairs {
    bodies: [Words; 2],
    names: &'static [&'static str],
    numbers: Vec<f64>,
}

impl Pairs {
    fn new(world: &World, names: &'static [&'static str]) -> Self {
        let words = || Words { all: body_names(world), codes: Vec::new() };
        Self { bodies: [words(), words()], names, numbers: Vec::new() }
    }

    fn add<const N: usize>(&mut self, bodies: [usize; 2], numbers: [f64; N]) {
        self.bodies.iter_mut().zip(bodies).for_each(|(own, body)| own.codes.push(body as u32));
        self.numbers.extend(numbers);
    }

    /// As a structured array.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let dict = PyDict::new(py);
        let [a, b] = self.bodies;
        dict.set_item("body_a", a.into_python(py)?)?;
        dict.set_item("body_b", b.into_python(py)?)?;
        for (place, name) in self.names.iter().enumerate() {
            let column = self.numbers.iter().skip(place).step_by(self.names.len()).copied();
            dict.set_item(*name, column.collect::<Vec<_>>().into_pyarray(py))?;
        }
        let names: Vec<_> = ["body_a", "body_b"].iter().chain(self.names).copied().collect();
        py.import("driftlab._result")?.call_method1("structured", (dict, names))
    }
}

/// The contacts of the last step.
pub fn contacts(world: &World) -> Pairs {
    const NAMES: &[&str] =
        &["x", "y", "nx", "ny", "gap", "friction", "normal_impulse", "tangential_impulse"];
    let mut found = Pairs::new(world, NAMES);
    for own in world.contacts() {
        let [Some(a), Some(b)] = own.id.bodies.map(|id| world.index_of(id)) else { continue };
        let (DVec2 { x, y }, n, [normal, tangential]) = (own.point, own.normal, own.impulse);
        found.add([a, b], [x, y, n.x, n.y, own.gap, own.friction, normal, tangential]);
    }
    found
}

/// The gaps up to `within` m.
pub fn gaps(world: &World, within: f64) -> PyResult<Pairs> {
    const NAMES: &[&str] = &["x", "y", "nx", "ny", "gap"];
    if !(within.is_finite() && within >= 0.0) {
        return Err(wrong("within")(format!("expected a length in m, 0 or more, found {within}")));
    }
    let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
    let (mut detector, mut contacts, mut gaps) = (Detector::default(), Vec::new(), Vec::new());
    let reach = Reach { distance: within, travel: 0.0 };
    detector.detect_gaps(world, &frames, &reach, (&mut contacts, &mut gaps));
    if let Some(crowd) = detector.crowd() {
        return Err(wrong("within")(format!("{crowd} (expected a smaller one)")));
    }
    let mut found = Pairs::new(world, NAMES);
    for (contact, gap) in contacts.iter().zip(&gaps) {
        let (DVec2 { x, y }, n) = (gap.point, gap.normal);
        found.add(contact.bodies(), [x, y, n.x, n.y, gap.phi]);
    }
    Ok(found)
}

fn name(world: &World, id: BodyId) -> String {
    world.index_of(id).map_or_else(String::new, |index| body_names(world).swap_remove(index))
}

/// The dynamic body at a point.
pub fn pick(world: &World, point: [f64; 2], reach: f64) -> PyResult<Option<String>> {
    if !(point.iter().all(|own| own.is_finite()) && reach >= 0.0) {
        return Err(value(format!(
            "expected a finite point and a reach of 0 or more, found {point:?} and {reach}"
        )));
    }
    Ok(detect::pick(world, point, reach).map(|id| name(world, id)))
}

/// Body, distance, point, normal.
type Hit = (String, f64, (f64, f64), (f64, f64));

/// Body, point, distance.
type Near = (String, (f64, f64), f64);

/// What a ray meets first.
pub fn ray_cast(world: &World, start: [f64; 2], end: [f64; 2]) -> PyResult<Option<Hit>> {
    let hit = Space::of(world).ray_cast(start, end).map_err(value)?;
    Ok(hit.map(|hit| (name(world, hit.body), hit.distance, hit.point.into(), hit.normal.into())))
}

/// Body, point and distance of the nearest surface.
pub fn nearest(world: &World, point: [f64; 2]) -> PyResult<Option<Near>> {
    let nearest = Space::of(world).nearest(point).map_err(value)?;
    Ok(nearest.map(|own| (name(world, own.body), own.point.into(), own.distance)))
}

/// The bodies in a box.
pub fn bodies_in(world: &World, low: [f64; 2], high: [f64; 2]) -> PyResult<Vec<String>> {
    let found = Space::of(world).bodies_in(low, high).map_err(value)?;
    let names = body_names(world);
    Ok(found.into_iter().filter_map(|id| names.get(world.index_of(id)?).cloned()).collect())
}
