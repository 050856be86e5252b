// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataAssistant
import DataLayer
import DataVoice
import Diagnostics
import Domain
import FoundationEssentials
import Glibc
import Security
import StateKnowledge

/// Puts the parts together. Each part is opened or loaded only when a command needs it.
struct CompositionRoot: Sendable {
    let paths: AppPaths
    let logger: Logger
    let console: Console
    /// The environment variables.
    let environment: [String: String]

    /// The passphrase of all secrets, if one is set. One object for the process, so that the person is asked once.
    let appLock: AppLock
    /// The look-ups in the sentence cache of speech. One object for the process.
    let sentences = SentenceTally()
    /// The requests of this command to the person's own server. One object for the process.
    let requests = TraceRecorder()
    /// The spans of the turn that is under way. One object for the process.
    let turnSpans = TurnSpans()

    init(paths: AppPaths, logger: Logger, console: Console, environment: [String: String]) {
        self.paths = paths
        self.logger = logger
        self.console = console
        self.environment = environment
        appLock = AppLock(path: paths.appLock)
    }

    /// The facts about the states.
    let knowledge = StateKnowledgeBase()

    /// The use case that answers, storing and counting in `conversations`.
    ///
    /// - Parameters:
    ///   - model: The model that takes part; nil for none.
    ///   - speech: The command's own loudspeaker and speed; nil if it does not speak.
    ///   - router: The order of the parts; by default the model gets what this machine does not answer.
    ///   - ringing: The ringing of alarms in this process, if it rings.
    ///   - keepsForLater: True to keep questions that the model cannot answer now.
    func answerQuestion(
        storingIn conversations: any ConversationRepository & TurnStatistics, model: (any Assistant)? = nil,
        speech: SpeechOutput? = nil, router: AssistantRouter? = nil,
        questionLimit: Int = AnswerQuestion.questionLimit, ringing: RingAlarms? = nil, keepsForLater: Bool = false
    ) -> AnswerQuestion {
        var parts: [AssistantPart: any Assistant] = [
            .intents: IntentAssistant(
                zones: SystemTimeZones(), volume: MixerVolumeControl(speech?.device ?? .default),
                rate: StoredSpeakingRate(app: self, live: speech?.rate), alarms: alarmClock(ringing: ringing)),
            .states: knowledge,
        ]
        parts[.model] = model.map { TracedAssistant(assistant: $0, spans: turnSpans) }
        let keep: @Sendable (WaitingQuestion) async throws -> Void = { try await keepForLater($0) }
        return AnswerQuestion(
            assistant: RoutedAssistant(router ?? .localFirst(withModel: model != nil), parts: parts),
            conversations: conversations, device: Self.machineName, questionLimit: questionLimit, wording: \.message,
            statistics: conversations, keep: keepsForLater ? keep : nil)
    }

    /// The use case that stores a conversation by voice with a model.
    func recordSpeech(
        _ conversation: OngoingConversation, storingIn conversations: any ConversationRepository & TurnStatistics
    ) -> RecordSpeech {
        RecordSpeech(conversation, storingIn: conversations, device: Self.machineName, statistics: conversations)
    }

    /// The machine's name, for what is stored.
    static var machineName: String? {
        var name = utsname()
        guard uname(&name) == 0 else { return nil }
        return withUnsafeBytes(of: name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The stored conversations, opened by their first use; a damaged file is set aside and its readable part is kept,
    /// with a warning. Failing to store costs only a warning, too.
    ///
    /// - Parameters:
    ///   - kept: True to store the conversations; false to keep them in memory only.
    ///   - warn: Called when something cannot be stored; by default it is shown at once.
    func conversations(
        kept: Bool, warn: (@Sendable (Sentence) -> Void)? = nil
    ) -> any ConversationRepository & TurnStatistics {
        let trace: @Sendable (TurnMeasurement, Date) -> Void = { keepTrace(of: $0, endedAt: $1) }
        return BestEffortConversations(
            open: { [console, logger, data = sealedData] in
                guard kept else { return try await SQLiteConversationRepository(logger: logger) }
                return try await data.openForAppending(damage: .salvage { console.progress($0.sentence) })
            }, sentences: sentences, trace: kept ? trace : nil,
            warn: warn ?? { [console] in console.warn($0) })
    }

    /// The stored conversations for reading, after the passphrase of the app lock; a damaged file is an error,
    /// and a missing one is empty.
    func conversations() async throws -> SQLiteConversationRepository {
        guard ![paths.conversations, paths.data + "/inbox"].allSatisfy(AppPaths.isMissing) else {
            return try await SQLiteConversationRepository(logger: logger)
        }
        let data = sealedData
        try await unlock(data)
        return try await data.conversations(damage: .refuse)
    }

    /// Sets a damaged history aside and saves the readable part; nil if it is sound.
    func repairConversations() async throws -> SalvagedFile? {
        try await SQLiteConversationRepository.repair(path: paths.conversations, seal: try await dataSeal())
    }
}
