// SPDX-License-Identifier: MIT

/// Finds where speech begins and ends, by loudness and by how often the sound crosses zero, in frames of 20 ms.
struct TurnDetector: Sendable {
    struct Settings: Sendable, Hashable {
        /// From 0 to 1: the level that counts as speech, from -60 to -20 dBFS.
        var threshold = 0.5
        /// The sound before the speech that belongs to it, in milliseconds.
        var prefixPadding = 300
        /// The silence that ends the speech, in milliseconds.
        var silence = 500
    }

    /// Positions are in milliseconds of all sound that was appended.
    enum Event: Sendable, Hashable {
        case started(at: Int)
        case stopped(at: Int)
    }

    static let frame = 20 * SoundFormat.samplesPerMillisecond
    /// The number of loud frames among the last four that begins speech. A click has fewer.
    private static let loudFrames = 3

    var settings: Settings
    private(set) var isSpeaking = false
    private var rest: [Int16] = []
    /// True if each of the last four frames was loud.
    private var recent: [Bool] = []
    /// The end of the last frame that was taken, in milliseconds.
    private var position: Int
    private var lastLoud = 0
    /// The end of the previous turn, before which the next one cannot begin.
    private var floor: Int

    /// - Parameter position: The length of the sound appended before, in milliseconds.
    init(_ settings: Settings, position: Int = 0) {
        self.settings = settings
        self.position = position
        floor = position
    }

    mutating func append(_ samples: [Int16]) -> [Event] {
        rest += samples
        var events: [Event] = []
        var place = 0
        while place + Self.frame <= rest.count {
            if let event = take(rest[place..<(place + Self.frame)]) { events.append(event) }
            place += Self.frame
        }
        rest.removeFirst(place)
        return events
    }

    /// Discards speech that has begun: the buffer was committed or cleared.
    mutating func reset(at position: Int) {
        isSpeaking = false
        recent = []
        floor = position
    }

    private mutating func take(_ samples: ArraySlice<Int16>) -> Event? {
        position += 20
        let isLoud = isLoud(samples)
        if isLoud { lastLoud = position }
        guard !isSpeaking else {
            guard !isLoud, position - lastLoud >= settings.silence else { return nil }
            isSpeaking = false
            recent = []
            floor = position
            return .stopped(at: position)
        }
        recent = recent.suffix(3) + [isLoud]
        guard recent.count(where: { $0 }) >= Self.loudFrames else { return nil }
        isSpeaking = true
        let start = position - 20 * (recent.count - (recent.firstIndex(of: true) ?? 0))
        recent = []
        return .started(at: max(floor, start - settings.prefixPadding))
    }

    /// Hiss crosses zero at every other sample, so it has to be ten times as strong.
    private func isLoud(_ samples: ArraySlice<Int16>) -> Bool {
        var energy = 0.0
        var crossings = 0
        var last: Int16 = 0
        for sample in samples {
            let value = Double(sample) / 32_768
            energy += value * value
            if (sample < 0) != (last < 0) { crossings += 1 }
            last = sample
        }
        energy /= Double(samples.count)
        return energy >= level * (crossings * 5 > samples.count * 2 ? 10 : 1)
    }

    /// The mean square of the threshold: 10^(dB/10) by repeated steps of a quarter decibel.
    private var level: Double {
        let steps = Int(((-60 + 40 * settings.threshold) * 4).rounded())
        var level = 1.0
        for _ in 0..<(-steps) { level *= 0.944_060_876_285_923 }
        return level
    }
}
