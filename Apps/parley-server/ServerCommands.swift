// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc
import ParleyServer
import PracticeWire

/// A command of the program.
protocol ServerCommand: Sendable {
    /// The name, arguments and help.
    static var specification: CommandSpecification { get }
    /// True if the command ends by the signals that it reads, or lets its parent end it. Others are cancelled.
    static var handlesSignals: Bool { get }

    /// Runs the command.
    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws
}

extension ServerCommand {
    static var handlesSignals: Bool { false }
}

/// The process's parts that a command uses.
struct Surroundings {
    let environment: [String: String]
    let signals: ServerSignals
    /// Writes to standard output.
    let write: @Sendable (String) throws -> Void
}

/// The commands in the order in which help lists them.
enum ServerCommands {
    static let all: [any ServerCommand.Type] = [
        ServeCommand.self, WorkCommand.self, KeysRotateCommand.self, KeysStatusCommand.self,
        CuesImportCommand.self, CuesListCommand.self, CuesRemoveCommand.self,
        UsersListCommand.self, UsersFindCommand.self, UsersShowCommand.self, UsersInviteCommand.self,
        UsersBlockCommand.self, UsersUnblockCommand.self, UsersSignOutCommand.self, UsersDeleteCommand.self,
        JobsCommand.self, JobsRetryCommand.self, MailsCommand.self, StatsCommand.self, AuditCommand.self,
        ServiceTokenCommand.self, ServiceTokenRevokeCommand.self,
        BackupCommand.self, RestoreCommand.self, MigrateCommand.self, TransferCommand.self, SettingsCommand.self,
        CrashListCommand.self, CrashShowCommand.self, CrashDeleteCommand.self, SimulateCommand.self,
        CompletionCommand.self,
    ]

    /// The commands that the program itself starts; help does not list them.
    private static let own: [any ServerCommand.Type] = [EvaluateOneCommand.self]

    static let table = CommandTable(
        program: "parley-server", commands: all.map { $0.specification }, hasVersion: true)

    /// The parts of the program's help.
    static let sections = [HelpSection(title: "Commands", names: Set(table.commands.map { $0.path[0] }))]

    /// Runs the command of an invocation.
    ///
    /// - Throws: ``Interruption`` after the clean-up of a command that a signal cancelled, or the command's error.
    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        guard let command = (all + own).first(where: { $0.specification.path == invocation.command.path }) else {
            return
        }
        if command.handlesSignals { return try await command.run(invocation, in: surroundings) }
        let interruption = Guarded<Interruption?>(nil)
        let work = Task { try await command.run(invocation, in: surroundings) }
        let watch = Task {
            for await signal in surroundings.signals.stream where signal != SIGHUP {
                interruption.withLock { $0 = Interruption(signal: signal) }
                return work.cancel()
            }
        }
        defer { watch.cancel() }
        do { try await work.value } catch { throw interruption.withLock { $0 } ?? error }
    }

    /// The command that some words call.
    static func parse(_ words: [String]) throws -> CommandTable.Request {
        let table =
            own.contains { $0.specification.path.first == words.first }
            ? CommandTable(program: "parley-server", commands: own.map { $0.specification }) : table
        return try table.parse(words)
    }

    /// The help of the whole program.
    static var help: String {
        table.help(
            introduction: "parley-server is the reference server of Parley: sign-in without a password, and practice.",
            sections: sections,
            conclusion: """
                parley-server COMMAND --help says more about one of them. parley-server --version shows the version.
                For development: parley-server serve --dev

                Exit codes: 0 done · 2 wrong usage · 3 no such item · 5 network · 6 data.
                """)
    }
}

/// `--home`.
enum ServerHome {
    static let option = ValueOption<String>(
        "home", placeholder: "DIR",
        help: "Where everything is kept (default $PARLEY_SERVER_HOME, else ~/.local/share/parley-server)")

