// SPDX-License-Identifier: MIT

import CommandLineArguments

/// A command of the program.
protocol Command: Sendable {
    /// The name, arguments and help.
    static var specification: CommandSpecification { get }

    /// Reads the arguments; throws if they contradict each other.
    init(_ invocation: Invocation) throws(UsageError)

    /// Runs the command. Results go to the console's output; a thrown error is shown and becomes the exit code.
    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode
}

extension Flag {
    /// An option of every command: ``Console/isJSON``.
    static let json = Flag("json", help: "Write JSON: one object, or one event a line")
    /// An option of every command.
    static let verbose = Flag("verbose", short: "v", help: "Log to standard error what happens inside")
    /// An option of every command: ``TerminalTraits/canRedraw`` is false.
    static let `static` = Flag("static", help: "Write nothing anew: a line for each event, for screen readers")
    /// An option of the commands that show spoken answers.
    static let noMap = Flag("no-map", help: "Draw no map beside an answer about a state")
    /// An option of the commands that store conversations.
    static let noHistory = Flag("no-history", help: "Keep nothing of it")
}

/// The commands in the order in which help lists them.
enum Commands {
    /// The commands' specifications.
    static var table: CommandTable {
        CommandTable(
            program: "parley", commands: all.map { $0.specification }, everywhere: everywhere, hasVersion: true)
    }

    /// The table for a command line. Commands for work on parley itself are in no list.
    static func table(for words: [String]) -> CommandTable {
        guard words.first(where: { $0 != "help" }) == "dev" else { return table }
        return CommandTable(
            program: "parley", commands: development.map { $0.specification }, everywhere: everywhere)
    }

    private static let everywhere: [any CommandOption] = [Flag.json, Flag.verbose, Flag.static]

    private static let development: [any Command.Type] = [GalleryCommand.self]

    /// The type of a command.
    static func type(of specification: CommandSpecification) -> (any Command.Type)? {
        (all + development).first { $0.specification.path == specification.path }
    }

    /// The parts of the program's help.
    static let sections = [
        HelpSection(
            title: "Ask and talk",
            names: [
                "ask", "talk", "listen", "transcribe", "say", "voices", "speech", "timers", "suggestions",
                "conversations", "later", "history", "map", "status", "stats", "dashboard",
            ]),
        HelpSection(
            title: "Models and their tools",
            names: [
                "chat", "assistant", "context", "models", "prompts", "replay", "embed", "search", "mcp", "approve",
                "settings",
            ]),
        HelpSection(
            title: "Practise a language", names: ["practice", "cues", "progress", "recordings", "uploads", "service"]),
        HelpSection(title: "Sound", names: ["devices", "record", "play", "audio", "serve"]),
        HelpSection(
            title: "Account and data",
            names: ["sign-in", "verify", "whoami", "sessions", "sign-out", "account", "consent", "privacy", "data"]),
        HelpSection(title: "Several devices", names: ["sync"]),
        HelpSection(title: "Secrets and trust", names: ["secrets", "trust"]),
    ]

    /// The help of the whole program.
    static func help(_ table: CommandTable, in language: HelpLanguage = .english) -> String {
        table.help(
            introduction:
                "parley answers questions about US states, typed or spoken, without a network, and chats with models.",
            sections: sections,
            conclusion: """
                parley COMMAND --help says more about one of them. parley --version shows the version.

                Exit codes: 0 done · 2 wrong usage · 3 turned down, by the guardrail or a server · 4 device · 5 network
                · 6 data · 130 interrupted. Results go to standard output, everything else to standard error.
                PARLEY_HOME puts all state under one folder; NO_COLOR turns colours off, PARLEY_STATIC=1 is --static.
                """, in: language)
    }

