// SPDX-License-Identifier: MIT

/// One thing that the program does.
protocol Command: Sendable {
    /// Its name, arguments and help.
    static var specification: CommandSpecification { get }

    /// Reads its arguments; throws when they make no sense together.
    init(_ invocation: Invocation) throws(UsageError)

    /// Does it. Results go to the console's output; what is thrown is shown and becomes the exit code.
    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode
}

/// Every command, in the order in which help lists them.
enum Commands {
    static let all: [any Command.Type] = [
        AskCommand.self, ChatCommand.self, TalkCommand.self, ReplayCommand.self, ListenCommand.self,
        TranscribeCommand.self,
        SayCommand.self, HistoryCommand.self,
        HistorySearchCommand.self, HistoryDeleteCommand.self, HistoryRepairCommand.self, MapCommand.self,
        DevicesCommand.self, RecordCommand.self,
        PlayCommand.self, AudioVADCommand.self, AudioMeterCommand.self, AudioDoctorCommand.self,
        AudioLoopbackCommand.self, DoctorCommand.self, InstallCommand.self, UninstallCommand.self,
        NetGetCommand.self, TrustPinCommand.self, TrustListCommand.self, TrustRemoveCommand.self,
        EmbedCommand.self, SearchCommand.self,
        MCPAddCommand.self, MCPListCommand.self, MCPDisableCommand.self, MCPEnableCommand.self, MCPRemoveCommand.self,
        MCPToolsCommand.self, MCPCallCommand.self, ApproveCommand.self,
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
        ServiceCommand.self, CompletionCommand.self,
    ]
}
