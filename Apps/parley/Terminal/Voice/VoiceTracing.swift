// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import Echo
import FoundationEssentials

/// The traces of a conversation by voice with a model: one of connecting, and spans of each turn.
struct VoiceTracing: Sendable {
    let spans: TurnSpans
    /// Keeps a trace of one span; nil if nothing is to be kept.
    let keep: (@Sendable (TraceSpan) -> Void)?

    /// Connects by `body`: the start of tool servers, the session and the sound devices.
    ///
    /// - Throws: `UnsupportedModel`, and the other errors of `body`.
    func connecting(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        do { try await body() } catch {
            keep?(TraceSpan("connect", .client, took: start.duration(to: .now), isFailed: true))
            throw UnsupportedModel(error, for: .voice) ?? error
        }
        keep?(TraceSpan("connect", .client, took: start.duration(to: .now)))
    }

    /// Adds the way from the end of speech to the first sound that can be heard, at the moment when that is known. An answer
    /// without sound has no such spans.
    func note(_ event: EchoEvent, at now: Date = Date()) {
        guard case .turnTimed(let latency) = event, let audible = latency.audible else { return }
        func add(_ name: StaticString, _ kind: TraceSpan.Kind, from: Duration?, to: Duration?) {
            guard let from, let to else { return }
            let end = now.addingTimeInterval(-((audible - to) / .seconds(1)))
            spans.add(TraceSpan(name, kind, took: to - from, until: end))
        }
        // A server that detects the end of speech is not asked for the answer.
        add("response request", .client, from: latency.sent ?? .zero, to: latency.firstEvent)
        add("first audio", .internal, from: latency.firstEvent, to: latency.firstAudio)
        add("first sound", .internal, from: latency.firstAudio, to: audible)
    }
}
