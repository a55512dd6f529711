//! Commands for endgame tables.

use super::{Args, FamilyDefinition, Fault, Replied, Shell, boxed, changes, shows};
use crate::engine::{
    session::AnySession,
    table::MaxSize,
    tables::{BuildOptions, TableKind},
    workers::processors,
};

/// The default memory limit of a table build in bytes, 4 GiB; `--memory` changes it.
const DEFAULT_MEMORY: u64 = 4 << 30;

const MANUAL: &str = "
tables build
  solves an endgame and everything that it leads to
  - W-B  text  the stones of White and Black after placing, 3 to 9 each, such as 4-3
  - --dir  file  the folder of the tables (default: one among the user's data)
  - --wdl  win, draw and loss without distances: a quarter of the size
  - --memory  text  the most memory, such as 8GB or 500MiB (default: 4GiB)
  - --plan  only show memory, disk and time
  Retrograde analysis under the rules in force: `rules show`. Each subspace gets a file of its own with W-B and B-W solved together; files that exist are kept.
  Ctrl-C keeps the complete ones, and the same command goes on. A folder given with --dir is the one of later commands too. Values do not know draws by
  repetition or move count: a win is a win however long it takes.
  > tables build 3-3  > tables build 3-3 --plan  > tables build 3-3 --dir tables
tables solve
  solves a position with stones in hand, the start for one
  - [STATE…]  rest text  a position (default: the current one)
  - --dir  see tables build
  - --memory  see tables build
  - --plan  see tables build
  Builds the tables that are missing, without distances, and searches the placing phase with them as leaves. What is proved is kept in a file of the folder:
  Ctrl-C or a crash loses two minutes at most, and the same command goes on. The whole game takes hours: sessions/solved.md.
  > tables solve --plan  > tables solve
tables probe
  shows the true value of a position and of every move
  - [STATE…]  rest text  a position (default: the current one)
  - --dir  see tables build
  Win, draw or loss for the side to move, with the plies to the end under best play; a capture is part of its ply. Moves are sorted, the best first. Without
  a table there is no value. A file that is damaged or of other rules is refused.
  > tables probe  > tables probe ww....w./.b.....b/.w.....b w 0 0
tables stats
  counts the wins, draws and losses of a table, or of all
  - [W-B]  text  the stones of the side to move and of the opponent
  - --limit  count  maximum number of mutual zugzwangs listed (default: 5)
  - --dir  see tables build
  Positions equal by symmetry all count; --json also counts them once (`classes`). For a single table, also the longest win with its moves, how many
  positions are decided in how many plies, and the mutual zugzwangs: positions in which each side has a better value if the other one moves. `picture
  chart` draws the distances; `export table` writes them as CSV.
  > tables stats  > tables stats 3-3  > tables stats 3-3; export table plies.csv by_plies
tables quiz
  sets up a random won position to practise
  - [W-B]  see tables stats
  - --least  count  the fewest plies of the win (default: 5)
  - --dir  see tables build
  The setting `random` chooses the position. The command also sets `tables=root`: `engine play` then defends as long as the tables can, and `moves` shows
  the true values of your moves.
  > tables quiz 3-3  > tables quiz --least 15
tables verify
  compares every value with those of the positions after each move
  - [W-B]  see tables stats
  - --sample  1..  about how many positions of each table, chosen by the setting `random` (default: all)
  - --dir  see tables build
  Uses the move generator of the game, of which the solver is independent. Every block and the counts are checked too. Loads the tables into memory. A script
  fails if anything is wrong.
  > tables verify 3-3  > tables verify --sample 1000
tables use
  uses the tables of a folder
  - --dir  see tables build
  - --none  uses no tables
  Tables in use show the true value beside that of the search, as `truth`, and `search set tables=leaf` lets the search use them. `tables build` uses the
  tables that it has built.
  > tables use  > tables use --dir tables
tables list
  lists the files of the folder
  - --dir  see tables build
  > tables list
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Tables",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("tables build", build),
        shows("tables solve", |shell, args| {
            let (state, options) = (args.text("STATE"), build_options(args, TableKind::Wdl)?);
            let session = session(shell, args)?;
            if args.has("plan") {
                return session.tables_solve_plan(state, options).map(boxed);
            }
            session.tables_solve(state, options).map(boxed)
        }),
        shows("tables probe", |shell, args| {
            let (state, folder) = (args.text("STATE"), args.path("dir"));
            let probed = shell.session_mut().tables_probe(state, folder).map(boxed);
            // A fault in a table file has no place in the text of the position, so it is not placed at the argument.
            probed.map_err(|fault| match fault.at {
                Some(_) => args.blame("STATE", fault),
                None => fault,
            })
        }),
        shows("tables stats", |shell, args| {
            let (subspace, listed) = (args.parsed("W-B")?, args.count("limit")?.unwrap_or(5));
            session(shell, args)?.tables_stats(subspace, listed).map(boxed)
        }),
        changes("tables quiz", |shell, args| {
            let (subspace, least) = (args.parsed("W-B")?, args.count("least")?.unwrap_or(5));
            session(shell, args)?.tables_quiz(subspace, least).map(boxed)
        }),
        shows("tables verify", |shell, args| {
            let (subspace, sample) = (args.parsed("W-B")?, args.count("sample")?);
            session(shell, args)?.tables_verify(subspace, sample).map(boxed)
        }),
        changes("tables use", |shell, args| {
            shell.session_mut().tables_use(args.path("dir"), args.has("none")).map(boxed)
        }),
        shows("tables list", |shell, args| session(shell, args)?.tables_list().map(boxed)),
    ],
};

/// The session, after `--dir` has set the folder of its endgame tables.
fn session<'s>(shell: &'s mut Shell, args: &Args<'_>) -> Result<&'s mut dyn AnySession, Fault> {
    let session = shell.session_mut();
    args.path("dir").map_or(Ok(()), |folder| session.set_tables_folder(folder))?;
    Ok(session)
}

fn build(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let subspace = args.required("W-B")?.parse().map_err(|fault| args.blame("W-B", fault))?;
    let kind = if args.has("wdl") { TableKind::Wdl } else { TableKind::Distance };
    let options = build_options(args, kind)?;
    let session = session(shell, args)?;
    if args.has("plan") {
        return session.tables_plan(subspace, options).map(boxed);
    }
    session.tables_build(subspace, options).map(boxed)
}

/// Parses an amount of memory, with or without a unit: `8GB`, `500MiB`, or a number of bytes.
fn bytes_of(text: &str) -> Result<u64, Fault> {
    match text.parse() {
        Ok(MaxSize::Bytes(bytes) | MaxSize::Entries(bytes)) if bytes > 0 => Ok(bytes as u64),
        _ => Err(Fault::new(format!("`{text}` is not an amount of memory"))
            .hint("write it as 8GB or 500MiB")),
    }
}

fn build_options(args: &Args<'_>, kind: TableKind) -> Result<BuildOptions, Fault> {
    let memory = args.text("memory").map_or(Ok(DEFAULT_MEMORY), |text| {
        bytes_of(text).map_err(|fault| args.blame("memory", fault))
    })?;
    Ok(BuildOptions { kind, memory, threads: processors() })
}
