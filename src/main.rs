//! The program: arguments to the command line or to the window, and the exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    driftlab::cli::main()
}
