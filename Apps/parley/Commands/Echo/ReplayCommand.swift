// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Echo
import TerminalKit

/// `parley replay`: runs recorded voice conversations again.
struct ReplayCommand: Command {
    private static let file = Positional<[String]>(oneOrMore: "FILE", help: "Traces", completion: .files)
    static let specification = CommandSpecification(
        path: ["replay"],
        summary: "Hold recorded voice conversations again, and say whether they decide the same",
        discussion: """
            Reads what --trace of parley talk or chat recorded: no words, no sound, no keys, but what happened when, and what
            was decided. Needs no network and no sound card. Shows the turns with their times; ends with 6 if a conversation
            decides otherwise today, or a file is damaged.
            """,
        positionals: [file])

    private let files: [String]

    init(_ invocation: Invocation) throws(UsageError) { files = invocation[Self.file] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        var isSame = true
        for file in files {
            do {
                for (index, trace) in try VoiceTrace.conversations(in: try Self.bytes(of: file)).enumerated() {
                    try Task.checkCancellation()
                    isSame = try replay(trace, file, index + 1, console) && isSame
                }
            } catch let error as VoiceTraceError {
                isSame = false
                report(error, file, console)
            }
        }
        return isSame ? .done : .data
    }

    private func replay(_ trace: VoiceTrace, _ file: String, _ number: Int, _ console: Console) throws -> Bool {
        try console.show(console.styled(console.text("\(file), conversation \(number)"), .strong))
        for line in ReplayText.turns(trace) { try console.tell(line) }
        do throws(VoiceTraceError) {
            try trace.replay()
        } catch {
            try console.emit(ReplayOutput(trace, file, number, isSame: false))
            report(error, file, console)
            return false
        }
        try console.tell(ReplayText.verdict(trace))
        try console.emit(ReplayOutput(trace, file, number, isSame: true))
        return true
    }

    private func report(_ error: VoiceTraceError, _ file: String, _ console: Console) {
        console.report(ReplayFailure(sentence: "\(file.printable): \(error.sentence)"))
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        guard let bytes = try InputFile.bytes(of: file, limit: VoiceTrace.maximumSize) else {
            throw VoiceTraceError.tooLarge
        }
        return bytes
    }
}

/// A trace with invalid content.
struct ReplayFailure: Error {
    let sentence: Sentence
}

/// The text about a replayed conversation, for a person.
enum ReplayText {
    static func turns(_ trace: VoiceTrace) -> [Sentence] {
        trace.turns.enumerated().map { index, turn -> Sentence in
            let who: Sentence = turn.speaker == .user ? "you" : "assistant"
            let length = turn.ended.map { "\(seconds($0 - turn.began)) s" as Sentence } ?? "to the end" as Sentence
            let notes = [
                turn.latency.flatMap(VoiceLine.times), turn.isInterrupted ? "interrupted" as Sentence : nil,
                turn.tools.isEmpty ? nil : "called \(turn.tools.joined(separator: ", "))" as Sentence,
            ].compactMap { $0 }
            let line: Sentence = "  \(index + 1)  \(who) at \(seconds(turn.began)) s, for \(length)"
            return notes.isEmpty ? line : "\(line): \(notes.listed)"
        }
    }

    static func verdict(_ trace: VoiceTrace) -> Sentence {
        let sentence = Sentence(
            one: "It decides the same today: \(trace.inputs) input in \(seconds(trace.duration)) s.",
            other: "It decides the same today: \(trace.inputs) inputs in \(seconds(trace.duration)) s.",
            count: trace.inputs)
        return trace.isCut ? "\(sentence) Its end is missing." : sentence
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration.milliseconds / 100).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// `{"event":"replay",…}`; all times in milliseconds.
private struct ReplayOutput: Encodable {
    struct Turn: Encodable {
        let speaker: String
        let began: Double
        let ended: Double?
        let audible: Double?
        let isInterrupted: Bool
        let tools: [String]
    }

    let event = "replay"
    let file: String
    let conversation: Int
    let isSame: Bool
    let isCut: Bool
    let inputs: Int
    let duration: Double
    let turns: [Turn]

    init(_ trace: VoiceTrace, _ file: String, _ number: Int, isSame: Bool) {
        (self.file, conversation, self.isSame) = (file, number, isSame)
        (isCut, inputs, duration) = (trace.isCut, trace.inputs, trace.duration.milliseconds)
        turns = trace.turns.map { turn in
            Turn(
                speaker: turn.speaker.rawValue, began: turn.began.milliseconds, ended: turn.ended?.milliseconds,
                audible: turn.latency?.audible?.milliseconds, isInterrupted: turn.isInterrupted, tools: turn.tools)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case event, file, conversation, isSame, isCut, inputs, duration, turns
    }
}
