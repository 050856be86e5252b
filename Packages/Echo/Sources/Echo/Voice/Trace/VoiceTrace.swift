// SPDX-License-Identifier: MIT

/// A recorded voice conversation, which can be held again: without network, sound card and words.
///
/// ```swift
/// for trace in try VoiceTrace.conversations(in: bytes) { try trace.replay() }
/// ```
///
/// The machine that decides in a voice conversation is a pure value, so that the same inputs at the same times have to
/// make the same actions. Where they do not, the machine has changed: wanted, or not.
public struct VoiceTrace: Sendable {
    /// The form of traces that this program writes and reads.
    public static let version = 1
    /// The most bytes of a file that are read.
    public static let maximumSize = 256 << 20
    /// The most bytes of sound that a conversation may have. A day of it has 4 GB; traces of so much are not read.
    static let maximumSound = 1 << 30
    /// What the first line of a conversation begins with.
    static let mark = "parleyVoiceTrace"

    /// One line.
    struct Step: Sendable {
        let line: Int
        let at: Duration
        /// `nil` for doing what was due.
        let input: JSONValue?
        let actions: JSONValue
    }

    let configuration: VoiceMachine.Configuration
    let history: [RealtimeItem]
    let knownMessages: [String]
    var steps: [Step] = []
    /// True if the end is missing: the program that recorded it was ended, or the trace had become too large.
    public internal(set) var isCut = false

    /// From the first input to the last.
    public var duration: Duration {
        guard let first = steps.first, let last = steps.last else { return .zero }
        return last.at - first.at
    }

    /// The number of inputs.
    public var inputs: Int { steps.count }

    /// Runs the inputs through a fresh machine at their recorded times, and compares what it does.
    ///
    /// - Throws: ``VoiceTraceError/differs(line:recorded:today:)`` at the first line that is another.
    public func replay() throws(VoiceTraceError) {
        var machine = VoiceMachine(
            configuration: configuration, history: history, knownMessages: knownMessages)
        for step in steps {
            let actions: [VoiceAction]
            if let input = step.input {
                actions = machine.handle(try Self.input(input, line: step.line), at: step.at)
            } else {
                actions = machine.advance(to: step.at)
            }
            let today = VoiceTraceRecorder.json(of: actions)
            guard TraceRedaction.withoutHashes(today) == TraceRedaction.withoutHashes(step.actions) else {
                throw .differs(line: step.line, recorded: step.actions.text, today: today.text)
            }
        }
    }

    static func input(_ json: JSONValue, line: Int) throws(VoiceTraceError) -> VoiceInput {
        do throws(WireError) {
            return try VoiceInput(traceJSON: json)
        } catch {
            throw .damaged(line: line, reason: error.description)
        }
    }
}
