// SPDX-License-Identifier: MIT

package import AudioKitLinux
package import Speech
import Synchronization

/// A person in a room with a loudspeaker and a microphone, which hears both.
package final class Room: Sendable {
    package let card: VirtualCard
    private let person: Person
    private let loudspeaker: Loudspeaker

    /// Makes a room whose microphone hears the loudspeaker 6 dB down after 3 ms, with a few reflections, and the person
    /// over it.
    package init() throws {
        var response = [Float](repeating: 0, count: 1200)
        for (delay, gain) in [(48, 0.5), (171, 0.2), (402, -0.12), (703, 0.07), (1150, -0.03)] {
            response[delay] = Float(gain)
        }
        let (person, loudspeaker) = (Person(), Loudspeaker())
        card = try VirtualCard(
            capture: .room(response) { person.sample(at: $0) }, playback: .consumer { loudspeaker.play($0) })
        (self.person, self.loudspeaker) = (person, loudspeaker)
    }

    /// Lets the person speak from now on.
    package func say(_ text: String, voice: FliteSynthesizer.Voice = .slt) async throws {
        var samples: [Float] = []
        for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { samples += buffer.samples }
        person.begin(samples)
    }

    /// The time at which the first sound of the last speech reached the microphone, by the card's clock; nil before
    /// that.
    package var beginningOfSpeech: ContinuousClock.Instant? { person.beginning }

    /// The last time at which the loudspeaker was known to sound, up to a period of the playback stream late.
    package var lastSound: ContinuousClock.Instant? { loudspeaker.lastSound }
}

/// The person's voice at the microphone.
private final class Person: Sendable {
    private struct State {
        var samples: [Float] = []
        var start: Int?
        /// The time of frame 0. Frames arrive a period at a time, so the earliest estimate of all frames is right.
        var origin: ContinuousClock.Instant?
    }

    /// The least absolute sample that counts as speech, -40 dBFS.
    private static let audible: Float = 0.01
    private let state = Mutex(State())

    func begin(_ samples: [Float]) {
        state.withLock { state in
            state.samples = samples
            state.start = nil
        }
    }

    var beginning: ContinuousClock.Instant? {
        state.withLock { state in
            guard let origin = state.origin, let start = state.start,
                let first = state.samples.firstIndex(where: { abs($0) > Self.audible })
            else { return nil }
            return origin + Self.duration(start + first)
        }
    }

    func sample(at frame: Int) -> Float {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.origin = min(state.origin ?? now, now - Self.duration(frame))
            let start = state.start ?? frame
            state.start = start
            let index = frame - start
            // The noise of a quiet room, a few units of the last bit.
            let noise = Float((frame &* 1_103_515_245 &+ 12_345) >> 16 & 15) / 32_768 / 2
            return noise + (index < state.samples.count ? state.samples[index] : 0)
        }
    }

    private static func duration(_ frames: Int) -> Duration {
        .nanoseconds(frames * 1_000_000_000 / AudioFormat.speech.sampleRate)
    }
}

/// The assistant's sound in the room.
private final class Loudspeaker: Sendable {
    private let state = Mutex<ContinuousClock.Instant?>(nil)

    var lastSound: ContinuousClock.Instant? { state.withLock { $0 } }

    func play(_ buffer: AudioBuffer) {
        guard buffer.samples.contains(where: { abs($0) > 0.001 }) else { return }
        state.withLock { $0 = .now }
    }
}
