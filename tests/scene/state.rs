//! A state edited by hand must fit its scene.

use super::errors::{push, rejects_edit};
use super::{edited, problems};
use serde_json::{Value, json};

#[test]
fn saved_contacts_are_checked() {
    // Protects the solvers from a warm start with bodies or features that do not exist, or out of order.
    let contact = |key: &'static str, value: Value| {
        move |s: &mut Value| {
            let mut contact = json!({ "bodies": ["floor", "link"], "pieces": [0, 1], "features": [0, 7],
                "point": [0, 0], "normal": [0, 1], "gap": -1e-5, "friction": 0.3, "impulse": [1, 0.1] });
            contact[key] = value;
            s["state"] = json!({ "contacts": [contact] });
        }
    };
    assert_eq!(problems(&edited(contact("gap", json!(0)))), Vec::<String>::new());
    rejects_edit(
        contact("bodies", json!(["link", "floor"])),
        "state.contacts[0].bodies: expected two bodies in the order of the file",
    );
    rejects_edit(
        contact("bodies", json!(["floor", "lnik"])),
        "state.contacts[0].bodies[1]: no body is named 'lnik' (did you mean 'link'?)",
    );
    rejects_edit(
        contact("features", json!([0, 4_294_967_296_u64])),
        "state.contacts[0].features[1]: expected a whole number from 0 to 4294967295, found 4294967296",
    );
    rejects_edit(
        contact("impulse", json!([1])),
        "state.contacts[0].impulse: expected two numbers [x, y], found an array of 1",
    );
    rejects_edit(
        |s| {
            contact("gap", json!(0))(s);
            let mut second = s["state"]["contacts"][0].clone();
            second["pieces"] = json!([0, 0]);
            push(&mut s["state"], "contacts", second);
        },
        "state.contacts[1]: expected the contacts in the order of their bodies, pieces and features",
    );
}

#[test]
fn a_saved_repulsion_is_checked() {
    // Protects against a push with a reach of 0, which would divide by zero.
    rejects_edit(
        |s| s["state"] = json!({ "repulsion": { "center": [0, 0], "radius": 0, "strength": 1 } }),
        "state.repulsion.radius: expected a number greater than 0, found 0",
    );
}
