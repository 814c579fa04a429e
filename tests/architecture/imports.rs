//! Which source file imports which, from the paths in its code, followed through re-exports to the defining file.

use super::SOURCES;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path below the crate: `lcp::newton::search`.
type Module = Vec<String>;

/// The files of the crate by module path, and for each the files that it imports from.
pub struct Imports {
    files: BTreeMap<Module, PathBuf>,
    /// Names that a module re-exports from modules of its own, and which.
    exports: BTreeMap<Module, BTreeMap<String, Module>>,
    pub of: BTreeMap<String, BTreeSet<String>>,
}

impl Imports {
    /// Reads every source file.
    pub fn read() -> Self {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = BTreeMap::new();
        for folder in SOURCES {
            collect(&package.join(folder), &mut Vec::new(), &mut files);
        }
        let mut own = Self { files, exports: BTreeMap::new(), of: BTreeMap::new() };
        let codes: Vec<(Module, String)> =
            own.files.iter().map(|(module, path)| (module.clone(), code(path))).collect();
        for (module, code) in &codes {
            own.read_exports(module, code);
        }
        for (module, code) in &codes {
            let found = paths(module, code).into_iter().filter_map(|path| own.defining(&path, 0));
            let imported = found.filter(|file| file != module).map(|file| file.join("::")).collect();
            own.of.insert(module.join("::"), imported);
        }
        own
    }

    fn read_exports(&mut self, module: &Module, code: &str) {
        let mut names = BTreeMap::new();
        let is_own =
            |path: &Module| path.get(..module.len() + 1).is_some_and(|own| self.files.contains_key(own));
        for after in code.split("use ").skip(1) {
            let mut trees = Vec::new();
            tree(&mut tokens(after).into_iter().peekable(), module.clone(), &mut trees);
            for path in trees.into_iter().filter(|path| is_own(path)) {
                names.insert(path.last().cloned().unwrap_or_default(), path);
            }
        }
        self.exports.insert(module.clone(), names);
    }

    /// The module that defines what a path names.
    fn defining(&self, path: &[String], depth: usize) -> Option<Module> {
        let longest = (1..=path.len()).rev().find(|n| self.files.contains_key(&path[..*n]))?;
        let module = path[..longest].to_vec();
        let name = path.get(longest);
        match name.and_then(|name| self.exports[&module].get(name)) {
            // A module re-exported under its own name ends the search.
            Some(further) if depth < 8 && further != path => self.defining(further, depth + 1),
            _ => Some(module),
        }
    }

    /// Groups of files that import each other in a circle, each sorted.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.of.keys().map(|file| (file.as_str(), self.reached(file))).collect();
        let mut groups: Vec<Vec<&str>> = Vec::new();
        for file in self.of.keys().map(String::as_str).filter(|file| reach[file].contains(file)) {
            let group: Vec<&str> =
                reach[file].iter().copied().filter(|other| reach[other].contains(file)).collect();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = self.of[from].iter().map(String::as_str).collect();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(self.of[file].iter().map(String::as_str));
            }
        }
        reached
    }
}

fn collect(folder: &Path, module: &mut Module, files: &mut BTreeMap<Module, PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, files);
            module.pop();
        } else if stem == "mod" {
            files.insert(module.clone(), path);
        } else if !matches!(stem.as_str(), "lib" | "main") {
            files.insert(module.iter().cloned().chain([stem]).collect(), path);
        }
    }
}

/// Source without comments, so that documentation may name anything.
pub fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Every path in the code that begins with `crate`, `driftlab` or `super`, from the crate's root on.
fn paths(module: &Module, code: &str) -> Vec<Module> {
    let mut found = Vec::new();
    for root in ["crate::", "driftlab::"] {
        for (at, _) in code.match_indices(root) {
            tree(&mut tokens(&code[at + root.len()..]).into_iter().peekable(), Vec::new(), &mut found);
        }
    }
    for (at, _) in code.match_indices("super::").filter(|(at, _)| !code[..*at].ends_with("super::")) {
        let (mut base, mut rest) = (module.clone(), &code[at..]);
        while let Some(after) = rest.strip_prefix("super::") {
            base.pop();
            rest = after;
        }
        tree(&mut tokens(rest).into_iter().peekable(), base, &mut found);
    }
    found
}

/// Names, `::`, braces and commas at the beginning of the code, up to whatever is no part of a path.
fn tokens(code: &str) -> Vec<String> {
    let (mut tokens, mut rest) = (Vec::new(), code);
    loop {
        rest = rest.trim_start();
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = match rest.chars().next() {
            _ if word > 0 => word,
            Some(':') if rest.starts_with("::") => 2,
            Some('{' | '}' | ',' | '*') => 1,
            _ => return tokens,
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
}

/// The paths of a tree such as `a::{b, c::d}`, each behind `base`; stops where the tree ends.
fn tree(
    tokens: &mut std::iter::Peekable<std::vec::IntoIter<String>>,
    base: Module,
    found: &mut Vec<Module>,
) {
    let mut path = base;
    loop {
        match tokens.next().as_deref() {
            Some("{") => {
                while tokens.peek().is_some_and(|token| token != "}") {
                    tree(tokens, path.clone(), found);
                    if tokens.peek().is_some_and(|token| token == ",") {
                        tokens.next();
                    }
                }
                tokens.next();
                return;
            }
            Some(name) if !matches!(name, "::" | "self" | "*") => path.push(name.to_owned()),
            _ => {}
        }
        if tokens.peek().is_none_or(|token| token != "::") {
            // `a as b` and what follows a path in an expression are no part of it.
            while tokens.peek().is_some_and(|token| !matches!(token.as_str(), "," | "}")) {
                tokens.next();
            }
            found.push(path);
            return;
        }
        tokens.next();
    }
}
