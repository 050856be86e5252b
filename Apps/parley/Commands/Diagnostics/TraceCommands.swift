// SPDX-License-Identifier: MIT

import CommandLineArguments
import Diagnostics
import Domain
import FoundationEssentials
import TerminalKit

/// `parley trace last`: shows the times of the last turns.
struct TraceLastCommand: Command {
    private static let count = Positional<String?>(optional: "N", help: "How many, from 1 to 100 (default: 1)")
    static let specification = CommandSpecification(
        path: ["trace", "last"],
        summary: "Show how long each stage of the last turns took, and requests to your server",
        discussion: """
            A turn has spans for the wake word, for what was heard, recognised, answered and spoken, for requests to a model, and
            for calls of its tools; a conversation by voice with a model has a trace of how it connected, too. A command that asks
            your server has a span for each request, which the server's log names by the same id; other servers do not learn it. At
            most 100 turns are kept on this device, without a word of them, and with --no-history none. Nothing is sent.
            """,
        positionals: [count])

    private let count: Int

    init(_ invocation: Invocation) throws(UsageError) {
        guard let text = invocation[Self.count] else {
            count = 1
            return
        }
        guard let count = Int(text), (1...100).contains(count) else {
            throw invocation.error("N is a whole number from 1 to 100.")
        }
        self.count = count
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let traces = try app.paths.traces.readTraces().suffix(count)
        if traces.isEmpty { console.progress("No turn is kept yet.") }
        for trace in traces {
            let spans = trace.ordered
            let begin = spans.map(\.span.start).min() ?? 0
            let time = Date(timeIntervalSince1970: Double(begin) / 1e9).formatted(.iso8601)
            try console.show(console.styled("\(time)  \(trace.id.grouped)", .strong))
            let rows = spans.map { span, depth in
                Waterfall.Row(
                    String(repeating: "  ", count: depth + 1) + span.name.printable + (span.isFailed ? " !" : ""),
                    from: Self.milliseconds(span.start - begin), to: Self.milliseconds(span.end - begin))
            }
            let waterfall = Waterfall(rows, glyphs: console.traits.glyphs)
            for line in waterfall.lines(width: console.output.columns ?? 80) { try console.show(line) }
        }
        try console.emit(["traces": traces.map(Output.init)])
        return .done
    }

    private static func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }

    private struct Output: Encodable {
        struct Span: Encodable {
            let name: String
            let depth: Int
            let start, milliseconds: Double
            let isFailed: Bool
        }

        let id: String
        let spans: [Span]

        init(_ trace: Trace) {
            let ordered = trace.ordered
            let begin = ordered.map(\.span.start).min() ?? 0
            id = trace.id.description
            spans = ordered.map { span, depth in
                Span(
                    name: span.name, depth: depth, start: TraceLastCommand.milliseconds(span.start - begin),
                    milliseconds: TraceLastCommand.milliseconds(span.end - span.start), isFailed: span.isFailed)
            }
        }
    }
}

/// `parley trace export`: writes the traces for other programs.
struct TraceExportCommand: Command {
    private static let file = Positional<String>("FILE", help: "Where to: a new .json", completion: .files)
    static let specification = CommandSpecification(
        path: ["trace", "export"], summary: "Write the kept traces as OTLP JSON, which OpenTelemetry's programs read",
        positionals: [file])

    private let file: String

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation[Self.file]
        try FileEnding.check(file, is: "json", of: invocation.command)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let traces = try app.paths.traces.readTraces()
        try NewFile.write(Array(try OTLPTraces.json(of: traces)), to: file)
        let done: Sentence = "\(file.printable) is written; number of traces: \(traces.count)."
        try console.show(console.text(done))
        try console.emit(["traces": traces.count])
        return .done
    }
}
