// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Diagnostics
import Domain
import DurableFiles
import FoundationEssentials
import ProductVersion
import TerminalKit

extension AppPaths {
    /// The times of the stages of the last turns and commands.
    var traces: TraceFile { TraceFile(path: data + "/logs/traces.jsonl") }
}

extension CompositionRoot {
    /// Keeps the trace of a turn. A trace that cannot be kept costs nothing.
    func keepTrace(of measurement: TurnMeasurement, endedAt: Date) {
        let (spans, wokenAt) = turnSpans.take(for: measurement.turn)
        try? paths.traces.append(Trace(of: measurement, spans: spans, wokenAt: wokenAt, endedAt: endedAt))
    }

    /// The traces of a conversation by voice with a model.
    func voiceTracing(kept: Bool) -> VoiceTracing {
        let keep: @Sendable (TraceSpan) -> Void = { [paths] span in
            // A first conversation connects before anything is stored.
            try? paths.makeDataFolder()
            try? paths.traces.append(Trace(TraceID(), spans: [span]))
        }
        return VoiceTracing(spans: turnSpans, keep: kept ? keep : nil)
    }

    /// Keeps the trace of a command that asked the person's server, unless nothing is to be kept of it.
    func keepTrace(of invocation: Invocation) {
        let (id, root, spans) = requests.take()
        let path = invocation.command.path
        guard let start = spans.map(\.start).min(), let end = spans.map(\.end).max(),
            !invocation.givenOptions.contains("no-history"),
            !(["data", "account"].contains(path.first) && path.last == "delete")
        else { return }
        let command = TraceSpan("parley \(path.joined(separator: " "))", id: root, start: start, end: end)
        try? paths.traces.append(Trace(id, spans: [command] + spans))
    }
}

extension Trace {
    /// A trace of this program.
    init(_ id: TraceID, spans: [TraceSpan]) {
        self.init(id, service: "parley", version: ProductVersion.current, spans: spans)
    }

    /// The stages of a spoken turn that a span reaches from and to.
    private static let stretches: [(name: String, from: TurnStage, to: TurnStage)] = [
        ("speech", .speechStarted, .speechEnded), ("end of speech", .speechEnded, .endpointDetected),
        ("recognition", .endpointDetected, .transcriptReady), ("answer", .transcriptReady, .answerReady),
        ("first sentence", .answerReady, .firstAudioReady), ("first sound", .firstAudioReady, .firstSampleAudible),
        ("speaking", .firstSampleAudible, .answerSpoken),
    ]

    /// The trace of a turn, whose id it has. The same turn gives the same spans again, as far as it had come.
    ///
    /// - Parameters:
    ///   - spans: The other spans of its time, such as requests to models.
    ///   - wokenAt: The time of the wake word before it; nil if it needed none.
    init(of measurement: TurnMeasurement, spans: [TraceSpan], wokenAt: Date? = nil, endedAt: Date) {
        let halves = measurement.turn.halves
        let id = TraceID(high: halves.high, low: halves.low)
        let start = measurement.startedAt.nanoseconds
        var stretches: [(name: String, from: Duration, to: Duration)] = Self.stretches.compactMap { name, from, to in
            guard let from = measurement.stages[from], let to = measurement.stages[to] else { return nil }
            return (name, from, to)
        }
        let question = measurement.stages[.transcriptReady] ?? .zero
        if measurement.modality == .text, let answer = measurement.latencies[.answer] {
            stretches.append(("answer", .zero, answer))
        }
        if let whole = measurement.latencies[.wholeAnswer] {
            stretches.append(("whole answer", question, question + whole))
        }
        if let wokenAt {
            let wait = measurement.startedAt.timeIntervalSince(wokenAt)
            stretches.append(("wake word", .zero - .seconds(max(0, wait)), .zero))
        }
        func time(_ offset: Duration) -> UInt64 { UInt64(max(0, Int64(start) + Int64(offset / .nanoseconds(1)))) }
        let root = SpanID(id.low)
        let parts = stretches.enumerated().map { index, stretch in
            TraceSpan(
                stretch.name, id: SpanID(id.low &+ UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15), parent: root,
                start: time(stretch.from), end: time(stretch.to))
        }
        let inside = spans.map { span in
            var span = span
            span.parent = root
            return span
        }
        var attributes: [String: TraceSpan.Value] = [
            "turn.modality": .text(measurement.modality.rawValue), "turn.outcome": .text(measurement.outcome.name),
        ]
        attributes["error.code"] = measurement.outcome.code.map(TraceSpan.Value.text)
        var isFailed = false
        if case .failed = measurement.outcome { isFailed = true }
        let begin = (parts + inside).map(\.start).reduce(start, min)
        let end = (parts + inside).map(\.end).reduce(endedAt.nanoseconds, max)
        let turn = TraceSpan("turn", id: root, start: begin, end: end, attributes: attributes, isFailed: isFailed)
        self.init(id, spans: [turn] + parts + inside)
    }
}

/// A model whose requests and calls of tools are spans of the turn.
struct TracedAssistant: Assistant {
    let assistant: any Assistant
    let spans: TurnSpans

    /// See `Assistant`.
    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        try await spans.measure("model request", .client) {
            try await assistant.answer(question) { event in
                spans.note(event)
                try await report(event)
            }
        }
    }

    /// See `Assistant`.
    func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? { await assistant.foresee(question) }
}

/// The traces for `parley data export`.
struct TraceExport: PersonalDataSource {
    let file: TraceFile

    /// Writes them as OTLP JSON. See `PersonalDataSource`.
    func export(to archive: any ExportArchive) async throws -> [String: Int] {
        let traces = try file.readTraces()
        guard !traces.isEmpty else { return [:] }
        try await archive.add("traces.json", Array(try OTLPTraces.json(of: traces)))
        return ["traces": traces.count]
    }
}

extension TraceFile {
    /// The traces, oldest first.
    ///
    /// - Throws: ``DomainError/file(_:)``.
    func readTraces() throws -> [Trace] {
        do { return try traces() } catch {
            throw DomainError.file(
                "The traces cannot be read: \(error.reason). Check who owns \(error.path.printable).")
        }
    }
}
