//! Our generator beside the `sudoku` crate's and QQWing's (Debian package `qqwing`), on one thread:
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin generate`.
//!
//! Tab-separated: what is generated, ours and the peer's in a second of processor time, the ratio. Then for each level how many
//! of its puzzles have which ER. Without QQWing its lines are left out.

use cpu_time::ThreadTime;
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::process::{Command, Stdio};
use sudokud::sudoku::generate::puzzle::{ErRange, Made, PuzzleMaker, PuzzleSpec};
use sudokud::sudoku::logic::{Effort, Level, Rated, Score, rate};
use sudokud::sudoku::{Kernel, Pace};

/// Items that are made together, as a chunk of a job.
const CHUNK: usize = 8_192;

/// Processor time in seconds.
type Seconds = f64;

fn main() -> Result<(), Box<dyn Error>> {
    println!("what\tours/s\tpeer\tpeer/s\tratio");
    let crate_rate = crate_rate();
    let any = PuzzleSpec::default();
    for (name, spec) in [("any", any), ("minimal", PuzzleSpec { minimal: true, ..any })] {
        line(name, ours(&[spec], 200_000)?, "sudoku", Some(crate_rate));
    }
    let up = ErRange { min: Level::Hard.range().0, max: Score(u8::MAX) };
    let qqwing = |labels: &[&str], count| qqwing_rate(labels, count).ok();
    let (simple_and_easy, intermediate) = (qqwing(&["simple", "easy"], 40), qqwing(&["intermediate"], 200));
    let expert = qqwing(&["expert"], 300);
    line("very-easy and easy", ours(&[of(Level::VeryEasy), of(Level::Easy)], 20_000)?, "simple, easy", simple_and_easy);
    line("medium", ours(&[of(Level::Medium)], 20_000)?, "intermediate", intermediate);
    line("hard and up", ours(&[PuzzleSpec { er: Some(up), ..any }], 20_000)?, "expert", expert);
    for (level, count) in [(Level::Hard, 10_000), (Level::VeryHard, 2_000), (Level::Extreme, 1_000)] {
        line(level.name(), ours(&[of(level)], count)?, "expert", expert);
    }
    println!("level\tER: puzzles");
    for (level, count) in Level::ALL.into_iter().zip([2_000, 2_000, 2_000, 1_000, 500, 200]) {
        println!("{level}\t{}", distribution(&made(&of(level), count)?.0));
    }
    Ok(())
}

fn of(level: Level) -> PuzzleSpec {
    PuzzleSpec { level: Some(level), ..PuzzleSpec::default() }
}

fn line(what: &str, ours: f64, peer: &str, theirs: Option<f64>) {
    if let Some(theirs) = theirs {
        println!("{what}\t{ours:.0}\t{peer}\t{theirs:.1}\t{:.1}", ours / theirs);
    }
}

/// Puzzles a second, as many of each spec.
fn ours(specs: &[PuzzleSpec], count: usize) -> Result<f64, Box<dyn Error>> {
    let mut time = 0.0;
    for spec in specs {
        time += made(spec, count)?.1;
    }
    Ok((specs.len() * count) as f64 / time)
}

fn made(spec: &PuzzleSpec, count: usize) -> Result<(Vec<Made>, Seconds), Box<dyn Error>> {
    let mut maker = PuzzleMaker::new(Kernel::default(), spec, 1)?;
    let mut places = vec![None; count];
    let start = ThreadTime::now();
    for (chunk, places) in (0..).zip(places.chunks_mut(CHUNK)) {
        maker.fill(chunk * CHUNK as u64, places, &mut || Pace::Continue);
    }
    let time = start.elapsed().as_secs_f64();
    let made: Result<Vec<Made>, _> = places.into_iter().flatten().collect();
    Ok((made?, time))
}

fn crate_rate() -> f64 {
    let (count, start) = (20_000, ThreadTime::now());
    for _ in 0..count {
        black_box(sudoku::Sudoku::generate());
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

/// QQWing's puzzles a second, as many of each label.
fn qqwing_rate(labels: &[&str], count: u32) -> Result<f64, Box<dyn Error>> {
    let before = children_time()?;
    for label in labels {
        let count = count.to_string();
        let args = ["--generate", &count, "--difficulty", label, "--csv"];
        if !Command::new("qqwing").args(args).stdout(Stdio::null()).status()?.success() {
            return Err("qqwing failed".into());
        }
    }
    Ok(f64::from(count) * labels.len() as f64 / (children_time()? - before))
}

/// What ended children of this process took, which Linux states in hundredths.
fn children_time() -> Result<Seconds, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: Result<Vec<f64>, _> = after_name.split_whitespace().skip(13).take(2).map(str::parse).collect();
    Ok(ticks?.iter().sum::<f64>() / 100.0)
}

fn distribution(made: &[Made]) -> String {
    let mut counts = BTreeMap::new();
    for made in made {
        if let Rated::Rated(rating) = rate(&made.puzzle, Effort::unlimited(Kernel::default()), &mut || Pace::Continue) {
            *counts.entry(rating.er).or_insert(0) += 1;
        }
    }
    let counts: Vec<String> = counts.into_iter().map(|(er, count)| format!("{er}: {count}")).collect();
    counts.join(", ")
}
