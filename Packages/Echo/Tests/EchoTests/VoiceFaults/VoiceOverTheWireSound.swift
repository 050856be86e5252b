// SPDX-License-Identifier: MIT

@testable import Echo

/// Speech which says by its loudness what number it has, so that whoever hears it knows what was said, and how much of it.
enum WireSound {
    private static let base = 9_000

    /// A piece of 20 ms of an utterance.
    static func piece(of utterance: Int) -> [UInt8] {
        (0..<480).flatMap { place -> [UInt8] in
            let level = Int16(base + utterance)
            let bits = UInt16(bitPattern: place / 60 % 2 == 0 ? level : -level)
            return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
        }
    }

    /// What is heard: each utterance with its pieces, such as "u3:12".
    static func words(of samples: [Int16]) -> String {
        var counts: [Int: Int] = [:]
        for sample in samples where abs(Int(sample)) >= base { counts[abs(Int(sample)) - base, default: 0] += 1 }
        return counts.sorted { $0.key < $1.key }.map { "u\($0.key):\($0.value / 480)" }.joined(separator: " ")
    }

    /// The utterances in a text, with how many pieces of them.
    static func utterances(in text: String) -> [(utterance: Int, pieces: Int)] {
        text.split(separator: " ").compactMap { word in
            let parts = word.split(separator: ":")
            guard parts.count == 2, parts[0].first == "u", let number = Int(parts[0].dropFirst()),
                let pieces = Int(parts[1])
            else { return nil }
            return (number, pieces)
        }
    }

    /// Whether there is any speech in it, in whole pieces.
    static func isLoud(_ bytes: [UInt8]) -> Bool {
        stride(from: 0, to: bytes.count - 1, by: 960).contains { place in
            abs(Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))) >= base
        }
    }

    /// What the simulator answers: 40 ms a word.
    static func answer(_ text: String) -> [Int16] {
        (0..<text.split(separator: " ").count * 960).map { Int16($0 / 60 % 2 == 0 ? 4_000 : -4_000) }
    }
}

/// A clock that runs faster than others.
struct FastClock: Clock {
    private static let origin = ContinuousClock.now
    let factor: Int
    var minimumResolution: Duration { .zero }

    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    var now: Instant { Instant(offset: (ContinuousClock.now - Self.origin) * factor) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await ContinuousClock().sleep(until: Self.origin + deadline.offset / factor)
    }
}
