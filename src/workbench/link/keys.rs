//! What a link can say: one table for the reader of links, its messages and docs/WEB.md.

/// A key of a link.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it stands before `=`.
    pub key: &'static str,
    /// What stands behind it, with its unit.
    pub value: &'static str,
    /// What it sets.
    pub meaning: &'static str,
    /// An example, for the documentation and the tests.
    pub example: &'static str,
}

const fn key(key: &'static str, value: &'static str, meaning: &'static str, example: &'static str) -> Key {
    Key { key, value, meaning, example }
}

/// All keys but the parameters of the schemes, which a link names as scene files do.
pub static KEYS: [Key; 20] = [
    key(
        "scene",
        "key of a shipped scene",
        "the scene; the first one if the link names none",
        "scene=six-link-chain",
    ),
    key("file", "base64url", "a whole scene file, compressed by deflate, instead of `scene`", "file=…"),
    key(
        "stabilizer",
        "scheme",
        "the scheme, its parameters at their defaults; without it the scene's own",
        "stabilizer=none",
    ),
    key(
        "level",
        "`velocity` or `acceleration`",
        "the level at which constraints are posed",
        "level=acceleration",
    ),
    key(
        "integrator",
        "name",
        "the integrator of the acceleration level",
        "level=acceleration&integrator=rk4",
    ),
    key("solver", "solver[,key=value…]", "the solver of all runs", "solver=pgs,iterations=50"),
    key(
        "effort",
        "`exact` or `bounded`",
        "whether the solver `auto` bounds its work in large islands, in all runs; without it as the scene file says, else bounded",
        "effort=exact",
    ),
    key("h", "s", "time step", "h=0.002"),
    key(
        "beside",
        "scheme[,key=value…],…",
        "runs beside the main one, each with its parameters, and with `level`, `integrator` and `h` where they differ",
        "beside=none,post_stabilization,max_iterations=3,h=0.001",
    ),
    key("t", "s", "runs to this time and pauses there", "t=1.5"),
    key("play", "", "goes on playing at `t`", "t=1.5&play"),
    key("paused", "", "waits at the start", "paused"),
    key("speed", "simulated s per real s", "slow or fast motion", "speed=0.1"),
    key("panes", "", "each run in a pane of its own", "beside=none&panes"),
    key(
        "slider",
        "key of a parameter, or `h`",
        "the slider of an embedded window, which acts on the scene",
        "beside=baumgarte_velocity&slider=alpha",
    ),
    key(
        "window",
        "JSON",
        "all else that is shown, as the key `window` of a scene file says it: what is watched, plots, layers, the part of the plane",
        "window={\"watch\":{\"joint\":0,\"reading\":\"force\"},\"plot\":{\"tab\":\"watch\"}}",
    ),
    key(
        "exercise",
        "key of an exercise",
        "the exercise of the course that the run is of; without anything else the link opens that",
        "exercise=drift-in-time",
    ),
    key("by", "name", "who claims to have solved it", "by=Ada%20Lovelace"),
    key(
        "figures",
        "numbers",
        "the figures that are claimed, as the exercise lists them",
        "figures=0.0009,12",
    ),
    key(
        "digest",
        "base64url",
        "the digest over exercise, name, run and figures: `driftlab mark` computes it anew",
        "digest=AAAAAAAAAAAAAAAAAAAAAA",
    ),
];

/// The table as Markdown.
pub fn table() -> String {
    let mut text = "| key | value | meaning | example |\n|---|---|---|---|\n".to_owned();
    for Key { key, value, meaning, example } in &KEYS {
        text += &format!("| `{key}` | {value} | {meaning} | `{example}` |\n");
    }
    text + "| any parameter of a scheme | as in a scene file | that parameter of the main run's scheme | `alpha=50` |\n"
}
