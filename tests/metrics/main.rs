//! The metrics that the program describes, and what is written down about them: the table in deploy/METRICS.md, the
//! dashboard and the alert rules. `SUDOKUD_TEST_PROMTOOL` names a promtool that checks the rules as well.

mod described;
mod names;

use described::Described;
use names::names;
use std::collections::BTreeSet;
use std::process::Command;

const DASHBOARD: &str = "deploy/grafana/sudokud.json";
const RULES: &str = "deploy/prometheus/rules.yaml";

fn read(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Every metric as a row of a table.
fn table(described: &[Described]) -> String {
    let mut table = String::from("| metric | type | what it tells |\n|---|---|---|\n");
    for Described { name, kind, help } in described {
        table.push_str(&format!("| `{name}` | {kind} | {help} |\n"));
    }
    table
}

#[test]
fn names_follow_the_conventions_and_each_metric_is_described_once() {
    let all = described::all();
    let names: BTreeSet<&str> = all.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "described twice: {names:?}");
    for Described { name, kind, help } in &all {
        assert!(!help.is_empty(), "{name}");
        assert_eq!(*kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
    }
}

#[test]
fn the_table_is_that_of_the_code() {
    let table = table(&described::all());
    assert!(read("deploy/METRICS.md").contains(&table), "deploy/METRICS.md should hold:\n{table}");
}

#[test]
fn what_dashboard_and_rules_name_exists() {
    let all = described::all();
    let known: BTreeSet<String> = all.iter().flat_map(Described::series).collect();
    for path in [DASHBOARD, RULES] {
        let named = names(&read(path));
        assert!(named.len() > 10, "{path} names {named:?} alone");
        let unknown: Vec<&String> = named.iter().filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "{path} names what is not there: {unknown:?}");
    }
}

#[test]
fn the_dashboard_is_well_formed() {
    let dashboard: serde_json::Value = serde_json::from_str(&read(DASHBOARD)).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let mut ids = BTreeSet::new();
    for panel in panels {
        assert!(ids.insert(panel["id"].as_u64().expect("an id")), "an id twice: {panel}");
        let place = &panel["gridPos"];
        let (x, width) = (place["x"].as_u64().expect("x"), place["w"].as_u64().expect("w"));
        assert!(x + width <= 24, "wider than the board: {panel}");
        let title = panel["title"].as_str().expect("a title");
        if panel["type"] == "row" {
            continue;
        }
        assert!(!panel["description"].as_str().unwrap_or_default().is_empty(), "{title}: no description");
        assert!(panel["fieldConfig"]["defaults"]["unit"].is_string(), "{title}: no unit");
        for target in panel["targets"].as_array().expect("targets") {
            let expression = target["expr"].as_str().expect("an expression");
            assert!(expression.contains("$instance"), "{title}: all instances at once: {expression}");
        }
    }
}

#[test]
fn the_rules_pass_promtool() {
    let Ok(promtool) = std::env::var("SUDOKUD_TEST_PROMTOOL") else {
        eprintln!("skipped: SUDOKUD_TEST_PROMTOOL names no promtool (Debian: prometheus)");
        return;
    };
    let rules = format!("{}/{RULES}", env!("CARGO_MANIFEST_DIR"));
    let checked = Command::new(promtool).args(["check", "rules", "--lint-fatal", &rules]).output().expect("it runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn every_alert_says_what_to_do() {
    let rules = read(RULES);
    let alerts: Vec<&str> = rules.split("- alert: ").skip(1).collect();
    assert!(alerts.len() > 10, "{} alerts", alerts.len());
    for alert in alerts {
        let name = alert.lines().next().unwrap_or_default();
        for part in ["expr:", "for:", "severity:", "summary:", "description:"] {
            assert!(alert.contains(part), "{name} has no {part}");
        }
        let anchor = format!("deploy/README.md#{}", name.to_lowercase());
        assert!(alert.contains(&anchor), "{name}: no runbook at {anchor}");
    }
}
