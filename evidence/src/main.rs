//! The program.

fn main() -> std::process::ExitCode {
    driftlab_evidence::commands::main()
}
