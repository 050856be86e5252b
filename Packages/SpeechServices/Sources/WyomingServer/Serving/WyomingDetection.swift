// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechEngines
import SpeechServices
import StructuredJSON

/// One `detect`: a spotter for each wake word, and the positions in the stream.
struct WyomingDetection {
    private struct Ear {
        let word: WyomingEngines.WakeWord
        let spotter: any WakeWordSpotter
        var input: WyomingSoundInput?
        var position = 0
    }

    private var ears: [Ear] = []
    private var hasDetected = false

    /// Loads the spotters.
    init(_ words: [WyomingEngines.WakeWord]) async throws {
        for word in words { ears.append(Ear(word: word, spotter: try await word.make())) }
    }

    mutating func begin(
        _ format: WyomingSoundFormat, _ configuration: WyomingServerConfiguration
    ) throws(WyomingRefusal) {
        hasDetected = false
        for index in ears.indices {
            let target = ears[index].spotter.format
            // A gap, so that the spotter begins anew.
            if ears[index].position > 0 { ears[index].position += target.sampleRate }
            ears[index].input = try WyomingSoundInput(format, to: target, configuration)
        }
    }

    /// The `detection`s in the next sound.
    mutating func hear(_ sound: WyomingSound) async throws -> [WyomingFrame] {
        try await hear(timestamp: sound.timestamp) { $0.convert(sound) }
    }

    /// The last `detection`s, or `not-detected`.
    mutating func finish() async throws -> [WyomingFrame] {
        // A spotter is certain some tenths of a second after the word.
        let frames =
            try await hear(timestamp: nil) { $0.finish() }
            + hear(timestamp: nil) { AudioBuffer(silentFrames: $0.target.sampleRate, format: $0.target) }
        return hasDetected ? frames : frames + [WyomingFrame("not-detected")]
    }

    private mutating func hear(
        timestamp: Int?, _ next: (WyomingSoundInput) -> AudioBuffer
    ) async throws -> [WyomingFrame] {
        var frames: [WyomingFrame] = []
        for index in ears.indices {
            guard let input = ears[index].input else { continue }
            let buffer = next(input)
            let position = ears[index].position
            ears[index].position += buffer.frameCount
            for _ in try await ears[index].spotter.spot(buffer, at: position) {
                let time = timestamp ?? position * 1_000 / input.target.sampleRate
                frames.append(
                    WyomingFrame(
                        "detection", data: ["name": .string(ears[index].word.id), "timestamp": .integer(time)]))
            }
        }
        if !frames.isEmpty { hasDetected = true }
        return frames
    }
}
