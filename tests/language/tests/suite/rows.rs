//! The rows of the tables of the reference.

use std::collections::BTreeMap;

use super::case::root;

/// The pages whose tables have rows, and the letter that the ids of each begin with.
const PAGES: [(&str, char); 4] = [("language", 'L'), ("claims", 'C'), ("units", 'U'), ("results", 'R')];

/// Which cases a row needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Both,
    Accepted,
    Refused,
    Either,
}

/// Every row by its id, and what is wrong with the tables.
pub fn rows() -> (BTreeMap<String, Needs>, Vec<String>) {
    let mut rows = BTreeMap::new();
    let mut wrong = Vec::new();
    for (page, letter) in PAGES {
        let path = root().join("docs").join(page).with_extension("md");
        let Ok(text) = std::fs::read_to_string(&path) else {
            wrong.push(format!("docs/{page}.md is not there"));
            continue;
        };
        let mut in_table = false;
        for (number, line) in text.lines().enumerate() {
            let cells = line.strip_prefix('|');
            let cell = cells.and_then(|cells| cells.split('|').next()).map(str::trim);
            let at = format!("docs/{page}.md, line {}", number + 1);
            match cell {
                None => {}
                Some("row") if !in_table => {}
                Some(_) if !in_table => wrong.push(format!("{at}: the first column of a table is `row`")),
                Some(rule) if rule.starts_with("---") => {}
                Some(cell) => match row(cell, letter) {
                    None => wrong.push(format!("{at}: `{cell}` is not the id of a row")),
                    Some((id, needs)) => {
                        if rows.insert(id.to_owned(), needs).is_some() {
                            wrong.push(format!("{at}: a second row `{id}`"));
                        }
                    }
                },
            }
            in_table = cell.is_some();
        }
    }
    (rows, wrong)
}

fn row(cell: &str, letter: char) -> Option<(&str, Needs)> {
    let id = cell.trim_end_matches(['+', '-']);
    let needs = match &cell[id.len()..] {
        _ if letter == 'R' => Needs::Either,
        "" => Needs::Both,
        "+" => Needs::Accepted,
        "-" => Needs::Refused,
        _ => return None,
    };
    let number = id.strip_prefix(letter)?;
    (number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit())).then_some((id, needs))
}
