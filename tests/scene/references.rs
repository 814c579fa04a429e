//! What is wrong with references to published figures is named with its JSON path.

use super::errors::rejects_edit;
use serde_json::{Value, json};

#[test]
fn published_figures_are_checked() {
    // Protects the verdicts: a reference that is ambiguous or names something that does not exist is refused.
    let reference = |more: Value| {
        let mut whole = json!({ "label": "a", "quantity": "joint_error" });
        whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        move |scene: &mut Value| scene["reference"] = json!([whole])
    };
    rejects_edit(
        reference(json!({ "about": 1, "at_most": 2 })),
        "reference[0]: expected exactly one of 'at_most', 'at_least' and 'about'",
    );
    rejects_edit(
        reference(json!({ "at_most": 2, "within": 0.1 })),
        "reference[0]: 'within' is the tolerance of 'about' (expected 'about', or no 'within')",
    );
    rejects_edit(
        reference(json!({ "about": 2, "from": 1.5, "to": 0.5 })),
        "reference[0].to: expected at least 'from', 1.5 s, found 0.5 s",
    );
    rejects_edit(
        reference(json!({ "about": 2, "within": 0 })),
        "reference[0].within: expected a number greater than 0, found 0",
    );
    rejects_edit(
        reference(json!({ "about": 2, "contact_tolerance": -1 })),
        "reference[0].contact_tolerance: expected a number, 0 or more, found -1",
    );
    rejects_edit(
        |scene: &mut Value| {
            scene["reference"] = json!([{ "label": "a", "quantity": "body_height", "about": 1 }]);
        },
        "reference[0].body: this key is missing (expected the name of the body that it is of)",
    );
    rejects_edit(
        reference(json!({ "about": 2, "ratio_to": "implicit,alpha=1" })),
        "reference[0].ratio_to: unknown parameter 'alpha' (expected no parameters)",
    );
}
