//! What the documents that only one run or team brought into the pool did to its scores.

use std::path::PathBuf;

use axiometrics::data::Qrels;
use axiometrics::measure::Metric;
use axiometrics::meta::{self, PoolBias, PooledRankings, Team};
use axiometrics::policy::Ties;
use axiometrics::score::ScoredRuns;
use axiometrics::{Error, Place, Result};

use crate::args::Policies;
use crate::shell;

/// Whose documents are left out.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pool bias")]
pub(super) struct Pool {
    /// Leave out the judged documents that only one run retrieved, run by run: what did they do to
    /// its score and to the order?
    #[arg(long)]
    pub(super) pool_bias: bool,
    /// Only the documents down to this rank count as retrieved: the depth of the pool
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), requires = "pool_bias")]
    pool_depth: Option<u32>,
    /// Leave out teams instead of runs: a file with a line `run team` for each run
    #[arg(long, value_name = "FILE", requires = "pool_bias")]
    teams: Option<PathBuf>,
    /// Leave out teams instead of runs: a run's team is its name up to this text
    #[arg(long, value_name = "TEXT", requires = "pool_bias", conflicts_with = "teams", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    team_prefix: Option<String>,
}

impl Pool {
    pub(super) fn find(
        &self,
        qrels: &Qrels,
        metrics: &[Metric],
        scored: &ScoredRuns,
        policies: &Policies,
    ) -> Result<PoolBias> {
        if matches!(policies.ties, Ties::Average | Ties::Range) {
            let error = Error::usage(
                "pool bias is found on one order of each ranking, not on the average or the range of several",
            );
            return Err(error.help("choose another --ties"));
        }
        let rankings = PooledRankings::new(qrels, metrics, policies.policy(), &scored.kept())?;
        let names: Vec<&str> = scored.runs.iter().map(|run| run.name.as_str()).collect();
        let teams = gathered(&names, &self.team_names(&names)?);
        meta::pool_bias(qrels, metrics, &scored.systems(), &rankings, &teams, self.pool_depth)
    }

    /// The team of each run.
    fn team_names(&self, runs: &[&str]) -> Result<Vec<String>> {
        if let Some(prefix) = &self.team_prefix {
            return Ok(runs
                .iter()
                .map(|run| {
                    run.split_once(prefix.as_str()).map_or(*run, |(team, _)| team).to_string()
                })
                .collect());
        }
        let Some(path) = &self.teams else {
            return Ok(runs.iter().map(ToString::to_string).collect());
        };
        let source = shell::open(path)?;
        from_file(source.name(), &source.text(LARGEST, "lines of a run and its team")?, runs)
    }
}

/// A line for each run of a collection is far less.
const LARGEST: u64 = 16 << 20;

fn from_file(file: &str, text: &str, runs: &[&str]) -> Result<Vec<String>> {
    let mut teams: Vec<Option<String>> = vec![None; runs.len()];
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| {
        line.contains('\r') || !line.trim().is_empty() && !line.starts_with('#')
    }) {
        if line.contains('\r') {
            let message = "found a carriage return within the line, expected a run and its team";
            return Err(Error::input(Place::line(file, number), message)
                .help("write each run on a line of its own, which ends in a newline"));
        }
        let Some((run, team)) = line.trim().split_once(char::is_whitespace) else {
            return Err(Error::expected(
                Place::line(file, number),
                line.as_bytes(),
                "a run and its team",
            ));
        };
        // A file of all teams may serve for some of their runs.
        if let Some(at) = runs.iter().position(|name| *name == run) {
            teams[at] = Some(team.trim().to_string());
        }
    }
    let found = |(run, team): (&&str, Option<String>)| {
        team.ok_or_else(|| {
            Error::input(Place::file(file), format!("found no team of {run}"))
                .help(format!("add a line: {run} TEAM"))
        })
    };
    runs.iter().zip(teams).map(found).collect()
}

/// The teams in the order of their first runs.
fn gathered(runs: &[&str], teams: &[String]) -> Vec<Team> {
    let mut all: Vec<Team> = Vec::new();
    for (run, name) in (0..runs.len()).zip(teams) {
        match all.iter_mut().find(|team| team.name == *name) {
            Some(team) => team.runs.push(run),
            None => all.push(Team { name: name.clone(), runs: vec![run] }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_come_from_a_file() {
        let runs = ["a.run", "b.run", "c.run"];
        let teams = from_file(
            "teams",
            "# who\na.run north\nz.run  west\n\nb.run south pole\nc.run\tnorth\n",
            &runs,
        )
        .unwrap();
        assert_eq!(teams, ["north", "south pole", "north"]);
        let gathered = gathered(&runs, &teams);
        assert_eq!(
            gathered.iter().map(|t| (t.name.as_str(), t.runs.clone())).collect::<Vec<_>>(),
            [("north", vec![0, 2]), ("south pole", vec![1])]
        );
        assert!(
            from_file("teams", "a.run x\n", &runs)
                .unwrap_err()
                .to_string()
                .contains("found no team of b.run")
        );
        let joined =
            from_file("teams", "# who\ra.run x\rb.run x\r", &runs).unwrap_err().to_string();
        assert!(joined.starts_with("teams:1: found a carriage return"), "{joined}");
        assert!(from_file("teams", "a.run\n", &runs).unwrap_err().is_input());
    }
}
