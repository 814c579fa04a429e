//! Recorders: the error curve and the trace of a run as CSV, to any writer.
//!
//! Numbers print in the shortest way that reads back to the same f64. One that is not finite, behind a blow-up, is an empty cell.

use crate::model::World;
use crate::numbers::shortest;
use crate::report::StepReport;
use crate::scene::shown;
use std::borrow::Cow;
use std::io::Write;

/// Columns of the error curve, in order.
const CURVE: [&str; 42] = [
    "step",
    "time",
    "joint_error",
    "contact_error",
    "joint_error_before",
    "contact_error_before",
    "velocity_error",
    "kinetic_energy",
    "potential_energy",
    "correction_work",
    "bodies",
    "contacts",
    "rows",
    "solver_iterations",
    "residual",
    "step_us",
    "nonholonomic_error",
    "joint_error_m",
    "joint_error_rad",
    "joint_error_m2",
    "limit_error_m",
    "limit_error_rad",
    "substeps",
    "infeasible",
    "solver",
    "trail",
    "relative_residual",
    "damped_corrections",
    "correction_left",
    "fastest_rate",
    "approximate",
    "approximate_residual",
    "applied_work",
    "gravity_work",
    "spring_work",
    "motor_work",
    "driver_work",
    "hand_work",
    "friction_work",
    "impact_work",
    "method_work",
    "drag_work",
];

/// Columns of the trace, in order.
const TRACE: [&str; 9] = ["step", "time", "body", "x", "y", "angle", "vx", "vy", "omega"];

/// Writes a row per step: time, errors, energies, figures of the solver.
pub struct CsvRecorder<W: Write> {
    writer: csv::Writer<W>,
    label: Option<&'static str>,
}

impl<W: Write> CsvRecorder<W> {
    /// A recorder of one run; writes the header.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(writer: W) -> csv::Result<Self> {
        let mut writer = unquoted(writer);
        writer.write_record(CURVE)?;
        Ok(Self { writer, label: None })
    }

    /// A recorder of several runs after each other, told apart by a first column of the given name.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn labelled(writer: W, column: &'static str) -> csv::Result<Self> {
        let mut writer = unquoted(writer);
        writer.write_record(std::iter::once(column).chain(CURVE))?;
        Ok(Self { writer, label: Some("") })
    }

    /// Writes the row of one step; `step_us` is its computing time, µs, if it was measured.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add(&mut self, report: &StepReport, step_us: Option<f64>) -> csv::Result<()> {
        self.add_labelled(self.label.unwrap_or_default(), report, step_us)
    }

    /// Writes the row of one step with the label of its run.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add_labelled(
        &mut self,
        label: &str,
        report: &StepReport,
        step_us: Option<f64>,
    ) -> csv::Result<()> {
        if self.label.is_some() {
            self.writer.write_field(quoted(label).as_ref())?;
        }
        let optional = |value: Option<f64>| value.map_or_else(String::new, shortest);
        let row: [String; CURVE.len()] = [
            report.step.to_string(),
            shortest(report.time),
            shortest(report.joint_error),
            shortest(report.contact_error),
            optional(report.joint_error_before),
            optional(report.contact_error_before),
            shortest(report.velocity_error),
            shortest(report.kinetic_energy),
            shortest(report.potential_energy),
            shortest(report.correction_work),
            report.bodies.to_string(),
            report.contacts.to_string(),
            report.rows.to_string(),
            report.solver_iterations.to_string(),
            shortest(report.residual),
            optional(step_us),
            shortest(report.nonholonomic_error),
            shortest(report.joint_errors.metre),
            shortest(report.joint_errors.radian),
            shortest(report.joint_errors.square_metre),
            shortest(report.limit_errors.metre),
            shortest(report.limit_errors.radian),
            report.substeps.to_string(),
            report.infeasible.to_string(),
            report.solver.to_owned(),
            report.trail.brief(),
            optional(report.relative_residual),
            report.damped_corrections.to_string(),
            optional(report.correction_left),
            shortest(report.fastest_rate),
            report.approximate.to_string(),
            optional(report.approximate_residual),
            shortest(report.applied_work),
            shortest(report.work.gravity),
            shortest(report.work.springs),
            shortest(report.work.motors),
            shortest(report.work.drivers),
            shortest(report.work.hand),
            shortest(report.work.friction),
            shortest(report.work.impacts),
            shortest(report.work.method),
            shortest(report.work.drag),
        ];
        self.writer.write_record(&row)
    }

    /// Writes a line that begins with `#`, which readers of tables skip, whatever the text has in it.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn comment(&mut self, text: impl std::fmt::Display) -> csv::Result<()> {
        self.writer.write_record([shown(&format!("# {text}")).as_ref()])
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }

    /// The underlying writer, everything written.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn into_inner(self) -> std::io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// A writer that takes fields as they are: numbers, keys, and labels that are [`quoted`] where they need it. A comment
/// is a record of one field.
fn unquoted<W: Write>(writer: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().flexible(true).quote_style(csv::QuoteStyle::Never).from_writer(writer)
}

/// A label as a field.
fn quoted(label: &str) -> Cow<'_, str> {
    if label.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", label.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(label)
    }
}

/// Writes a row per step and body: pose of the origin, velocity of the centre of mass.
pub struct TraceRecorder<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> TraceRecorder<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(writer: W) -> csv::Result<Self> {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(writer);
        writer.write_record(TRACE)?;
        Ok(Self { writer })
    }

    /// Writes a comment, a line that begins with #; what would have to be quoted becomes a semicolon.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn comment(&mut self, text: impl std::fmt::Display) -> csv::Result<()> {
        let text = format!("# {text}").replace([',', '"', '\n', '\r'], ";");
        self.writer.write_record([shown(&text).as_ref()])
    }

    /// Writes the rows of the world as it is now.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add(&mut self, world: &World) -> csv::Result<()> {
        let (step, time) = (world.steps().to_string(), shortest(world.time()));
        for (index, body) in world.bodies().iter().enumerate() {
            let (origin, velocity) = (body.origin(), world.velocity_of(index));
            let numbers = [origin.x, origin.y, body.pose.angle, velocity.x, velocity.y, velocity.z];
            self.writer.write_field(&step)?;
            self.writer.write_field(&time)?;
            self.writer.write_field(&body.name)?;
            self.writer.write_record(numbers.map(shortest))?;
        }
        Ok(())
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }

    /// The underlying writer, everything written.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn into_inner(self) -> std::io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
