//! Command-line arguments, and the choice of the front end.

mod health;

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::{self, ExitCode},
};

use crate::{
    command::{self, Candidate, Shell, lexer, open::Input},
    config::{self, Config},
    engine::{self, game::Game},
    repl,
    script::{self, Options},
    text::visible,
    tui::{self, look::Theme, panes},
    uci, view,
};
use clap::{Command, CommandFactory, Parser, Subcommand, error::ErrorKind};
use clap_complete::{
    CompleteEnv,
    engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter},
    env::Shells,
};
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};

/// A debugger for game-tree search that you can also play against.
///
/// Without arguments: the screen at a terminal, or a script from standard input.
#[derive(Debug, Parser)]
#[command(version, after_help = more_help())]
struct Cli {
    /// File to open: a script is run; a session, trace, PGN game or cache is shown on the screen
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Run these commands, after the file if there is one, and exit; `;` separates them. Can be repeated
    #[arg(short = 'c', value_name = "COMMANDS", allow_hyphen_values = true)]
    commands: Vec<String>,
    #[command(flatten)]
    answers: Options,
    #[command(flatten)]
    screen: tui::ScreenOptions,
    /// Configuration file, in place of the default one
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Report the environment: terminal, colours, files
    #[arg(long)]
    health: bool,
    #[command(subcommand)]
    action: Option<CliAction>,
}

