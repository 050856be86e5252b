// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import DataLayer
import DesktopNotifications
import Diagnostics
import Domain
import FoundationEssentials
import TerminalKit

extension CompositionRoot {
    /// The time between two looks at whether something is to be suggested.
    private static let suggestionInterval = Duration.seconds(300)

    /// The suggestions that are stored.
    func suggestions() async throws -> KeyValueSuggestions { KeyValueSuggestions(try await settingsFile()) }

    /// The state of suggestions; nil while nothing was ever chosen, or while the app lock is closed.
    func openSuggestions() async throws -> SuggestionState? {
        guard !AppPaths.isMissing(paths.settings), try await !settingsAreLocked() else { return nil }
        return try await suggestions().state()
    }

    /// Suggests what the person usually asks now, until the task is cancelled; nothing while they have not switched it on.
    /// A failure is only logged.
    ///
    /// - Parameters:
    ///   - notifies: True to tell the desktop, too.
    ///   - show: Shows a suggestion.
    func suggestMeanwhile(notifies: Bool, _ show: @escaping @Sendable (Suggestion) async -> Void) async {
        let notifier = DesktopNotifier(application: "parley")
        repeat {
            do {
                guard let suggestion = try await nextSuggestion() else { continue }
                await show(suggestion)
                if notifies { await notify(of: suggestion, by: notifier) }
            } catch {
                logger.debug("nothing is suggested: \("\(error)", privacy: .public)")
            }
        } while (try? await Task.sleep(for: Self.suggestionInterval)) != nil
    }

    /// The suggestion for now, which counts as shown; nil for none.
    private func nextSuggestion() async throws -> Suggestion? {
        let (now, choose) = (Date.now, ChooseSuggestion(id: KeyValueSuggestions.id))
        let zones = SystemTimeZones()
        let offset = { (time: Date) in (try? zones.offset(in: nil, at: time))?.seconds ?? 0 }
        guard let state = try await openSuggestions(), choose.isTime(state, at: now, secondsFromGMT: offset) else {
            return nil
        }
        let history = AskedQuestion.questions(of: try await questionHistory())
        let choice = try contextChoice()
        let sources = contextSources(choice, isPatient: true).filter { [.activity, .events].contains($0.part) }
        let context = sources.isEmpty ? nil : await GatherContext(sources, deadline: Self.patience)().context
        guard
            let suggestion = choose(from: history, state, context: context, at: now, secondsFromGMT: offset),
            try await suggestions().claim(suggestion, at: now)
        else { return nil }
        return suggestion
    }

    private func notify(of suggestion: Suggestion, by notifier: DesktopNotifier) async {
        let notification = DesktopNotification(
            title: console.translator("You usually ask this now"),
            body: ForeignText.short(suggestion.question, limit: 200) + "\n"
                + console.translator("Never again: parley suggestions dismiss \(suggestion.id)"),
            urgency: .low)
        do { try await notifier.show(notification) } catch {
            logger.debug("no notification: \("\(error)", privacy: .public)")
        }
    }
}

/// `{"event":"suggestion",…}`
struct SuggestionEvent: Encodable {
    let event = "suggestion"
    let id, question: String

    init(_ suggestion: Suggestion) { (id, question) = (suggestion.id, suggestion.question) }

    private enum CodingKeys: String, CodingKey { case event, id, question }
}

extension Suggestion {
    /// The sentence for a person.
    var sentence: Sentence {
        "You usually ask now: \(ForeignText.short(question, limit: 200)) (parley suggestions dismiss \(id) ends that)"
    }
}
