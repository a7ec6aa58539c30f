//! Ratings against Sudoku Explainer's, and their speed: `cargo bench --bench rating -- [--misses] FILE…`.
//!
//! A file is tab-separated; its first line, after `#`, names the columns: `puzzle`, `SE121_ER`, then EP and ED, and perhaps
//! labels that other programs give (`qqwing_label`, `HoDoKu_level`). Printed are, for each file, the rows with equal ER
//! and with all three equal, the slowest row, puzzles a second of processor time on one thread for rows of an ER band, and
//! how our levels and each label go together. With `--misses` each row that differs is named.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use sudokud::sudoku::logic::{Effort, Level, Rated, Rating, Score, rate};
use sudokud::sudoku::{Grid, Kernel, Pace};

/// What a band is rated in at least.
const ROUND: Duration = Duration::from_millis(500);
/// Bands of ER, each up to this.
const BANDS: [u8; 6] = [12, 23, 29, 62, 79, u8::MAX];

struct Row {
    puzzle: Grid,
    /// ER, EP, ED.
    expected: [Score; 3],
    labels: Vec<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).filter(|arg| arg != "--bench").partition(|arg| arg.starts_with("--"));
    if files.is_empty() || flags.iter().any(|flag| flag != "--misses") {
        return Err("expected: [--misses] FILE…, each of rated puzzles".into());
    }
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{file}: {e}"))?;
        let (labels, rows) = read(&text).map_err(|e| format!("{file}: {e}"))?;
        println!("\n{file}: {} rows", rows.len());
        compare(&rows, !flags.is_empty());
        speed(&rows);
        labels.iter().enumerate().for_each(|(i, label)| confusion(label, &rows, i));
    }
    Ok(())
}

/// The names of the label columns, and the rows.
fn read(text: &str) -> Result<(Vec<String>, Vec<Row>), String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().and_then(|line| line.strip_prefix('#')).unwrap_or("").split('\t').collect();
    let er = header.iter().position(|&name| name == "SE121_ER").ok_or("the first line names no column SE121_ER")?;
    let labels: Vec<usize> =
        (0..header.len()).filter(|&i| ["qqwing_label", "HoDoKu_level"].contains(&header[i])).collect();
    let rows = lines.filter(|line| !line.is_empty()).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |i: usize| fields.get(i).copied().ok_or(format!("a row without column {}: {line}", i + 1));
        Ok(Row {
            puzzle: parse(field(0)?).ok_or(format!("no puzzle: {line}"))?,
            expected: [score(field(er)?)?, score(field(er + 1)?)?, score(field(er + 2)?)?],
            labels: labels.iter().map(|&i| field(i).map(str::to_owned)).collect::<Result<_, _>>()?,
        })
    });
    let rows = rows.collect::<Result<_, String>>()?;
    Ok((labels.into_iter().map(|i| header[i].to_owned()).collect(), rows))
}

fn parse(line: &str) -> Option<Grid> {
    let cells = line.as_bytes().first_chunk::<81>()?;
    Grid::from_digits(cells.map(|c| if c.is_ascii_digit() { c - b'0' } else { 0 }))
}

fn score(text: &str) -> Result<Score, String> {
    let tenths = text.replacen('.', "", 1).parse().map_err(|e| format!("{text:?}: {e}"))?;
    Ok(Score(if text.contains('.') { tenths } else { tenths * 10 }))
}

fn rated(puzzle: &Grid) -> Option<Rating> {
    match rate(puzzle, Effort::unlimited(Kernel::default()), &mut || Pace::Continue) {
        Rated::Rated(rating) => Some(rating),
        Rated::AtLeast(_) | Rated::Refused(_) => None,
    }
}

fn compare(rows: &[Row], misses: bool) {
    let (mut er, mut all, mut slowest) = (0, 0, (Duration::ZERO, 0));
    for (i, row) in rows.iter().enumerate() {
        let start = Instant::now();
        let ours = rated(&row.puzzle).map(|rating| [rating.er, rating.ep, rating.ed]);
        slowest = slowest.max((start.elapsed(), i));
        er += usize::from(ours.is_some_and(|ours| ours[0] == row.expected[0]));
        all += usize::from(ours == Some(row.expected));
        if misses && ours != Some(row.expected) {
            let show = |scores: [Score; 3]| scores.map(|score| score.to_string()).join(" ");
            println!("miss\t{}\texpected {}\tgot {}", row.puzzle, show(row.expected), ours.map_or("none".into(), show));
        }
    }
    let percent = |n: usize| 100.0 * n as f64 / rows.len().max(1) as f64;
    println!("ER equal\t{er}\t{:.2} %", percent(er));
    println!("ER, EP and ED equal\t{all}\t{:.2} %", percent(all));
    if let Some(row) = rows.get(slowest.1) {
        println!("slowest row\t{:.1} ms\t{}", slowest.0.as_secs_f64() * 1e3, row.puzzle);
    }
}

fn speed(rows: &[Row]) {
    let mut above = None;
    for most in BANDS.map(Score) {
        let band: Vec<&Row> = rows
            .iter()
            .filter(|row| row.expected[0] <= most && above.is_none_or(|below| row.expected[0] > below))
            .collect();
        above = Some(most);
        if band.is_empty() {
            continue;
        }
        let (start, clock, mut done) = (cpu_seconds(), Instant::now(), 0);
        while clock.elapsed() < ROUND {
            for row in &band {
                black_box(rated(&row.puzzle));
            }
            done += band.len();
        }
        let rate = done as f64 / (cpu_seconds() - start);
        println!("rated a second\tER up to {most}\t{rate:.0}\t({} rows)", band.len());
    }
}

fn confusion(label: &str, rows: &[Row], column: usize) {
    let mut counts: BTreeMap<&str, [usize; 6]> = BTreeMap::new();
    for row in rows {
        let level = rated(&row.puzzle).map(|rating| Level::of(rating.er));
        if let Some(at) = level.and_then(|level| Level::ALL.iter().position(|&other| other == level)) {
            counts.entry(&row.labels[column]).or_default()[at] += 1;
        }
    }
    println!("{label}\t{}", Level::ALL.map(|level| level.to_string()).join("\t"));
    for (label, counts) in counts {
        println!("{label}\t{}", counts.map(|count| count.to_string()).join("\t"));
    }
}

/// Processor time of this thread where Linux tells it (to the next tick), else a clock.
fn cpu_seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |nanos| nanos / 1e9)
}