    static let all: [any Command.Type] = [
        AskCommand.self, ChatCommand.self, TalkCommand.self, ReplayCommand.self, ListenCommand.self,
        TranscribeCommand.self,
        SayCommand.self, VoicesListCommand.self, VoicesShowCommand.self, VoicesAddCommand.self, VoicesEditCommand.self,
        VoicesDeleteCommand.self, VoicesUseCommand.self,
        SpeechAddCommand.self, SpeechListCommand.self, SpeechUseCommand.self,
        SpeechRemoveCommand.self, SpeechTestCommand.self,
        TimersListCommand.self, TimersCancelCommand.self, TimersRingCommand.self,
        SuggestionsOnCommand.self, SuggestionsOffCommand.self, SuggestionsShowCommand.self,
        SuggestionsLimitCommand.self, SuggestionsDismissCommand.self,
        ConversationsListCommand.self, ConversationsShowCommand.self, ConversationsResumeCommand.self,
        ConversationsSearchCommand.self, ConversationsRenameCommand.self, ConversationsPinCommand.self,
        ConversationsUnpinCommand.self, ConversationsExportCommand.self, ConversationsDeleteCommand.self,
        LaterListCommand.self, LaterRunCommand.self, LaterCancelCommand.self, HistoryCommand.self,
        HistorySearchCommand.self, HistoryDeleteCommand.self, HistoryRepairCommand.self, MapCommand.self,
        DevicesCommand.self, RecordCommand.self,
        PlayCommand.self, AudioVADCommand.self, AudioMeterCommand.self, AudioDoctorCommand.self,
        AudioLoopbackCommand.self, ServeWyomingCommand.self, SetupCommand.self, DoctorCommand.self, InstallCommand.self,
        UninstallCommand.self,
        NetGetCommand.self, TrustPinCommand.self, TrustListCommand.self, TrustRemoveCommand.self,
        AssistantAddCommand.self, AssistantUseCommand.self, AssistantListCommand.self, AssistantShowCommand.self,
        AssistantRemoveCommand.self, CacheLimitCommand.self, CacheClearCommand.self,
        ContextListCommand.self, ContextAllowCommand.self, ContextDenyCommand.self, ContextShowCommand.self,
        ContextShareCommand.self, ContextWithholdCommand.self,
        CrashListCommand.self, CrashShowCommand.self, CrashDeleteCommand.self, LogsCommand.self,
        DiagnosticsExportCommand.self, TraceLastCommand.self, TraceExportCommand.self, ModelsCommand.self,
        ModelsUseCommand.self, PromptsAddCommand.self,
        PromptsListCommand.self, PromptsShowCommand.self, PromptsUseCommand.self, PromptsRemoveCommand.self,
        EmbedCommand.self, SearchCommand.self,
        MCPAddCommand.self, MCPListCommand.self, MCPDisableCommand.self, MCPEnableCommand.self, MCPRemoveCommand.self,
        MCPToolsCommand.self, MCPTestCommand.self, MCPCallCommand.self, ApproveCommand.self, StatusCommand.self,
        StatsCommand.self, DashboardCommand.self,
        SecretsSetCommand.self, SecretsGetCommand.self, SecretsListCommand.self, SecretsDeleteCommand.self,
        SecretsLockCommand.self, SecretsUnlockCommand.self, SignInCommand.self, VerifyCommand.self, WhoAmICommand.self,
        SessionsListCommand.self, SessionsRevokeCommand.self, SignOutCommand.self, AccountDeleteCommand.self,
        PracticeCommand.self, PracticeAdoptCommand.self, PracticeRepairCommand.self, CuesListCommand.self,
        CuesNextCommand.self,
        ProgressCommand.self,
        ProgressDeleteCommand.self,
        RecordingsListCommand.self, RecordingsPlayCommand.self, RecordingsExportCommand.self,
        RecordingsDeleteCommand.self, RecordingsRecoverCommand.self, RecordingsLimitCommand.self,
        UploadsListCommand.self, UploadsSendCommand.self, UploadsRetryCommand.self,
        UploadsDiscardCommand.self, FlagsCommand.self, DataExportCommand.self, DataDeleteCommand.self,
        ConsentShowCommand.self, ConsentGiveCommand.self, ConsentWithdrawCommand.self, PrivacyCommand.self,
        SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsUnsetCommand.self,
        SyncSetupCommand.self, SyncJoinCommand.self, SyncAddDeviceCommand.self, SyncDevicesCommand.self,
        SyncRevokeCommand.self, SyncRecoveryShowCommand.self, SyncRecoveryUseCommand.self, SyncStatusCommand.self,
        SyncNowCommand.self, SyncPauseCommand.self, SyncResumeCommand.self, SyncMoveCommand.self, SyncLeaveCommand.self,
        ServiceCommand.self, CompletionCommand.self,
    ]
}
