// SPDX-License-Identifier: MIT

import DataVoice
import DataVoiceTestSupport
import Diagnostics
import Domain
import Glibc
import Speech
import VoiceActivity

/// Speaks into the assistant's answers in a virtual room, in real time, and prints the length of each answer after
/// that, a line each: milliseconds from the person's first sound at the microphone to the assistant's last sound from
/// the loudspeaker. A line `missed` is an answer that was not interrupted.
///
/// usage: BargeInTestSupport ANSWERS
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else { exit(2) }
        AllocatedMemory.shareOneArena()
        async let recognizer = GrammarRecognizer.forStateQuestions()
        let (detector, endpointing) = detector()
        let engines = MicrophoneListener.Engines(
            wakeWord: try await WakeWordDetector(phrase: .init("hey jarvis")), recognizer: try await recognizer,
            detector: detector, endpointing: endpointing)
        let room = try Room()
        let assistant = try RoomAssistant(room, engines: engines)
        await assistant.listen(tenths: 8)
        for _ in 0..<count { print(try await bargeIn(assistant).map { "\($0)" } ?? "missed") }
        await assistant.stop()
    }

    /// Chooses like parley listen: the network if its weights are installed.
    private static func detector() -> (any VoiceActivityDetector & Sendable, Endpointer.Configuration) {
        if let weights = try? SileroWeights() { return (SileroDetector(weights: weights), .silero) }
        return (SpectralDetector(), .spectral)
    }

    /// Asks for a long answer, speaks into it, and lets the assistant fall asleep again.
    private static func bargeIn(_ assistant: RoomAssistant) async throws -> Double? {
        try await assistant.room.say("hey jarvis, tell me about california")
        var tenths = 0
        var isAnswering = false
        await assistant.next { event in
            if case .level = event { tenths += 1 }
            if case .turn(_, .reached(.firstSampleAudible, _)) = event { isAnswering = true }
            return isAnswering || tenths > 120
        }
        guard isAnswering else { return nil }
        await assistant.listen(tenths: 25)
        try await assistant.room.say("what is the capital of ohio", voice: .rms)
        var wasInterrupted = false
        await assistant.next { event in
            if case .interrupted = event { wasInterrupted = true }
            if case .phase(.idle) = event { return true }
            return wasInterrupted
        }
        // Waits until the loudspeaker's buffer has been counted; the next answer has not started yet.
        await assistant.listen(tenths: 4)
        let (beginning, end) = (assistant.room.beginningOfSpeech, assistant.room.lastSound)
        if wasInterrupted { await assistant.next(.idle) }
        guard wasInterrupted, let beginning, let end else { return nil }
        return (end - beginning) / .milliseconds(1)
    }
}
