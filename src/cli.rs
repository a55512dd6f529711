//! The program: arguments to a front end.

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::{self, ExitCode},
};

use crate::{
    command::open::FileGiven,
    config::{self, Config},
    engine::{self, game::Game},
    repl,
    script::{self, Input, Options},
    text::visible,
    tui::{self, Refusal},
};
use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};

/// A debugger for game-tree search that you can also play against.
///
/// Without arguments: the screen at a terminal, or a script from standard input.
#[derive(Debug, Parser)]
#[command(version, after_help = EXIT_STATUS)]
struct Cli {
    /// A file to open: a script is run; a session, trace, game in PGN or cache is shown on the screen
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Run these commands, after the file if there is one, and exit; `;` separates them. May be given several times
    #[arg(short = 'c', value_name = "COMMANDS", allow_hyphen_values = true)]
    commands: Vec<String>,
    #[command(flatten)]
    answers: Options,
    #[command(flatten)]
    screen: tui::ScreenOptions,
    /// Read this configuration, not the usual one
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Say what the program finds around it: terminal, colours, files
    #[arg(long)]
    health: bool,
    #[command(subcommand)]
    action: Option<CliAction>,
}

/// Which front end.
#[derive(Debug, Subcommand)]
enum CliAction {
    /// Run scripts one after the other; `-` is standard input
    Run {
        /// The scripts
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Show what the program does, in two minutes, on the full screen
    Demo(tui::DemoOptions),
    /// Type commands at a prompt, without the full screen
    Repl {
        /// Open this file first: a session, trace, game in PGN, cache or script
        #[arg(long, value_name = "FILE")]
        load: Option<PathBuf>,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

const EXIT_STATUS: &str = "\
Exit status: 0 all went well, 1 a command failed, 2 something could not be understood, 130 interrupted,
143 and 129 ended by SIGTERM or SIGHUP.
`plyscope -c help` lists the commands.";

/// The exit status where something could not be understood.
const USAGE: u8 = 2;

/// The program as its arguments ask for it.
pub fn main() -> ExitCode {
    let mut cli = Cli::try_parse().unwrap_or_else(|error| refuse(&error));
    if let Some(CliAction::Demo(demo)) = &cli.action {
        cli.screen.demo = Some(demo.clone());
    }
    let config = config::load(cli.config.as_deref());
    if cli.health {
        return health(&cli.screen, cli.config.as_deref(), config);
    }
    if let (Some(_), Err(what)) = (&cli.config, &config) {
        misused(what);
    }
    let given = match &mut cli.action {
        Some(CliAction::Repl { load }) => load.take(),
        _ => cli.file.take(),
    };
    let file = given.map(|file| {
        let no_file = |fault| misused(format!("{fault}; `plyscope --help` lists the subcommands"));
        FileGiven::of(file).unwrap_or_else(no_file)
    });
    ExitCode::from(cli.begin(file, config))
}

impl Cli {
    /// Opens the front end that is asked for; the exit status once it is left.
    fn begin(self, file: Option<FileGiven>, config: Result<Config, String>) -> u8 {
        match tui::film(&self.screen, self.answers) {
            Some(Ok(told)) => return print(format!("{told}\n").as_bytes()),
            Some(Err(what)) => misused(what),
            None => {}
        }
        let (options, repl) = (self.answers, matches!(self.action, Some(CliAction::Repl { .. })));
        let is_script = !repl && matches!(file, Some(FileGiven::Script(_)));
        let runs = is_script || !self.commands.is_empty();
        let asks = !runs && (self.action.is_none() || self.screen.demo.is_some());
        let at_terminal = io::stdin().is_terminal();
        if let Some(flag) = self.screen.given().filter(|_| !asks || !at_terminal) {
            conflict(&format!("{flag} is for the screen, which does not open here"));
        }
        if at_terminal && (asks || repl) && (options.keep_going || options.echo) {
            conflict("--keep-going and --echo are for scripts");
        }
        if self.action.is_some() && (runs || file.is_some() && !repl) {
            conflict("a file or -c cannot be used together with a subcommand");
        }
        let line = file.as_ref().map(FileGiven::line);
        let commands = self.commands.into_iter().map(Input::Commands);
        let inputs = file.map(input).into_iter().chain(commands);
        let run = |inputs: Vec<_>, config| script::run(&inputs, options, config);
        match self.action {
            None if runs => run(inputs.collect(), config),
            Some(CliAction::Run { files }) => {
                run(files.into_iter().map(|file| input(FileGiven::Script(file))).collect(), config)
            }
            Some(CliAction::Completions { shell }) => completions(shell),
            Some(CliAction::Man) => man(),
            _ if !at_terminal => run(inputs.chain([Input::Stdin]).collect(), config),
            Some(CliAction::Repl { .. }) => repl::run(options, config, line.as_deref()),
            None | Some(CliAction::Demo(_)) => {
                screen(&tui::ScreenOptions { opens: line, ..self.screen }, options, config)
            }
        }
    }
}

/// The program with a game of your own besides, which is on the board at first.
///
/// It gets everything: full screen and prompt, debugger, caches, sessions, tournaments, traces.
pub fn main_with<G: Game + Default>() -> ExitCode {
    engine::bring::<G>();
    main()
}

/// Answers arguments that ask for help, or that make no sense and may be anything.
fn refuse(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let _ = write!(io::stderr(), "{}", visible(&error.render().to_string()));
    process::exit(error.exit_code())
}

/// The front end for a person who asked for nothing in particular.
fn screen(screen: &tui::ScreenOptions, options: Options, config: Result<Config, String>) -> u8 {
    match tui::run(screen, options, &config) {
        Ok(status) | Err(Refusal::Usage(status)) => status,
        Err(Refusal::NoTerminal) => match screen.given() {
            Some(flag) => conflict(&format!("{flag} is for the screen, and there is no terminal")),
            None => repl::run(options, config, screen.opens.as_deref()),
        },
    }
}

fn health(
    screen: &tui::ScreenOptions,
    given: Option<&Path>,
    config: Result<Config, String>,
) -> ExitCode {
    let (text, well) = tui::health::report(screen, given, config);
    print(visible(&text).as_bytes());
    ExitCode::from(u8::from(!well))
}

fn completions(shell: clap_complete::Shell) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "plyscope", &mut script);
    print(&script)
}

fn man() -> u8 {
    let mut page = Vec::new();
    match clap_mangen::Man::new(Cli::command()).render(&mut page) {
        Ok(()) => print(&page),
        Err(_) => 1,
    }
}

/// Prints to a reader that may have seen enough.
fn print(text: &[u8]) -> u8 {
    u8::from(io::stdout().write_all(text).is_err())
}

fn input(opening: FileGiven) -> Input {
    match opening {
        FileGiven::Script(file) if file == Path::new("-") => Input::Stdin,
        FileGiven::Script(file) => Input::File(file),
        FileGiven::Command(line) => Input::Commands(line),
    }
}

/// Says what cannot be used, and leaves.
fn misused(what: impl std::fmt::Display) -> ! {
    script::complain(what);
    process::exit(USAGE.into())
}

fn conflict(message: &str) -> ! {
    Cli::command().error(ErrorKind::ArgumentConflict, message).exit()
}
