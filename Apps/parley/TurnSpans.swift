// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import FoundationEssentials

/// The spans of the turn that is under way, until its measurement is noted. Any thread may call it.
final class TurnSpans: Sendable {
    /// The spans that are kept until they are taken; further ones are dropped.
    static let mostSpans = 200

    private struct State {
        var spans: [TraceSpan] = []
        /// The time of the last wake word, until the listener is open for its question.
        var wakeWord: Date?
        /// The turn that the last wake word began.
        var woken: (turn: TurnID, at: Date)?
    }

    private let state = Guarded(State())

    /// Adds a span.
    func add(_ span: TraceSpan) { state.withLock { if $0.spans.count < Self.mostSpans { $0.spans.append(span) } } }

    /// Runs `body` as a span.
    func measure<Result>(
        _ name: StaticString, _ kind: TraceSpan.Kind, _ body: () async throws -> Result
    ) async throws -> Result {
        let start = ContinuousClock.now
        do {
            let result = try await body()
            add(TraceSpan(name, kind, took: start.duration(to: .now)))
            return result
        } catch {
            add(TraceSpan(name, kind, took: start.duration(to: .now), isFailed: true))
            throw error
        }
    }

    /// Adds the call of a tool that has ended; other events add nothing.
    func note(_ event: AnswerEvent) {
        guard case .toolReturned(_, _, let isError, let took) = event else { return }
        add(TraceSpan("tool call", .client, took: took, isFailed: isError))
    }

    /// Notes the time of a wake word, and the turn for which the listener is then open; other events change nothing.
    func note(_ event: RoomEvent, at now: Date = Date()) {
        switch event {
        case .wakeWord: state.withLock { $0.wakeWord = now }
        case .turn(let turn, .reached(.listening, _)):
            state.withLock { state in
                if let wakeWord = state.wakeWord.take() { state.woken = (turn, wakeWord) }
            }
        default: break
        }
    }

    /// Takes the spans, and the time of the wake word before this turn; nil if it needed none. The time can be taken again.
    func take(for turn: TurnID) -> (spans: [TraceSpan], wokenAt: Date?) {
        state.withLock { state in
            defer { state.spans = [] }
            return (state.spans, state.woken.flatMap { $0.turn == turn ? $0.at : nil })
        }
    }
}

extension TraceSpan {
    /// A span that has just ended, unless another end is given.
    init(
        _ name: StaticString, _ kind: TraceSpan.Kind, took duration: Duration, until end: Date = Date(),
        isFailed: Bool = false
    ) {
        let end = end.nanoseconds
        let length = UInt64(max(0, duration / .nanoseconds(1)))
        self.init("\(name)", kind: kind, start: end - min(end, length), end: end, isFailed: isFailed)
    }
}
