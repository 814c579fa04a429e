use driftlab::workbench::runs::clock::Clock;

/// Makes the steps that are due after each of `frames` (s) and counts them.
fn steps(frames: impl Iterator<Item = f64>, h: f64) -> usize {
    let mut clock = Clock::default();
    let mut steps = 0;
    for frame in frames {
        clock.add(frame);
        while clock.take(h) {
            steps += 1;
        }
    }
    steps
}

/// The number of fixed steps does not depend on the frame rate: ten seconds are 10/h steps.
#[test]
fn the_number_of_steps_does_not_depend_on_the_frames() {
    for h in [1e-3_f64, 0.004, 1.0 / 240.0, 1.0 / 60.0] {
        let due = (10.0 / h).round() as usize;
        for rate in [24_u32, 30, 60, 144, 1000] {
            let even = std::iter::repeat_n(1.0 / f64::from(rate), 10 * rate as usize);
            assert_eq!(steps(even, h), due, "h = {h}, {rate} frames per second");
        }
        let uneven = (0..1000).map(|i| if i % 2 == 0 { 0.003 } else { 0.017 });
        assert_eq!(steps(uneven, h), due, "h = {h}, uneven frames");
    }
}

/// Simulated time that was given up because the machine is too slow is not made up later.
#[test]
fn forgiven_time_is_not_made_up() {
    let mut clock = Clock::default();
    clock.add(5.0);
    assert!(clock.take(0.01));
    clock.forgive(0.01);
    assert!(!clock.take(0.01));
    clock.add(0.01);
    assert!(clock.take(0.01));
    assert!(!clock.take(0.01));
}
