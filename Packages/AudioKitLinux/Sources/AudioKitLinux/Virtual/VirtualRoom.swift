// SPDX-License-Identifier: MIT
internal import AudioDSP

/// The path from a virtual card's loudspeaker to its microphone: a filter by an impulse response, and other sound in
/// the room.
struct VirtualRoom {
    private let taps: [(delay: Int, gain: Float)]
    private let longest: Int
    /// The last frames that were played, as many as the response is long.
    private var past: [Float] = []

    private let near: (@Sendable (Int) -> Float)?
    /// The next frame's index.
    private var frame = 0

    init(_ response: [Float], near: (@Sendable (Int) -> Float)? = nil) {
        self.near = near
        taps = response.enumerated().compactMap { $1 == 0 ? nil : ($0, $1) }
        longest = response.count
    }

    /// The sound at the microphone while `played` (interleaved) leaves the loudspeaker.
    mutating func hear(_ played: [Int16], channels: Int) -> [Int16] {
        let history = longest * channels
        if past.count != history { past = [Float](repeating: 0, count: history) }
        let line = past + played.map { Float($0) * (1 / 32768) }
        var heard = [Float](repeating: 0, count: played.count)
        for (delay, gain) in taps {
            let offset = history - delay * channels
            for index in heard.indices { heard[index] += gain * line[offset + index] }
        }
        past = Array(line.suffix(history))
        if let near {
            for index in heard.indices { heard[index] += near(frame + index / channels) }
        }
        frame += played.count / channels
        return heard.map(SampleConversion.int16)
    }
}
