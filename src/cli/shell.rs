//! `driftlab completions` and `driftlab man`: what a package installs beside the program.

use super::arguments::{Arguments, CompletionsArguments};
use super::failure::Failure;
use super::output;
use clap::CommandFactory;

/// Prints the script that completes commands and options in a shell.
pub(super) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "driftlab", &mut text);
    print(&text)
}

/// Prints the man page: the program's, then one for each command.
pub(super) fn man() -> Result<(), Failure> {
    let mut text = Vec::new();
    let mut command = Arguments::command();
    command.build();
    let pages =
        std::iter::once(&command).chain(command.get_subcommands().filter(|own| own.get_name() != "help"));
    for page in pages {
        clap_mangen::Man::new(page.clone())
            .render(&mut text)
            .map_err(|error| Failure::wrong(error.to_string()))?;
    }
    print(&text)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    Ok(output::print(&String::from_utf8_lossy(text))?)
}
