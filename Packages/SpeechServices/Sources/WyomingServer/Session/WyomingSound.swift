// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechServices
import StructuredJSON

/// The format of a client's sound: rate in hertz, width in bytes, channels.
package struct WyomingSoundFormat: Sendable, Hashable {
    package let rate: Int
    package let width: Int
    package let channels: Int

    /// Reads the values of an `audio-start` or `audio-chunk`.
    init(_ data: JSONObject) throws(WyomingRefusal) {
        guard let rate = data["rate"]?.integer, let width = data["width"]?.integer,
            let channels = data["channels"]?.integer
        else { throw WyomingRefusal(.invalidRequest, "Sound needs its rate, width and channels as numbers.") }
        guard (4_000...192_000).contains(rate), (1...4).contains(width), (1...8).contains(channels) else {
            throw WyomingRefusal(
                .unsupportedSound, "Send sound of 4000 to 192000 Hz, 1 to 4 bytes a sample, and 1 to 8 channels.")
        }
        (self.rate, self.width, self.channels) = (rate, width, channels)
    }

    var bytesPerSecond: Int { rate * width * channels }
}

/// A part of a client's sound: whole frames of signed little-endian samples, of every width, as the reference reads them.
package struct WyomingSound: Sendable, Hashable {
    package let format: WyomingSoundFormat
    package let bytes: [UInt8]
    /// The client's own time of the part, in milliseconds.
    package let timestamp: Int?

    /// The samples as a buffer.
    var buffer: AudioBuffer {
        let width = format.width
        let scale = 1 / Float(1 << (8 * width - 1))
        let samples = [Float](unsafeUninitializedCapacity: bytes.count / width) { samples, count in
            for index in 0..<bytes.count / width {
                var value: Int32 = 0
                for byte in 0..<width { value |= Int32(bytes[index * width + byte]) << (8 * byte) }
                // The sign is in the last byte.
                samples[index] = Float((value << (32 - 8 * width)) >> (32 - 8 * width)) * scale
            }
            count = bytes.count / width
        }
        return AudioBuffer(samples: samples, format: AudioFormat(sampleRate: format.rate, channels: format.channels))
    }
}

/// Converts one stream of a client's sound into an engine's format.
struct WyomingSoundInput {
    let target: AudioFormat
    private let converter: WyomingServerConfiguration.RateConverter?

    init(
        _ format: WyomingSoundFormat, to target: AudioFormat, _ configuration: WyomingServerConfiguration
    ) throws(WyomingRefusal) {
        self.target = target
        guard format.rate != target.sampleRate else {
            converter = nil
            return
        }
        do {
            converter = try configuration.makeRateConverter?(format.rate, target.sampleRate)
        } catch { converter = nil }
        guard converter != nil else {
            throw WyomingRefusal(.unsupportedSound, "Send sound of \(target.sampleRate) Hz.")
        }
    }

    func convert(_ sound: WyomingSound) -> AudioBuffer {
        let buffer = sound.buffer
        guard let converter else { return buffer.withChannels(target.channels) }
        return mono(converter.process(buffer.mixedToMono().samples))
    }

    /// The rest of the sound.
    func finish() -> AudioBuffer { mono(converter?.finish() ?? []) }

    private func mono(_ samples: [Float]) -> AudioBuffer {
        AudioBuffer(samples: samples, format: AudioFormat(sampleRate: target.sampleRate))
            .withChannels(target.channels)
    }
}
