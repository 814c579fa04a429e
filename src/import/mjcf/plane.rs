//! The plane in which a model moves, and what solids look like in it.

use super::tree::{GeomNode, Tree};
use crate::model::{Placement, Shape};
use glam::{DMat3, DVec2, DVec3};

/// The sine of an angle below which two directions are the same.
const ALIKE: f64 = 1e-6;

/// An orthonormal frame: `normal` = `x` × `y` points to whoever looks at the plane, so that angles are counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub x: DVec3,
    pub y: DVec3,
    pub normal: DVec3,
}

impl Plane {
    /// The plane across the first hinge, else that of the slides, else that of gravity and the world's x; up is against gravity.
    pub fn of(tree: &Tree, gravity: DVec3) -> Self {
        let joints = || tree.bodies.iter().flat_map(|body| &body.joints);
        let hinge = joints().find(|joint| joint.kind == "hinge").map(|joint| joint.axis);
        let slides = || joints().filter(|joint| joint.kind == "slide").map(|joint| joint.axis);
        let across =
            |first: DVec3| slides().map(|axis| first.cross(axis)).find(|normal| normal.length() > ALIKE);
        let down = gravity.normalize_or(DVec3::NEG_Z);
        let slide = slides().next();
        let normal = hinge.or_else(|| across(slide?)).or_else(|| {
            let with_gravity = slide?.cross(down);
            (with_gravity.length() > ALIKE).then_some(with_gravity)
        });
        let normal = normal.unwrap_or(DVec3::Y).normalize_or(DVec3::Y);
        let within = |v: DVec3| v - normal * normal.dot(v);
        let up = [-down, DVec3::Z, DVec3::Y].into_iter().map(within).find(|v| v.length() > ALIKE);
        let y = up.unwrap_or(DVec3::Z).normalize_or(DVec3::Z);
        let x = y.cross(normal);
        // Seen from the side on which x points as the world's axes do.
        let largest = if x.x.abs() >= x.y.abs().max(x.z.abs()) { x.x } else { x.y + x.z };
        if largest < 0.0 { Self { x: -x, y, normal: -normal } } else { Self { x, y, normal } }
    }

    pub fn point(&self, v: DVec3) -> DVec2 {
        DVec2::new(v.dot(self.x), v.dot(self.y))
    }

    /// +1 or −1 for an axis along the normal or against it; none for any other.
    pub fn turns(&self, axis: DVec3) -> Option<f64> {
        (axis.cross(self.normal).length() <= ALIKE).then(|| axis.dot(self.normal).signum())
    }

    /// Whether a direction lies in the plane.
    pub fn holds(&self, axis: DVec3) -> bool {
        axis.dot(self.normal).abs() <= ALIKE
    }

    /// The inertia about the normal.
    pub fn about(&self, inertia: DMat3) -> f64 {
        self.normal.dot(inertia * self.normal)
    }

    /// What a geom looks like in the plane, in the plane's axes; or why it is nothing that a scene has.
    pub fn outline(&self, geom: &GeomNode) -> Result<Placement, String> {
        let axes = DMat3::from_quat(geom.rotation);
        let size =
            |index: usize| geom.size.get(index).copied().ok_or_else(|| "expected its size".to_owned());
        let along = |axis: DVec3| self.point(axis).to_angle();
        let at = |shape: Shape, angle: f64| {
            Ok(Placement { offset: self.point(geom.position), angle, ..Placement::centred(shape) })
        };
        // The solid's axis that is the normal, and the two that lie in the plane, right-handed.
        let flat = || {
            let cols = [axes.x_axis, axes.y_axis, axes.z_axis];
            let index = cols.iter().position(|axis| self.turns(*axis).is_some())?;
            Some((cols[(index + 1) % 3], [(index + 1) % 3, (index + 2) % 3]))
        };
        match geom.kind.as_str() {
            "sphere" => at(Shape::Circle { radius: size(0)? }, 0.0),
            "capsule" => {
                let shown = self.point(axes.z_axis);
                let (radius, length) = (size(0)?, 2.0 * size(1)? * shown.length());
                if shown.length() <= ALIKE {
                    at(Shape::Circle { radius }, 0.0)
                } else {
                    at(Shape::Capsule { length, radius }, shown.to_angle())
                }
            }
            "cylinder" if self.turns(axes.z_axis).is_some() => at(Shape::Circle { radius: size(0)? }, 0.0),
            "cylinder" if self.holds(axes.z_axis) => {
                at(Shape::Box { size: DVec2::new(2.0 * size(1)?, 2.0 * size(0)?) }, along(axes.z_axis))
            }
            "box" | "ellipsoid" => {
                let Some((first, [i, j])) = flat() else {
                    return Err("none of its axes is across the plane".to_owned());
                };
                let half = DVec2::new(size(i)?, size(j)?);
                let shape = if geom.kind == "box" {
                    Shape::Box { size: 2.0 * half }
                } else {
                    Shape::Ellipse { semi_axes: half }
                };
                at(shape, along(first))
            }
            "plane" if self.holds(axes.z_axis) => at(
                Shape::HalfPlane { normal: self.point(axes.z_axis).normalize_or(DVec2::Y), offset: 0.0 },
                0.0,
            ),
            "plane" => Err("it is not across the plane of motion".to_owned()),
            "cylinder" => Err("its axis is oblique to the plane".to_owned()),
            kind => Err(format!("a scene has no {kind}")),
        }
    }
}
