//! `driftlab completions` and `driftlab man`: what a package installs beside the program.

use super::arguments::{Arguments, CompletionsArguments, ManArguments};
use super::failure::Failure;
use super::output;
use clap::CommandFactory;

/// Prints the script that completes commands and options in a shell.
pub(super) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "driftlab", &mut text);
    print(&text)
}

/// Prints the program's man page, or writes it and one for each command into a folder.
pub(super) fn man(arguments: &ManArguments) -> Result<(), Failure> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.folder else {
        let mut text = Vec::new();
        let page = clap_mangen::Man::new(command);
        page.render(&mut text).map_err(|error| Failure::wrong(error.to_string()))?;
        return print(&text);
    };
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| Failure::file(folder, &error))
}

fn print(text: &[u8]) -> Result<(), Failure> {
    Ok(output::print(&String::from_utf8_lossy(text))?)
}
