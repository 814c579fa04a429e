//! The program: arguments to the command line or to the window, and the exit status. Without a command line, as in a
//! web page, the window alone.

use std::process::ExitCode;

#[cfg(feature = "app")]
fn main() -> ExitCode {
    driftlab::cli::main()
}

#[cfg(not(feature = "app"))]
fn main() -> ExitCode {
    match driftlab::app::run(driftlab::workbench::options::Options::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
