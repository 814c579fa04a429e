//! M (v⁺ − v) − Σ p of each body and step: what is rounding, and what is not.

use driftlab_probe::format::Impulse;

use crate::Run;

/// The largest remainders of a run, divided by the sum of the sizes of what acted and of the body's own momentum.
#[derive(Debug, Default)]
struct Left {
    linear: f64,
    angular: f64,
}

fn left(run: &Run, among: impl Fn(usize, usize) -> bool) -> Left {
    let mut worst = Left::default();
    let number = |body: usize, key: &str| run.bodies[body][key].as_f64().unwrap_or(0.0);
    let start = |body: usize| {
        let velocity = &run.bodies[body]["velocity"];
        [
            velocity[0].as_f64().unwrap_or(0.0),
            velocity[1].as_f64().unwrap_or(0.0),
            number(body, "angular_velocity"),
        ]
    };
    let place = |body: usize| {
        let position = crate::pair(&run.bodies[body]["position"]);
        [position[0], position[1], number(body, "angle")]
    };
    for (place_of, step) in run.steps.iter().enumerate() {
        let before = place_of.checked_sub(1).map(|before| &run.steps[before]);
        let q = |body: usize| before.and_then(|step| *step.q.get(body)?).unwrap_or_else(|| place(body));
        let v = |body: usize| {
            before.and_then(|step| *step.v.as_ref()?.get(body)?).unwrap_or_else(|| start(body))
        };
        let mut sums = vec![([0.0; 3], [0.0; 2]); step.q.len()];
        let mut add = |Impulse(body, x, y, moment): Impulse| {
            let (sum, size) = &mut sums[body];
            *sum = [sum[0] + x, sum[1] + y, sum[2] + moment];
            *size = [size[0] + x.hypot(y), size[1] + moment.abs()];
        };
        let acted = step.acted.iter().flatten().flat_map(|acted| &acted.on);
        step.external.iter().flatten().chain(&step.hand).chain(acted).for_each(|impulse| add(*impulse));
        for contact in step.contacts.iter().flatten() {
            let ([nx, ny], [normal, tangent, moment]) = (contact.normal, contact.impulse.unwrap());
            let p = [normal * nx + tangent * ny, normal * ny - tangent * nx];
            let points = [contact.point_a.unwrap_or(contact.point), contact.point];
            for ((body, sign), point) in contact.bodies.into_iter().zip([-1.0, 1.0]).zip(points) {
                // The origin is the centre of mass in all samples.
                let r = [point[0] - q(body)[0], point[1] - q(body)[1]];
                add(Impulse(body, sign * p[0], sign * p[1], sign * (r[0] * p[1] - r[1] * p[0] + moment)));
            }
        }
        for (body, (sum, size)) in sums.into_iter().enumerate() {
            if !run.is_dynamic(body) || step.q[body].is_none() || !among(place_of, body) {
                continue;
            }
            let (was, is) = (v(body), step.v.as_ref().unwrap()[body].unwrap());
            let (mass, inertia) = (number(body, "mass"), number(body, "inertia"));
            let over = [0, 1].map(|axis| mass * (is[axis] - was[axis]) - sum[axis]);
            let moment = inertia * (is[2] - was[2]) - sum[2];
            worst.linear = worst.linear.max(over[0].hypot(over[1]) / (mass * is[0].hypot(is[1]) + size[0]));
            worst.angular =
                worst.angular.max(moment.abs() / (inertia * is[2].abs() + size[1] + 0.01 * size[0]));
        }
    }
    worst
}

/// Hinges, their limits and motors, contacts with friction and rebound, pushes and pulls, bodies that come and go: the momentum
/// of each body is the sum of what is told, to the rounding of single precision. Each of some twenty additions of a step rounds
/// by 6·10⁻⁸.
#[test]
fn momentum_closes_to_rounding() {
    for sample in ["chain", "stack", "motor", "comings", "bouncing", "pushed"] {
        let left = left(&Run::of(sample), |_, _| true);
        println!("{sample}: {left:?}");
        assert!(left.linear < 1e-6, "{sample}: {left:?}");
    }
}

/// Moments of contacts close: those that are kept push their two bodies at a point of each.
#[test]
fn moments_of_contacts_close_to_rounding() {
    for sample in ["bouncing", "stack", "pushed"] {
        let left = left(&Run::of(sample), |_, _| true);
        assert!(left.angular < 1e-6, "{sample}: {left:?}");
    }
}

/// What does not close, as the documentation of the converter says: moments of joints, and directions of sliders, wheels and
/// distances, by the part of a joint's impulse that acts at the end of a substep.
#[test]
fn what_does_not_close_is_small() {
    for (sample, linear, angular) in [("chain", 1e-6, 0.02), ("motor", 1e-6, 0.02), ("joints", 0.06, 0.3)] {
        let left = left(&Run::of(sample), |_, _| true);
        println!("{sample}: {left:?}");
        assert!(left.linear < linear && left.angular < angular, "{sample}: {left:?}");
        assert!(left.angular > 1e-5, "{sample} closes: say so in the documentation");
    }
    let run = Run::of("joints");
    for (kind, bodies) in [
        ("hinge", 1..3),
        ("slider", 3..5),
        ("wheel", 5..7),
        ("distance", 7..9),
        ("weld", 9..11),
        ("motor", 11..13),
    ] {
        println!("{kind}: {:?}", left(&run, |_, body| bodies.contains(&body)));
    }
    // Hinges (bodies 1, 2), welds (9, 10) and motor joints, told as hands (11, 12), among the joints of all kinds.
    let rigid = left(&Run::of("joints"), |_, body| matches!(body, 1 | 2 | 9..=12));
    assert!(rigid.linear < 1e-6, "{rigid:?}");
}

/// A stack that falls asleep loses what velocity it had, without an impulse; before and behind that step momentum closes.
#[test]
fn sleep_takes_velocity() {
    let run = Run::of("sleeping");
    let speeds = |step: usize| run.steps[step].v.as_ref().unwrap()[1].unwrap();
    let asleep = (1..120).find(|step| speeds(*step) == [0.0; 3] && speeds(step - 1) != [0.0; 3]).unwrap();
    let others = left(&run, |step, _| step != asleep);
    let then = left(&run, |step, _| step == asleep);
    println!("asleep at step {asleep}: {then:?}; else {others:?}");
    assert!(others.linear < 1e-6 && then.linear > 1e-5, "{others:?} {then:?}");
    assert!(run.steps[asleep + 1].external.as_ref().unwrap().is_empty());
}
