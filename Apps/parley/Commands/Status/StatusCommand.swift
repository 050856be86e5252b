// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import DataLayer
import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// `parley status`: what the assistant does and what waits, for panels and widgets.
struct StatusCommand: Command {
    static let specification = CommandSpecification(
        path: ["status"],
        summary: "Say what the assistant does, its last answer and what waits; --json in one line",
        discussion: """
            It asks nobody for anything and makes no file, so that a panel can run it every few seconds. While the app lock is
            closed, the last answer, the model, the waiting uploads and sync are left out.
            """,
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let status = try await status(in: app, console)
        for line in status.lines { try console.tell(line) }
        if let suggestion = status.suggestion { try console.show(console.text(suggestion.sentence)) }
        try console.emit(status)
        return .done
    }

    private func status(in app: CompositionRoot, _ console: Console) async throws -> Status {
        var warnings: [String] = []
        /// The value of a part; nil with a warning if it cannot be read, which says nothing about the others.
        func part<Value>(_ read: () async throws -> Value?) async throws -> Value? {
            do { return try await read() } catch let error where !(error is CancellationError) {
                let warning = ErrorReport.warning(error)
                console.warn(warning)
                warnings.append(warning.english.printable)
                return nil
            }
        }
        // A lock that cannot be read counts as closed.
        let isLocked = try await part { try await app.sealedData.isLocked() } ?? true
        let listener = try await part { try ListenerSign.content(at: app.paths.listener) }
        var status = Status(
            state: Status.State(listener?.phase), wakeWords: listener?.wakeWords, isLocked: isLocked,
            battery: DeviceInfo.Battery().map(Status.Battery.init),
            waiting: Status.Waiting(
                approvals: approvals(in: app),
                timers: try await part { try await timers(in: app) }))
        if !isLocked {
            status.suggestion = try await part { try await app.openSuggestions()?.current(at: .now) }
                .map(Status.Suggested.init)
            status.model = try await part {
                let assistants = try await app.assistants()
                return assistants.current.map { _ in assistants.used }
            }
            _ = try await part { try await readHistory(in: app, into: &status) }
            status.waiting.uploads = try await part { try await uploads(in: app) }
            status.sync = try await part { try await sync(in: app) }
        }
        if !warnings.isEmpty { status.warnings = warnings }
        return status
    }

    /// The programs that wait for consent; one that was killed has left its socket behind.
    private func approvals(in app: CompositionRoot) -> Int {
        OwnSocket.paths(in: app.paths.pendingConsents).count { path in
            guard let descriptor = try? OwnSocket.connect(to: path) else { return false }
            close(descriptor)
            return true
        }
    }

    private func timers(in app: CompositionRoot) async throws -> Int {
        AppPaths.isMissing(app.paths.alarms) ? 0 : try await app.alarmClock().alarms().count
    }

    private func readHistory(in app: CompositionRoot, into status: inout Status) async throws {
        guard !AppPaths.isMissing(app.paths.conversations) else { return }
        let store = try await app.conversations()
        let newest = try await store.recentMessages(limit: 20)
        status.lastAnswer = newest.last { $0.role == .assistant && !$0.text.isEmpty }.map(Status.Answer.init)
        status.waiting.questions = try await app.withWaitingQuestions(of: store) { try await $0.all().count }
    }

    private func uploads(in app: CompositionRoot) async throws -> Int? {
        guard !AppPaths.isMissing(app.paths.practice) else { return nil }
        return try await app.withPractice(account, isOffline: true) { practice in
            try await practice.session.account?.queue.items().count ?? 0
        }
    }

    private func sync(in app: CompositionRoot) async throws -> SyncState? {
        guard let settings = try SyncSettings.load(from: app.paths.syncSettings), !AppPaths.isMissing(app.paths.sync)
        else { return nil }
        return SyncState(settings, try await app.syncSummary())
    }
}

/// The state of the assistant.
private struct Status: Encodable {
    let state: State
    /// The number of times that the listening program woke up; nil while nobody listens.
    let wakeWords: Int?
    let isLocked: Bool
    let battery: Battery?
    var waiting: Waiting
    var model: String?
    var lastAnswer: Answer?
    var sync: SyncState?
    var suggestion: Suggested?
    /// The parts that cannot be read; nil without such.
    var warnings: [String]?

    enum State: String, Encodable {
        case off, idle, listening, thinking, speaking

        init(_ phase: VoiceLoop.Phase?) { self = phase.flatMap { Self(rawValue: $0.rawValue) } ?? .off }

        var word: Sentence { VoiceLoop.Phase(rawValue: rawValue)?.word ?? "off" }
    }

    struct Suggested: Encodable {
        let id, question, time: String

        init(_ shown: SuggestionState.Shown) {
            (id, question) = (shown.suggestion.id, shown.suggestion.question)
            time = shown.shownAt.formatted(.iso8601)
        }

        var sentence: Sentence { Suggestion(id: id, question: question).sentence }
    }

    struct Waiting: Encodable {
        let approvals: Int
        let timers: Int?
        var questions = 0
        var uploads: Int?
    }

    struct Battery: Encodable {
        let percent: Int
        let isCharging: Bool

        init(_ battery: DeviceInfo.Battery) {
            (percent, isCharging) = (Int((battery.level * 100).rounded()), !battery.isEmptied)
        }
    }

    struct Answer: Encodable {
        let text: String
        let source: String?
        let time: String

        init(_ message: Message) {
            text = message.text
            source = message.source?.text
            time = message.createdAt.formatted(.iso8601)
        }
    }

    /// The status for a person.
    var lines: [Sentence] {
        var lines: [Sentence] = [
            "Listening: \(state.word)",
            isLocked ? "Model: not known" : model.map { "Model: \($0)" } ?? "Model: none",
        ]
        if let wakeWords, wakeWords > 0 {
            lines.append(
                Sentence(one: "Woken up: \(wakeWords) time", other: "Woken up: \(wakeWords) times", count: wakeWords))
        }
        if isLocked { lines.append("The app lock is closed." as Sentence) }
        if let lastAnswer { lines.append("Last answer: \(lastAnswer.text.printable)" as Sentence) }
        if waiting.approvals > 0 {
            let count = waiting.approvals
            lines.append(
                Sentence(
                    one: "Waiting for consent: \(count) tool call (parley approve)",
                    other: "Waiting for consent: \(count) tool calls (parley approve)", count: count))
        }
        if let timers = waiting.timers, timers > 0 {
            lines.append("Timers and alarms: \(timers) (parley timers list)" as Sentence)
        }
        if waiting.questions > 0 {
            let count = waiting.questions
            lines.append(
                Sentence(
                    one: "Waiting for the model: \(count) question (parley later list)",
                    other: "Waiting for the model: \(count) questions (parley later list)", count: count))
        }
        if let uploads = waiting.uploads, uploads > 0 {
            lines.append(
                Sentence(
                    one: "Waiting to be sent: \(uploads) item (parley uploads list)",
                    other: "Waiting to be sent: \(uploads) items (parley uploads list)", count: uploads))
        }
        if let sync { lines.append("Sync: \(sync.lines.joined)" as Sentence) }
        if let battery {
            lines.append(
                battery.isCharging
                    ? "Battery: \(battery.percent) percent" as Sentence
                    : "Battery: \(battery.percent) percent, being emptied" as Sentence)
        }
        return lines
    }
}