#[derive(Debug, Subcommand)]
enum CliAction {
    /// Run scripts one after the other; `-` is standard input
    Run {
        /// The scripts
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Show a tour, page by page, on the full screen
    Demo(tui::DemoOptions),
    /// Type commands at a prompt, without the full screen
    Repl {
        /// Open this file first: a session, trace, game in PGN, cache or script
        #[arg(long, value_name = "FILE")]
        load: Option<PathBuf>,
    },
    /// Be a chess engine for other programs, by the protocol UCI
    Uci {
        /// The game at the start
        #[arg(long, default_value = "chess")]
        game: String,
    },
    /// Print the completion script of a shell: for options, files, themes and the commands of `-c`
    ///
    /// For bash, put `source <(plyscope completions bash)` into ~/.bashrc.
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write it and those of all subcommands to a folder
    ///
    /// `man plyscope` finds them after `plyscope man ~/.local/share/man/man1`.
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
}

const STATUS: &[(&str, &str)] = &[
    ("0", "success"),
    ("1", "a command failed"),
    ("2", "arguments, or a command, could not be parsed"),
    ("130", "interrupted"),
    ("143, 129", "ended by SIGTERM or SIGHUP"),
];

const FILES: &[(&str, &str)] = &[
    (
        "~/.config/plyscope/config.ron",
        "the configuration, in RON: theme, keys, mouse, log, tips, trusted folders",
    ),
    ("~/.local/state/plyscope/history", "lines typed at the prompt and on the screen"),
    ("*.ply", "scripts: commands, and comments after #"),
    ("*.ron", "sessions, trainings, tournaments"),
    ("*.jsonl, *.gz", "traces of searches, plain or packed"),
    ("*.plycache, *.pgn", "caches; chess games"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "if set and not empty, no colours are used"),
    ("TERM", "the terminal; if it is dumb or not set, the prompt is used in place of the screen"),
    ("XDG_CONFIG_HOME, XDG_STATE_HOME", "folders used in place of ~/.config and ~/.local/state"),
    ("LC_ALL, LC_CTYPE, LANG", "the locale, for --health; if it is not UTF-8, use --ascii"),
];

fn more_help() -> String {
    let status = STATUS.iter().map(|(status, why)| format!("  {status:8}  {why}\n"));
    format!("Exit status:\n{}\n`plyscope -c help` lists the commands.", status.collect::<String>())
}

/// Runs the program with the games that come with it. Returns the exit status.
pub fn main() -> ExitCode {
    complete();
    let mut cli = Cli::try_parse().unwrap_or_else(|error| refuse(&error));
    if let Some(CliAction::Demo(demo)) = &cli.action {
        cli.screen.demo = Some(demo.clone());
    }
    let config = config::load(cli.config.as_deref());
    let config = config.map(|mut config| {
        config.key_help = panes::key_help(&config);
        config
    });
    if cli.health {
        let (text, well) = health::report(&cli.screen, cli.config.as_deref(), config);
        print(visible(&text).as_bytes());
        return ExitCode::from(u8::from(!well));
    }
    if let (Some(_), Err(what)) = (&cli.config, &config) {
        misused(what);
    }
    let given = match &mut cli.action {
        Some(CliAction::Repl { load }) => load.take(),
        _ => cli.file.take(),
    };
    let file = given.map(|file| {
        let hint = if file.exists() { "" } else { "; `plyscope --help` lists the subcommands" };
        let no_file = |fault| misused(as_command().unwrap_or_else(|| format!("{fault}{hint}")));
        Input::of(file).unwrap_or_else(no_file)
    });
    ExitCode::from(cli.begin(file, config))
}

impl Cli {
    /// Runs the front end that the arguments choose. Returns the exit status.
    fn begin(self, file: Option<Input>, config: Result<Config, String>) -> u8 {
        match tui::film(&self.screen, self.answers) {
            Some(Ok(text)) => return print(text.as_bytes()),
            Some(Err(fault)) => misused(fault),
            None => {}
        }
        let (options, repl) = (self.answers, matches!(self.action, Some(CliAction::Repl { .. })));
        let is_script = !repl && matches!(file, Some(Input::Script(_)));
        let runs = is_script || !self.commands.is_empty();
        let wants_screen = !runs && (self.action.is_none() || self.screen.demo.is_some());
        let at_terminal = io::stdin().is_terminal();
        if let Some(flag) = self.screen.given().filter(|_| !wants_screen || !at_terminal) {
            conflict(&format!("{flag} is for the screen, which does not open here"));
        }
        if at_terminal
            && (wants_screen || repl)
            && (options.keep_going || options.echo || options.quiet)
        {
            conflict("--keep-going, --echo and --quiet are for scripts");
        }
        if self.action.is_some() && (runs || file.is_some() && !repl) {
            conflict("a file or -c cannot be used together with a subcommand");
        }
        let line = file.as_ref().map(Input::line);
        let commands = self.commands.into_iter().map(Input::Commands);
        let inputs = file.into_iter().chain(commands);
        let run = |inputs: Vec<_>, config| script::run(&inputs, options, config);
        match self.action {
            None if runs => run(inputs.collect(), config),
            Some(CliAction::Run { files }) => {
                run(files.into_iter().map(Input::Script).collect(), config)
            }
            Some(CliAction::Uci { game }) => {
                uci::run(&game).map_or_else(|fault| misused(fault), |()| 0)
            }
            Some(CliAction::Completions { shell }) => completions(shell),
            Some(CliAction::Man { folder: None }) => print(page(Cli::command()).as_bytes()),
            Some(CliAction::Man { folder: Some(folder) }) => pages(&folder),
            _ if !at_terminal => run(inputs.chain([Input::Script("-".into())]).collect(), config),
            Some(CliAction::Repl { .. }) => repl::run(options, config, line.as_deref()),
            None | Some(CliAction::Demo(_)) => {
                screen(&tui::ScreenOptions { opens: line, ..self.screen }, options, config)
            }
        }
    }
}

/// Runs the program with one more game, which is the current game at the start.
///
/// All features work for the new game: full screen and prompt, debugger, caches, sessions, tournaments, traces.
pub fn main_with<G: Game + Default>() -> ExitCode {
    engine::register_game::<G>();
    main()
}

/// Prints the help, the version or an error in the arguments, and exits.
fn refuse(error: &clap::Error) -> ! {
    if error.kind() == ErrorKind::DisplayVersion && env::args_os().any(|word| word == "--json") {
        let answers = Shell::default().run_line("version --json");
        let lines = answers.iter().flatten().map(|answer| view::response(answer) + "\n");
        process::exit(print(lines.collect::<String>().as_bytes()).into());
    }
    if !error.use_stderr() {
        error.exit();
    }
    let lacks_value = error.kind() == ErrorKind::MissingRequiredArgument;
    // A word such as `run` is a subcommand of the program, and can also begin a command of the prompt.
    let is_subcommand =
        env::args_os().nth(1).is_some_and(|word| Cli::command().find_subcommand(word).is_some());
    if let Some(what) = as_command().filter(|_| !(lacks_value && is_subcommand)) {
        misused(what);
    }
    let _ = write!(io::stderr(), "{}", visible(&error.render().to_string()));
    process::exit(error.exit_code())
}

/// For an error: how to run arguments that are a command of the prompt, as `plyscope -c 'search run'`; else `None`.
fn as_command() -> Option<String> {
    let given: Vec<String> =
        env::args_os().skip(1).map(OsString::into_string).collect::<Result<_, _>>().ok()?;
    let flags = given.iter().take_while(|word| word.starts_with('-')).count();
    let (flags, words) = given.split_at(flags);
    let line = match words {
        [line] => line.clone(),
        words => words.iter().map(|word| lexer::as_word(word)).collect::<Vec<_>>().join(" "),
    };
    let typed: Vec<_> = line.split_whitespace().collect();
    let (spec, length) = command::table().exact(&typed)?;
    let is_plain = |c: char| c.is_alphanumeric() || "-_.=/".contains(c);
    let for_shell = |text: &str| {
        let quoted = || format!("'{}'", text.replace('\'', "'\\''"));
        if text.chars().all(is_plain) { text.to_owned() } else { quoted() }
    };
    let flags: Vec<_> = flags.iter().map(|flag| for_shell(flag)).collect();
    let mut program = Cli::command();
    program.build();
    let is_flag = program.get_arguments().any(|flag| flag.get_long() == Some(spec.name));
    let flag = if is_flag { format!("`plyscope --{}` or ", spec.name) } else { String::new() };
    let what = typed[..length].join(" ");
    let program = [&["plyscope".to_owned()][..], &flags, &["-c".to_owned(), for_shell(&line)]];
    let program = program.concat().join(" ");
    Some(format!("`{what}` is a command of the prompt: {flag}`{program}` runs it"))
}

/// Opens the full screen, or the prompt if the terminal cannot show the screen.
fn screen(screen: &tui::ScreenOptions, options: Options, config: Result<Config, String>) -> u8 {
    match tui::run(screen, options, config.clone()) {
        Some(status) => status,
        None => match screen.given() {
            Some(flag) => conflict(&format!("{flag} is for the screen, and there is no terminal")),
            None => repl::run(options, config, screen.opens.as_deref()),
        },
    }
}

/// The environment variable that a shell sets to request completions.
const COMPLETION_VARIABLE: &str = "PLYSCOPE_COMPLETE";

/// Prints completions and exits, if a shell requests them.
fn complete() {
    let is_zsh = env::var_os(COMPLETION_VARIABLE).is_some_and(|shell| shell == "zsh");
    let words = env::args_os().map(|word| if is_zsh { without_quotes(word) } else { word });
    let folder = env::current_dir().ok();
    let request = CompleteEnv::with_factory(with_completers).var(COMPLETION_VARIABLE);
    match request.try_complete(words, folder.as_deref()) {
        Ok(true) => process::exit(0),
        Ok(false) => {}
        Err(error) => error.exit(),
    }
}

/// Removes the quotes that zsh passes with a word; a word being typed has no closing quote. zsh matches completions against the
/// text between the quotes.
fn without_quotes(word: OsString) -> OsString {
    let Some(text) = word.to_str() else {
        return word;
    };
    let Some(quote) = text.chars().next().filter(|sign| matches!(sign, '\'' | '"')) else {
        return word;
    };
    let inner = &text[1..];
    inner.strip_suffix(quote).unwrap_or(inner).into()
}

fn completions(shell: clap_complete::Shell) -> u8 {
    let (mut script, name) = (Vec::new(), "plyscope");
    let shells = Shells::builtins();
    let shell = shells.completer(&shell.to_string());
    // Writing to memory does not fail, and clap supports all shells that it names.
    let _ = shell
        .map(|shell| shell.write_registration(COMPLETION_VARIABLE, name, name, name, &mut script));
    print(&script)
}

fn with_completers() -> Command {
    let files = |endings: &'static [&'static str]| {
        let fits = move |path: &Path| {
            path.extension().and_then(OsStr::to_str).is_some_and(|ending| endings.contains(&ending))
        };
        ArgValueCompleter::new(PathCompleter::any().stdio().filter(fits))
    };
    let themes = || Theme::names().map(CompletionCandidate::new).collect::<Vec<_>>();
    let opened = &["ply", "ron", "jsonl", "gz", "pgn", "plycache", "cache", "rote"];
    Cli::command()
        .mut_arg("file", |file| file.add(files(opened)))
        .mut_arg("commands", |commands| commands.add(ArgValueCompleter::new(lines)))
        .mut_arg("theme", |theme| theme.add(ArgValueCandidates::new(themes)))
        .mut_arg("load", |session| session.add(files(&["ron"])))
        .mut_arg("config", |config| config.add(files(&["ron"])))
        .mut_subcommand("run", |run| run.mut_arg("files", |file| file.add(files(&["ply"]))))
        .mut_subcommand("repl", |repl| repl.mut_arg("load", |file| file.add(files(opened))))
}