    /// The folder that the option names, or else the default one.
    static func path(_ invocation: Invocation, _ environment: [String: String]) throws(UsageError) -> String {
        if let home = invocation[option] { return home }
        if let home = environment["PARLEY_SERVER_HOME"], !home.isEmpty { return home }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/parley-server" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw invocation.error(english: "There is no home folder: give --home DIR.")
        }
        return home + "/.local/share/parley-server"
    }
}

/// `--database`.
enum ServerDatabaseURL {
    static let option = ValueOption<String>(
        "database", placeholder: "URL",
        help: "Keep the rows in this PostgreSQL database (default: the setting database, else files in the home)",
        expected: "postgres://USER@HOST/NAME"
    ) { $0.hasPrefix("postgres://") || $0.hasPrefix("postgresql://") ? $0 : nil }

    /// The URL that the option names, or else the environment's or the credentials' setting.
    static func url(_ invocation: Invocation, _ environment: [String: String]) throws -> String? {
        try invocation[option] ?? ServerConfiguration(invocation, environment).text("database")
    }
}

extension ServerConfiguration {
    /// The settings for a command. A credential that one of its options names is not a setting.
    init(_ invocation: Invocation, _ environment: [String: String], file: String? = nil) throws(SettingError) {
        let texts = invocation.command.options.compactMap { invocation.text(of: $0.name) }
        try self.init(file: file, environment: environment, usedPaths: Set(texts))
    }
}

/// `parley-server migrate`.
enum MigrateCommand: ServerCommand {
    private static let dryRun = Flag("dry-run", help: "Say what would be done, and change nothing")
    static let specification = CommandSpecification(
        path: ["migrate"], summary: "Bring the tables of a PostgreSQL database up to date, as serve does at its start",
        discussion: "Prints the names of the migrations, one a line; nothing if the database is up to date.",
        options: [ServerDatabaseURL.option, dryRun])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        guard let url = try ServerDatabaseURL.url(invocation, surroundings.environment) else {
            throw invocation.error(english: "Give --database URL.")
        }
        let names = try await ServerMigration.run(database: url, isDryRun: invocation.has(dryRun))
        for name in names { try surroundings.write(name + "\n") }
    }
}

/// `parley-server keys rotate`.
enum KeysRotateCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["keys", "rotate"], summary: "Let a new signing key take over; a running server takes it at SIGHUP",
        discussion: """
            With --database every instance takes the key by itself within half a minute, and signs with it after two minutes, when
            all of them verify with it.
            """,
        options: [ServerHome.option, ServerDatabaseURL.option, ServerRootKeyOption.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let environment = surroundings.environment
        let settings = try ServerConfiguration(invocation, environment)
        try await ParleyServer.rotateKeys(
            home: ServerHome.path(invocation, environment),
            database: invocation[ServerDatabaseURL.option] ?? settings.text("database"),
            rootKey: ServerRootKeyOption.key(invocation, settings),
            logger: ServerLog().logger(environment: environment))
    }
}

/// `parley-server backup`.
enum BackupCommand: ServerCommand {
    private static let folder = Positional<String>("DIR", help: "The new folder")
    static let specification = CommandSpecification(
        path: ["backup"],
        summary: "Copy databases, recordings and keys into a new folder, also while the server runs",
        discussion: """
            With --database the rows become files, as a home has them: restore brings a server back that needs no PostgreSQL, and
            transfer takes it there. The key of --key-file is not in the backup.
            """,
        positionals: [folder],
        options: [ServerHome.option, ServerDatabaseURL.option, ServerRootKeyOption.option] + ServerObjects.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let home = try ServerHome.path(invocation, surroundings.environment)
        let settings = try ServerConfiguration(invocation, surroundings.environment)
        let backup = ServerBackup(
            of: home, to: invocation[folder],
            objects: try ServerObjects.objects(invocation, settings, surroundings.environment),
            database: invocation[ServerDatabaseURL.option] ?? settings.text("database"),
            rootKey: try ServerRootKeyOption.key(invocation, settings))
        let report = try await backup.run()
        try surroundings.write("\(report.recordings) recordings\n")
        for name in report.missing { try surroundings.write("missing in the home, too: recordings/\(name)\n") }
    }
}

