//! What a package installs beside the program.

use crate::driftlab;

fn printed(arguments: &[&str]) -> String {
    let output = driftlab().args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let listed = help.split("Commands:").nth(1).unwrap().split("Arguments:").next().unwrap().to_owned();
    let command = |line: &str| {
        let name = line.strip_prefix("  ")?.split_whitespace().next()?;
        (!line.starts_with("   ")).then(|| name.to_owned())
    };
    listed.lines().filter_map(command).filter(|name| name != "help").collect()
}

/// Completions for every shell name every command, and the man page refers to a page of each, which `man FOLDER` writes.
#[test]
fn completions_and_man_pages_know_every_command() {
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    let man = printed(&["man"]);
    assert!(man.starts_with(".ie") || man.contains(".TH driftlab 1"), "{}", &man[..200]);
    let folder = tempfile::tempdir().unwrap();
    printed(&["man", folder.path().join("man").to_str().unwrap()]);
    let page = |name: String| std::fs::read_to_string(folder.path().join("man").join(name)).unwrap();
    assert!(page("driftlab.1".into()) == man);
    for command in &commands {
        assert!(man.contains(&format!("driftlab\\-{command}")), "the man page leaves out {command}");
        let own = page(format!("driftlab-{command}.1"));
        assert!(own.contains(&format!(".TH driftlab-{command} 1")), "{own}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell} does not complete {command}");
        }
    }
}

/// `driftlab schema` prints what the library makes; a scene that names its schema is read, and saved with that name.
#[test]
fn the_schema_is_printed_and_may_be_named() {
    let schema: serde_json::Value = serde_json::from_str(&printed(&["schema"])).unwrap();
    assert_eq!(schema, driftlab::scene::schema());
    let text = driftlab::scene::catalogue::find("six-link-chain").unwrap().text;
    let named = text.replacen('{', "{ \"$schema\": \"./scene.schema.json\",", 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("named.json");
    std::fs::write(&file, &named).unwrap();
    printed(&["check", file.to_str().unwrap()]);
    let saved = driftlab::scene::Scene::parse(&named).unwrap().to_json();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved["$schema"], "./scene.schema.json");
}

/// A shell that does not exist is refused with those that do.
#[test]
fn an_unknown_shell_is_refused() {
    let output = driftlab().args(["completions", "csh"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("bash") && text.contains("zsh"), "{text}");
}