/// Completions of a command line after `-c`.
fn lines(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let (start, candidates) = Shell::default().completions().complete(&typed);
    let line = |candidate: Candidate| {
        let line = format!("{}{}", &typed[..start], candidate.replacement.trim_end());
        CompletionCandidate::new(line).help(Some(candidate.help.into()))
    };
    candidates.into_iter().map(line).collect()
}

fn pages(folder: &Path) -> u8 {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut all = program.get_subcommands().chain([&program]);
    let mut write = |command: &Command| {
        let name = command.get_display_name().unwrap_or("plyscope");
        fs::write(folder.join(format!("{name}.1")), page(command.clone()))
    };
    match fs::create_dir_all(folder).and_then(|()| all.try_for_each(&mut write)) {
        Ok(()) => print(visible(&format!("the pages are in {}\n", folder.display())).as_bytes()),
        Err(error) => {
            script::complain(format_args!("{}: {error}", folder.display()));
            1
        }
    }
}

/// A manual page. The page of the program itself also has commands, files and environment.
fn page(program: Command) -> String {
    let is_whole = program.get_subcommands().next().is_some();
    let man = Man::new(program.disable_help_subcommand(true).after_help(None::<&str>));
    let man = man.source(script::PROGRAM);
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = man.render(&mut page);
    let mut more = Roff::new();
    if is_whole {
        more.control("SH", ["COMMANDS"]);
        for family in command::table().families {
            more.control("SS", [family.title]);
            for spec in &family.commands {
                more.control("TP", []).text([bold(spec.usage())]).text([roman(spec.summary)]);
            }
        }
        section(&mut more, "FILES", FILES);
        section(&mut more, "ENVIRONMENT", ENVIRONMENT);
    }
    section(&mut more, "EXIT STATUS", STATUS);
    if !is_whole {
        more.control("SH", ["SEE ALSO"]).text([roman("plyscope(1)")]);
    }
    let _ = more.to_writer(&mut page);
    // Some readers of manual pages cannot read UTF-8.
    let escaped = |sign: char| match sign {
        sign if sign.is_ascii() => sign.to_string(),
        sign => format!("\\[u{:04X}]", u32::from(sign)),
    };
    String::from_utf8_lossy(&page).chars().map(escaped).collect()
}

fn section(page: &mut Roff, title: &str, terms: &[(&str, &str)]) {
    page.control("SH", [title]);
    for (term, meaning) in terms {
        page.control("TP", []).text([bold(*term)]).text([roman(*meaning)]);
    }
}

/// Writes to stdout. A closed pipe gives status 1, not a panic.
fn print(text: &[u8]) -> u8 {
    u8::from(io::stdout().write_all(text).is_err())
}

fn misused(what: impl std::fmt::Display) -> ! {
    script::complain(what);
    process::exit(script::USAGE.into())
}

fn conflict(message: &str) -> ! {
    Cli::command().error(ErrorKind::ArgumentConflict, message).exit()
}
