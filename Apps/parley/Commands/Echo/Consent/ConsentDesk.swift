// SPDX-License-Identifier: MIT

import Concurrency
import Domain

/// Asks for consent at this terminal and, at the same time, through `parley approve` in another one: the first answer
/// counts. The desktop announces the question, and never answers it.
struct ConsentDesk: Sendable {
    /// The time limit for `parley approve` when this program has no terminal.
    static let patience = Duration.seconds(300)

    /// Asks at this terminal; nil without one.
    let local: ConsentPrompter?
    /// The folder in which the question is published.
    let folder: String
    /// Announces the question on the desktop; returns true if a desktop showed it.
    let announce: @Sendable (ConsentRequest) async -> Bool
    /// Takes the announcement back.
    let withdraw: @Sendable () async -> Void
    /// Shows a text.
    let tell: @Sendable (String) -> Void
    /// Waits for the time limit.
    var wait: @Sendable () async throws -> Void = { try await ContinuousClock().sleep(for: patience) }

    /// - Returns: The answer; nil without a terminal to ask at.
    func ask(_ request: ConsentRequest) async throws -> ConsentAnswer? {
        // A question that cannot be published can still be asked here.
        let published = try? PendingConsent(request, in: folder)
        defer { published?.close() }
        let isAnnounced = local == nil && published != nil ? await announce(request) : false
        guard local != nil || isAnnounced else { return nil }
        if local == nil {
            tell("\(request.title) Answer it with: parley approve")
        }
        do {
            return try await withCleanup {
                try await first(request, published)
            } cleanup: {
                await withdraw()
            }
        } catch is Unanswered { return nil }
    }

    private struct Unanswered: Error {}

    private func first(_ request: ConsentRequest, _ published: PendingConsent?) async throws -> ConsentAnswer {
        try await withThrowingTaskGroup(of: ConsentAnswer?.self) { group in
            if let published {
                group.addTask {
                    guard let answer = await published.answer() else { return nil }
                    tell("parley approve answered: \(answer.rawValue).")
                    return answer
                }
            }
            if let local {
                group.addTask { try await local.ask(request) }
                // The person may be looking at another window.
                if published != nil {
                    group.addTask {
                        _ = await announce(request)
                        return nil
                    }
                }
            } else {
                group.addTask {
                    try await wait()
                    throw Unanswered()
                }
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() { if let answer { return answer } }
            try Task.checkCancellation()
            return .no
        }
    }
}
