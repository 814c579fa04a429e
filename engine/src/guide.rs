//! A guide to the schemes: what each solves, when to use it, and what it costs.
//!
//! # The problem
//!
//! A joint is an equation between positions, g(q) = 0. An engine advances velocities. It requires that with the
//! velocity after the step, v⁺, the joint does not open any further,
//!
//! ```text
//! ġ = J v⁺ + c = 0 ,      J = ∂g/∂q ,   c = ∂g/∂t
//! ```
//!
//! and finds the impulses λ of the joints from A λ + J v* + c = 0, where A = J M⁻¹ Jᵀ and v* is the velocity without λ.
//! Since J turns while the body moves, g is then not 0 but of order h² after each step, and these errors add up: the joint
//! *drifts*. All schemes below solve this problem and differ in how they correct g.
//!
//! ```
//! use driftlab::prelude::*;
//!
//! /// A bar of 1 m that falls from the horizontal about a hinge, for a second at h = 1 ms.
//! fn largest_error(scheme: &str) -> Result<f64, Box<dyn std::error::Error>> {
//!     let mut world = World::new(DVec2::new(0.0, -9.81));
//!     let wall = world.add_body(Body::fixed().build()?)?;
//!     let bar = Body::dynamic().at([0.5, 0.0]).shape(Shape::Box { size: DVec2::new(1.0, 0.1) });
//!     let bar = world.add_body(bar.build()?)?;
//!     world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]))?;
//!     let method = Method::by_key(scheme).ok_or("no such scheme")?;
//!     let mut workspace = Workspace::default();
//!     let mut largest = 0.0_f64;
//!     for _ in 0..1000 {
//!         largest = largest.max(step(&mut world, &method, 1e-3, &mut workspace)?.joint_error);
//!     }
//!     Ok(largest)
//! }
//!
//! assert!(largest_error("none")? > 1e-3); // millimetres
//! assert!(largest_error("anitescu_hart")? < 1e-4); // h² |v|², and no more with time
//! assert!(largest_error("post_stabilization")? < 1e-8); // of order h⁴
//! assert!(largest_error("rattle")? < 1e-12); // rounding
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Cost** is counted in solves of the step's problem. For joints alone, a solve is one sparse factorisation, linear in the
//! number of links of a chain or tree; with contacts, limits or motors it is a complementarity problem ([`crate::lcp`]), which
//! costs more. The numbers of solves below are those of the six-link chain of `examples/scheme_comparison.rs` at h = 1 ms.
//!
//! Parameters and their ranges are in the table ([`crate::schemes::TABLE`]), derivations and departures from the sources at the
//! top of each scheme's file.
//!
//! # Which scheme to use
//!
//! | wanted | scheme |
//! |---|---|
//! | accurate motion and energy over long times, smooth mechanisms | `rattle` |
//! | a robust default with contacts, stacks, friction | `anitescu_hart` or `implicit` |
//! | no visible constraint error, at any cost in energy | `projection` |
//! | the same at a fixed computing cost | `post_stabilization` |
//! | a scheme for programs that compute forces and accelerations (Runge–Kutta) | `baumgarte_acceleration` |
//! | the behaviour of a game engine | `ngs`, `split_impulse`, `soft`, `xpbd` |
//! | the drift itself, to see or to measure | `none` |
//!
//! # The schemes with an exact solver
//!
//! ## `none`
//!
//! ```text
//! J v⁺ + c = 0
//! ```
//!
//! g is not corrected. The largest error of a motion is of first order in h, and the error is never reduced. Use it to
//! measure drift, or where the time step is so small and the run so short that drift does not matter. *One solve.*
//!
//! ## `baumgarte_velocity`
//!
//! ```text
//! J v⁺ + c + α g = 0
//! ```
//!
//! The velocity is steered against the error, which is multiplied by 1 − αh in each step: αh = 1 removes it entirely,
//! αh > 2 makes it grow. The correction becomes part of the real velocity and changes the energy. Use it where an existing
//! velocity-level engine is to be stabilised by one additional term. *One solve.*
//!
//! ## `baumgarte_acceleration`
//!
//! ```text
//! g̈ + 2α ġ + β² g = 0
//! ```
//!
//! The error becomes a damped oscillator, driven by forces. With semi-implicit Euler it is stable if αh ≤ 1 and
//! (βh)² + 4αh ≤ 4; α and β are a compromise between drift and stiffness that depends on the mechanism. Use it with
//! acceleration-level integrators, such as Runge–Kutta. *One solve, four with Runge–Kutta.*
//!
//! ## `post_stabilization`
//!
//! ```text
//! M dp = Jᵀλ ,  g + J dp = 0
//! ```
//!
//! The step is made without correction; then the bodies are moved back onto the joints, linearised at the pose that they have
//! reached, without changing a velocity. At the acceleration level, where nothing else holds J v + c = 0, the velocities are
//! projected, too. The remaining error is of order h⁴, and h⁸ after two corrections. The shift changes the potential energy, so
//! that energy drifts. Use it where the error has to be small at a fixed cost. *Two solves, three at the acceleration level; one
//! more for each further correction.*
//!
//! ## `anitescu_hart`
//!
//! ```text
//! J v⁺ + c + γ g/h = 0
//! ```
//!
//! Linearises g(q⁺) = 0 at the start of the step, in the same solve as the dynamics, with contacts and friction in one
//! problem. The error stays below C |v|² h² and is 0 at rest. It damps slightly. Use it for piles,
//! stacks and anything with contacts. *One solve.*
//!
//! ## `implicit`
//!
//! ```text
//! A λ + g/h² + (J v + c)/h + J M⁻¹F = 0
//! ```
//!
//! The linearisation of `anitescu_hart`, written in forces: for joints it equals `anitescu_hart` with γ = 1 to rounding. It
//! differs for non-holonomic constraints, whose rows turn within the step. It has no parameter and is stable for every h. *One
//! solve.*
//!
//! ## `projection`
//!
//! ```text
//! g(q⁺) = 0 ,  J(q⁺) v⁺ + c = 0
//! ```
//!
//! Newton's method puts the pose onto the constraints after every step, and the velocity onto their tangent. The remaining
//! error is rounding; energy is lost or gained at first order in h. Joints that contradict each other are reported as an
//! error. Use it where the constraints have to hold exactly and the energy need not. *Four solves: the dynamics, Newton's
//! method, the velocity.*
//!
//! ## `rattle`
//!
//! ```text
//! g(q + h v½) = 0 ,  J(q⁺) v⁺ + c = 0
//! ```
//!
//! The two conditions of `projection`, as part of a symmetric, symplectic step: second order, with an energy error
//! that stays bounded instead of growing. Impacts and sliding friction lower the order to one. Use it for mechanisms,
//! pendulums, chains and long runs. *Six or seven solves.*
//!
//! # The schemes of today's engines
//!
//! These are defined by their Gauss–Seidel sweeps: one constraint after another gets the impulse that satisfies it alone. A sweep
//! costs a fraction of a solve, but the accuracy after a fixed number of sweeps depends on the world: long chains and heavy
//! bodies on light ones converge slowly. The method's solver is not used. They are included for comparison.
//!
//! ## `ngs`
//!
//! ```text
//! k_v sweeps of J v⁺ = 0 ,  k_p sweeps of q ← q − M⁻¹Jᵀ K⁻¹ g
//! ```
//!
//! Post-stabilization by sweeps, as in Box2D 2.4.1: velocities first, the two normal impulses of a contact at once, then
//! positions, each constraint evaluated at the pose that the previous constraint left, until the errors are within the
//! slops. *8 sweeps, and at most 3.*
//!
//! ## `split_impulse`
//!
//! ```text
//! J v⁺ + β g/h = 0 ,  J u + β g/h = 0 ,  q⁺ = q + h (v⁺ + u)
//! ```
//!
//! Deep overlaps are corrected by a second velocity u that moves the bodies and is then discarded, joints and shallow
//! overlaps in the velocity, as in Bullet. *10 + 10 sweeps.*
//!
//! ## `soft`
//!
//! ```text
//! Δλ = −s_m K⁻¹(J v + r g) − s_i λ ,  then once more with g = 0
//! ```
//!
//! Short substeps with stiff damped springs in place of joints and contacts, each with a frequency of its own, as in Box2D
//! 3.2.0; a second sweep removes the correction from the velocity, and has the friction. The springs yield under load. *4
//! substeps of two sweeps.*
//!
//! ## `xpbd`
//!
//! ```text
//! Δλ = −(K + α̃)⁻¹(g + α̃ λ) ,  q ← q + M⁻¹JᵀΔλ ,  v⁺ = (q⁺ − q)/η
//! ```
//!
//! Moves the bodies onto one constraint after another and takes the velocity from the change in position over the substep
//! η. It damps, and contacts creep inside the friction cone. *10 substeps of one sweep.*
//!
//! # Changing the scheme
//!
//! A scheme is a value that the world does not store: any scheme can follow any other between two steps.
//!
//! ```
//! use driftlab::prelude::*;
//! use driftlab::schemes::TABLE;
//!
//! # let mut world = World::new(DVec2::new(0.0, -9.81));
//! # let wall = world.add_body(Body::fixed().build()?)?;
//! # let bar = Body::dynamic().at([0.5, 0.0]).shape(Shape::Box { size: DVec2::new(1.0, 0.1) });
//! # let bar = world.add_body(bar.build()?)?;
//! # world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]))?;
//! let mut workspace = Workspace::default();
//! for scheme in TABLE {
//!     let method = Method::new((*scheme).into());
//!     let report = step(&mut world, &method, 1e-3, &mut workspace)?;
//!     println!("{:24} {:.3e} m", scheme.info().key, report.joint_error);
//! }
//! // Parameters by name, within the range of the table.
//! let softer = Method::by_key("anitescu_hart").ok_or("no such scheme")?.with("gamma", 0.2)?;
//! step(&mut world, &softer, 1e-3, &mut workspace)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