/// `parley-server restore`.
enum RestoreCommand: ServerCommand {
    private static let backup = Positional<String>("DIR", help: "The backup")
    static let specification = CommandSpecification(
        path: ["restore"], summary: "Put a backup into an empty home, while no server runs there",
        positionals: [backup],
        options: [ServerHome.option] + ServerObjects.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let home = try ServerHome.path(invocation, surroundings.environment)
        let settings = try ServerConfiguration(invocation, surroundings.environment)
        let objects = try ServerObjects.objects(invocation, settings, surroundings.environment)
        let count = try await ServerRestore(of: invocation[backup], to: home, objects: objects).run()
        try surroundings.write("\(count) files\n")
    }
}

/// `parley-server settings`.
enum SettingsCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["settings"], summary: "Show what --config FILE may hold: every name with its default")

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try surroundings.write(ServerConfiguration.documentation)
    }
}

/// `parley-server completion`.
enum CompletionCommand: ServerCommand {
    private static let shell = Positional<CompletionScript>(
        "SHELL", help: "bash, zsh or fish", choices: CompletionScript.allCases)
    static let specification = CommandSpecification(
        path: ["completion"], summary: "Write a completion script for a shell", positionals: [shell])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try surroundings.write(invocation[shell].text(CompletionWords(ServerCommands.table)))
    }
}

/// `parley-server cues import`.
enum CuesImportCommand: ServerCommand {
    private static let file = Positional<String>("FILE", help: "The cues", completion: .files)
    static let specification = CommandSpecification(
        path: ["cues", "import"], summary: "Add cues, or replace those of the same id",
        discussion: "A JSON object a line, as cues list shows them; id and created_at may be missing.",
        positionals: [file],
        options: [ServerHome.option, ServerDatabaseURL.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let path = invocation[file]
        let text: String
        do {
            text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw invocation.error(english: "\(path) cannot be read as UTF-8: check path, permissions and encoding.")
        }
        try await CueCatalogue.with(invocation, surroundings) { catalogue in
            try surroundings.write("\(await catalogue.add(jsonLines: text)) cues\n")
        }
    }
}

/// `parley-server cues list`.
enum CuesListCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["cues", "list"], summary: "Show the catalogue, a JSON object a line",
        options: [ServerHome.option, ServerDatabaseURL.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await CueCatalogue.with(invocation, surroundings) { catalogue in
            try await catalogue.forEachPage { page in
                for cue in page { try surroundings.write(String(decoding: WireJSON.encode(cue), as: UTF8.self) + "\n") }
            }
        }
    }
}

/// `parley-server cues remove`.
enum CuesRemoveCommand: ServerCommand {
    private static let cue = Positional<String>("ID", help: "Its id, as cues list shows it")
    static let specification = CommandSpecification(
        path: ["cues", "remove"], summary: "Take a cue away",
        positionals: [cue],
        options: [ServerHome.option, ServerDatabaseURL.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let id = invocation[cue]
        try await CueCatalogue.with(invocation, surroundings) { catalogue in
            guard try await catalogue.remove(id) else { throw NoSuchCue(id: id) }
        }
    }
}

extension CueCatalogue {
    /// Opens the catalogue of a home, calls `body` and closes the catalogue, also after an error.
    fileprivate static func with(
        _ invocation: Invocation, _ surroundings: Surroundings, _ body: (CueCatalogue) async throws -> Void
    ) async throws {
        let catalogue = try await CueCatalogue(
            home: ServerHome.path(invocation, surroundings.environment),
            database: ServerDatabaseURL.url(invocation, surroundings.environment))
        try await withCleanup {
            try await body(catalogue)
        } cleanup: {
            await catalogue.close()
        }
    }
}
