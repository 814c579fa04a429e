//! What is measured of a run, by the name that it has in the reference.

use super::recording::{Moment, Recording};
use driftlab_engine::internal::largest;
use glam::{DVec2, DVec3};

/// m/s in mm/s.
const MILLIMETRES: f64 = 1e3;

/// The quantity of that name; none if nothing is called so.
pub(super) fn measured(quantity: &str, run: &Recording) -> Option<f64> {
    let first = run.first();
    let moved = |moment: &Moment, size: fn(DVec2) -> f64| {
        let pairs = moment.poses.iter().zip(&first.poses);
        largest(pairs.map(|(now, then)| size((*now - *then).truncate())))
    };
    let end = run.moments.last().unwrap_or(first);
    let lost = |time: f64| {
        (first.energy - run.at(time).energy) / largest(run.moments.iter().map(|moment| moment.kinetic))
    };
    let slid = |from: f64, to: f64| (run.at(to).poses[1] - run.at(from).poses[1]).truncate().length();
    let along = |body: usize, from: f64, to: f64| run.at(to).poses[body].x - run.at(from).poses[body].x;
    Some(match quantity {
        "sag of box at 10 s" => 0.5 - run.at(10.0).poses[1].y,
        "top circle below 9.5 m at 10 s" => 9.5 - run.at(10.0).last().y,
        "top box height below 14.5 m at 10 s" => 14.5 - run.at(10.0).last().y,
        "largest |x| displacement at 10 s" => moved(run.at(10.0), |way| way.x),
        "largest speed 9-10 s" => largest(run.during(9.0, 10.0).map(speed)),
        "apex sink at 10 s" => first.last().y - run.at(10.0).last().y,
        "largest displacement at 1 s" => moved(run.at(1.0), DVec2::length),
        "largest displacement at 10 s" => moved(run.at(10.0), DVec2::length),
        "left creep speed 20-60 s" => along(1, 20.0, 60.0) / 40.0 * MILLIMETRES,
        "right creep speed 20-60 s" => along(2, 20.0, 60.0) / 40.0 * MILLIMETRES,
        "left displacement at 60 s" => along(1, 0.0, 60.0),
        "heavy height at 60 s less 11 m" => run.at(60.0).last().y - 11.0,
        "light sink at 60 s (0.5 - y)" => 0.5 - 0.5 * (run.at(60.0).poses[1].y + run.at(60.0).poses[2].y),
        "time when top is 0.1 m lower" => {
            let low = |moment: &&Moment| moment.top() < first.top() - 0.1;
            run.moments.iter().find(low).map_or(f64::INFINITY, |moment| moment.time)
        }
        "angle of the first body at 3 s" => run.at(3.0).poses[1].z - first.poses[1].z,
        "speed of the last body at 6 s" => {
            run.at(6.0).velocities.last().copied().unwrap_or_default().length()
        }
        "slide at 10 s" => slid(0.0, 10.0),
        "creep speed 5-10 s" => slid(5.0, 10.0) / 5.0 * MILLIMETRES,
        "rebound 1 height" => rebound(run, 1),
        "rebound 2 height" => rebound(run, 2),
        "rebound 3 height" => rebound(run, 3),
        "rebound 4 height" => rebound(run, 4),
        "energy lost at 10 s / largest kinetic energy" => lost(10.0),
        "energy lost at 60 s / largest kinetic energy" => lost(60.0),
        "largest joint error" => largest(run.steps().iter().map(Moment::joint)),
        "largest joint error at end" => end.joint(),
        "joint error at 1 s" => run.at(1.0).joint(),
        "joint error at 5 s" => run.at(5.0).joint(),
        "height of the last body at 1 s" => run.at(1.0).last().y,
        "height of the last body at 5 s" => run.at(5.0).last().y,
        "rms of largest joint error" => {
            let squares: f64 = run.steps().iter().map(|moment| moment.joint().powi(2)).sum();
            (squares / run.steps().len() as f64).sqrt()
        }
        "overlap after 1 step" => overlap(&run.moments[1]),
        "overlap after 0.1 s" => overlap(run.at(0.1)),
        "separation speed at 5 s" => {
            let velocities = &run.at(5.0).velocities;
            (velocities[1] - velocities[0]).x.abs()
        }
        "apex height at 10 s" => run.at(10.0).last().y,
        "largest speed of positions" => {
            let pairs = run.moments.windows(2).flat_map(|pair| {
                let ways = pair[1].poses.iter().zip(&pair[0].poses);
                let h = pair[1].time - pair[0].time;
                ways.map(move |(now, then): (&DVec3, &DVec3)| (*now - *then).truncate().length() / h)
            });
            largest(pairs)
        }
        _ => return None,
    })
}

/// The largest speed of a body, m/s.
fn speed(moment: &Moment) -> f64 {
    largest(moment.velocities.iter().map(|velocity| velocity.length()))
}

/// How far the boxes of 1 m overlap along x, m.
fn overlap(moment: &Moment) -> f64 {
    1.0 - (moment.poses[1] - moment.poses[0]).x.abs()
}

/// The height above its rest of a body's so manieth apex after its first impact, m; 0 if there are not so many.
fn rebound(run: &Recording, number: usize) -> f64 {
    let height = |moment: &Moment| moment.poses[1].y - 0.5;
    let apex = |three: &&[Moment]| {
        let [a, b, c] = [0, 1, 2].map(|i| height(&three[i]));
        b > a && b >= c
    };
    run.moments.windows(3).filter(apex).nth(number - 1).map_or(0.0, |three| height(&three[1]))
}
