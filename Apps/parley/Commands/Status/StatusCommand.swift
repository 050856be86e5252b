// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
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
        let status = try await status(in: app)
        for line in status.lines { try console.tell(line) }
        if let suggestion = status.suggestion { try console.show(console.text(suggestion.sentence)) }
        try console.emit(status)
        return .done
    }

    private func status(in app: CompositionRoot) async throws -> Status {
        let isLocked = try await app.sealedData.isLocked()
        var status = Status(
            state: (try ListenerSign.phase(at: app.paths.listener))?.rawValue ?? "off", isLocked: isLocked,
            battery: Battery(),
            waiting: Status.Waiting(
                approvals: OwnSocket.paths(in: app.paths.pendingConsents).count,
                timers: AppPaths.isMissing(app.paths.alarms) ? 0 : try await app.alarmClock().alarms().count))
        guard !isLocked else { return status }
        status.suggestion = try await app.openSuggestions()?.current(at: .now).map(Status.Suggested.init)
        let assistants = try await app.assistants()
        status.model = assistants.current.map { _ in assistants.used }
        if !AppPaths.isMissing(app.paths.conversations) {
            let store = try await app.conversations()
            let newest = try await store.recentMessages(limit: 20)
            status.lastAnswer = newest.last { $0.role == .assistant && !$0.text.isEmpty }.map(Status.Answer.init)
            status.waiting.questions = try await app.withWaitingQuestions(of: store) { try await $0.all().count }
        }
        if !AppPaths.isMissing(app.paths.practice) {
            status.waiting.uploads = try await app.withPractice(account, isOffline: true) { practice in
                try await practice.session.account?.queue.items().count ?? 0
            }
        }
        if let settings = try SyncSettings.load(from: app.paths.syncSettings), !AppPaths.isMissing(app.paths.sync) {
            status.sync = SyncState(settings, try await app.syncSummary())
        }
        return status
    }
}

/// The state of the assistant.
private struct Status: Encodable {
    let state: String
    let isLocked: Bool
    let battery: Battery?
    var waiting: Waiting
    var model: String?
    var lastAnswer: Answer?
    var sync: SyncState?
    var suggestion: Suggested?

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
        let timers: Int
        var questions = 0
        var uploads: Int?
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
            "Listening: \(state)",
            isLocked ? "Model: not known" : model.map { "Model: \($0)" } ?? "Model: none",
        ]
        if isLocked { lines.append("The app lock is closed." as Sentence) }
        if let lastAnswer { lines.append("Last answer: \(lastAnswer.text.printable)" as Sentence) }
        if waiting.approvals > 0 {
            let count = waiting.approvals
            lines.append(
                Sentence(
                    one: "Waiting for consent: \(count) tool call (parley approve)",
                    other: "Waiting for consent: \(count) tool calls (parley approve)", count: count))
        }
        if waiting.timers > 0 { lines.append("Timers and alarms: \(waiting.timers) (parley timers list)" as Sentence) }
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
