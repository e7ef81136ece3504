//! Figures, what they are held against, and how they are told: a table, and a file of JSON lines.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::json;

/// What a figure is held against: the bar must be met, the aim should be.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    bar: Option<f64>,
    aim: Option<f64>,
    at_least: bool,
}

impl Bar {
    pub(crate) const NONE: Self = Self { bar: None, aim: None, at_least: false };

    pub(crate) fn at_most(bar: f64) -> Self {
        Self { bar: Some(bar), ..Self::NONE }
    }

    pub(crate) fn at_least(bar: f64) -> Self {
        Self { bar: Some(bar), at_least: true, ..Self::NONE }
    }

    pub(crate) fn aims_at(self, aim: f64) -> Self {
        Self { aim: Some(aim), ..self }
    }

    fn verdict(self, value: f64) -> &'static str {
        let fits = |limit: f64| if self.at_least { value >= limit } else { value <= limit };
        match (self.bar.map(fits), self.aim.map(fits)) {
            (Some(false), _) => MISSED,
            (_, Some(false)) => "aim missed",
            (_, Some(true)) | (Some(true), None) => "met",
            (None, None) => "",
        }
    }
}

const MISSED: &str = "MISSED";

/// Both halves of every pair, in order.
pub(crate) struct Pairs<T> {
    pub(crate) hub: Vec<T>,
    pub(crate) floor: Vec<T>,
}

impl<T> Pairs<T> {
    /// Measures the hub (true) and the floor (false) in turns; the order changes from pair to pair.
    pub(crate) fn measure(pairs: usize, mut half: impl FnMut(bool) -> Result<T>) -> Result<Self> {
        let mut both = Self { hub: Vec::with_capacity(pairs), floor: Vec::with_capacity(pairs) };
        half(true)?;
        half(false)?;
        for pair in 0..pairs {
            for is_hub in [pair.is_multiple_of(2), !pair.is_multiple_of(2)] {
                if is_hub { both.hub.push(half(true)?) } else { both.floor.push(half(false)?) }
            }
        }
        Ok(both)
    }
}

/// The value below which `percent` of the sorted values lie.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Everything that was measured.
#[derive(Default)]
pub(crate) struct Report(Vec<Row>);

struct Row {
    shape: &'static str,
    unit: &'static str,
    hub: f64,
    floor: Option<f64>,
    /// The hub's figure in floors, else the figure itself.
    value: f64,
    bar: Bar,
}

impl Report {
    /// A figure of the hub alone.
    pub(crate) fn figure(&mut self, shape: &'static str, unit: &'static str, value: f64, bar: Bar) {
        self.add(Row { shape, unit, hub: value, floor: None, value, bar });
    }

    /// A figure beside another, measured once.
    pub(crate) fn ratio(&mut self, shape: &'static str, unit: &'static str, hub: f64, floor: f64, bar: Bar) {
        self.add(Row { shape, unit, hub, floor: Some(floor), value: hub / floor, bar });
    }

    /// A figure of every half; the median of the pairs' ratios counts.
    pub(crate) fn pairs<T>(
        &mut self,
        shape: &'static str,
        unit: &'static str,
        pairs: &Pairs<T>,
        figure: impl Fn(&T) -> f64,
        bar: Bar,
    ) {
        let all = |halves: &[T]| halves.iter().map(&figure).collect::<Vec<f64>>();
        let (hub, floor) = (all(&pairs.hub), all(&pairs.floor));
        let ratios = hub.iter().zip(&floor).map(|(hub, floor)| hub / floor).collect();
        let value = median(ratios);
        self.add(Row { shape, unit, hub: median(hub), floor: Some(median(floor)), value, bar });
    }

    fn add(&mut self, row: Row) {
        let _ = writeln!(std::io::stderr(), "measured: {}", row.shape);
        self.0.push(row);
    }

    /// Prints the table and writes the file; a failure where a bar is missed.
    pub(crate) fn finish(self) -> Result<ExitCode> {
        let mut out = std::io::stdout().lock();
        let number = |value: Option<f64>| match value {
            None => "–".to_owned(),
            Some(value) if value.abs() >= 100.0 => format!("{value:.0}"),
            Some(value) => format!("{value:.2}"),
        };
        let line = |cells: [&str; 7]| {
            let [shape, unit, hub, floor, ratio, held, verdict] = cells;
            format!("{shape:<48} {unit:>5} {hub:>9} {floor:>9} {ratio:>7}  {held:<17} {verdict}\n")
        };
        let heads = ["", "unit", "hub", "floor", "ratio", "bar / aim", ""];
        out.write_all(line(heads).as_bytes())?;
        let mut lines = String::new();
        for Row { shape, unit, hub, floor, value, bar } in &self.0 {
            let sign = if bar.at_least { "≥" } else { "≤" };
            let limit = |limit: Option<f64>| limit.map_or("–".into(), |limit| format!("{sign} {limit}"));
            let held = match (bar.bar, bar.aim) {
                (None, None) => String::new(),
                (bar, aim) => format!("{} / {}", limit(bar), limit(aim)),
            };
            let ratio = floor.map(|_| *value);
            let verdict = bar.verdict(*value);
            let row = json!({
                "shape": shape, "unit": unit, "hub": hub, "floor": floor, "ratio": ratio,
                "bar": bar.bar, "aim": bar.aim, "at_least": bar.at_least, "verdict": verdict,
            });
            lines += &format!("{row}\n");
            let [hub, floor, ratio] = [Some(*hub), *floor, ratio].map(number);
            out.write_all(line([shape, unit, &hub, &floor, &ratio, &held, verdict]).as_bytes())?;
        }
        let target =
            Path::new(env!("CARGO_TARGET_TMPDIR")).parent().context("it is below the target folder")?;
        let file = target.join("bench/asks.jsonl");
        fs::create_dir_all(target.join("bench"))?;
        fs::write(&file, lines)?;
        writeln!(out, "\nThe same as JSON lines: {}", file.display())?;
        let missed = self.0.iter().any(|row| row.bar.verdict(row.value) == MISSED);
        Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
