//! The list of what is linked, for people and for programs.

use super::state::{Linked, Shown, State};

/// Returns the list for people.
pub(super) fn readable(linked: &Linked) -> Vec<String> {
    let mut lines = vec!["Sources, in the order in which they are asked:".to_owned()];
    for source in &linked.sources {
        lines.extend(entry(source));
    }
    lines.push(String::new());
    lines.push("Layers, the outermost first:".to_owned());
    for layer in &linked.layers {
        lines.extend(entry(layer));
    }
    lines.push(String::new());
    lines.push(
        "Pick a source with --modelo <provider>:<model> or AURUMCODE_PROVIDER=<provider>. \
         aurumcode providers check asks one."
            .to_owned(),
    );
    lines
}

fn entry(shown: &Shown) -> Vec<String> {
    let Shown {
        name,
        package,
        version,
        summary,
        by_name_only,
        answers,
        state,
        detail,
        variables,
        flags,
    } = shown;
    let mark = match (answers, by_name_only) {
        (true, _) => ", answers now",
        (false, true) => ", asked only by name",
        (false, false) => "",
    };
    let state = match state {
        State::Ready => "ready",
        State::NotConfigured => "not configured",
        State::Broken => "broken",
    };
    let mut lines = vec![
        String::new(),
        format!("  {name} ({package} {version}){mark}"),
        format!("      {summary}"),
        format!("      {state}: {detail}"),
    ];
    for variable in variables {
        let set = if variable.set { " (set)" } else { "" };
        lines.push(format!("      {}{set}: {}", variable.name, variable.help));
    }
    for flag in flags {
        lines.push(format!(
            "      --{} <{}>: {}",
            flag.name, flag.value_name, flag.help
        ));
    }
    lines
}

/// Returns the list for programs.
pub(super) fn json(linked: &Linked) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(linked)? + "\n")
}
