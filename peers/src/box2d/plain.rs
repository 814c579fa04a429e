//! Box2D's values as plain ones.

use boxdd_sys::ffi as b2;

use super::told::{Contact, ContactPoint, Key};

/// A contact as plain values.
pub fn told_contact(contact: &b2::b2ContactData, bodies: [Key; 2]) -> Contact {
    let manifold = &contact.manifold;
    let count = usize::try_from(manifold.pointCount).unwrap_or(0);
    let points = manifold.points.iter().take(count).map(|point| ContactPoint {
        feature: point.id,
        arms: [pair(point.anchorA), pair(point.anchorB)],
        separation: point.separation.into(),
        total_normal: point.totalNormalImpulse.into(),
        tangent: point.tangentImpulse.into(),
    });
    Contact {
        id: (contact.contactId.index1, contact.contactId.generation),
        bodies,
        normal: pair(manifold.normal),
        rolling: manifold.rollingImpulse.into(),
        points: points.collect(),
    }
}

/// What names a body in every world of one snapshot.
pub fn body_key(id: b2::b2BodyId) -> Key {
    Key { index: id.index1, generation: id.generation }
}

/// A vector in double precision.
pub fn pair(v: b2::b2Vec2) -> [f64; 2] {
    [f64::from(v.x), f64::from(v.y)]
}

/// A vector of Box2D's.
pub fn vec2([x, y]: [f32; 2]) -> b2::b2Vec2 {
    b2::b2Vec2 { x, y }
}

/// An angle in (−π, π], rad.
pub fn angle(q: b2::b2Rot) -> f64 {
    f64::from(q.s).atan2(f64::from(q.c))
}
