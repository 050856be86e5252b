// SPDX-License-Identifier: MIT
import AudioKitLinux

@testable import Echo

/// What a device told so far.
struct DeviceLog {
    /// Everything captured.
    var sound: [Int16] = []
    /// How long each captured piece was, in frames.
    var pieces: [Int] = []
    /// The frames heard, as they were told.
    var heard: [Int] = []
    /// The levels, with the captured frames before each.
    var levels: [(input: Double, output: Double, at: Int)] = []
    var voices: [(isVoice: Bool, at: Int)] = []
    var statuses: [(status: AudioStatus, route: String, at: Int)] = []
    /// The captured frames by the end of a file.
    var inputEnd: Int?
    /// Whether the events are over.
    var hasFinished = false

    /// The last word about what was heard.
    var framesHeard: Int { heard.last ?? 0 }

    /// Takes events until `condition` is true, or they end.
    mutating func read(_ stream: any VoiceStream, until condition: (DeviceLog) -> Bool) async throws {
        guard !hasFinished, !condition(self) else { return }
        for try await event in stream.events {
            note(event)
            if condition(self) { return }
        }
        hasFinished = true
    }

    /// Takes events until so many more frames were captured.
    mutating func read(_ stream: any VoiceStream, frames: Int) async throws {
        let end = sound.count + frames
        try await read(stream) { $0.sound.count >= end }
    }

    private mutating func note(_ event: VoiceDeviceEvent) {
        switch event {
        case .captured(let bytes):
            let piece = AudioBuffer(pcm16: bytes).int16Samples()
            sound += piece
            pieces.append(piece.count)
        case .heard(let frames): heard.append(frames)
        case .voice(let isVoice): voices.append((isVoice, sound.count))
        case .level(let input, let output): levels.append((input, output, sound.count))
        case .status(let status, let route): statuses.append((status, route, sound.count))
        case .inputEnded: inputEnd = sound.count
        }
    }
}

extension VoiceDeviceOptions {
    /// The sound as it is, and buffers so wide that a thread that waits for its turn makes no gap.
    static var wide: VoiceDeviceOptions {
        var options = VoiceDeviceOptions.unprocessed
        options.buffer = .seconds(2)
        return options
    }
}

/// One period of the devices', in frames.
let devicePeriod = 480
