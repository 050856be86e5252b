// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech

/// The speech of a day, synthesised once.
struct Voices: Sendable {
    let calls: [[Float]]
    let questions: [[Float]]
    let remarks: [[Float]]

    init() async throws {
        calls = try await Self.read(["hey jarvis"])
        questions = try await Self.read([
            "what is the capital of texas", "what is the state bird of utah", "tell me about california",
            "what is the largest city in florida", "what is the capital of ohio",
        ])
        remarks = try await Self.read([
            "we should leave before it rains", "did you see where i put the keys", "they harvest the wheat in july",
            "the meeting is moved to thursday afternoon", "i would like another cup of coffee please",
        ])
    }

    private static func read(_ sentences: [String]) async throws -> [[Float]] {
        var result: [[Float]] = []
        for voice in [FliteSynthesizer.Voice.slt, .rms] {
            for sentence in sentences {
                var samples: [Float] = []
                for try await buffer in try FliteSynthesizer(voice: voice).synthesize(sentence) {
                    samples += buffer.samples
                }
                result.append(samples)
            }
        }
        return result
    }
}
