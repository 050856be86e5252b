// SPDX-License-Identifier: MIT

import AudioKitLinux
import Testing

@testable import DataVoice

@Suite("The process's own sound", .timeLimit(.minutes(5)))
struct OwnSoundTests {
    /// A listener that is behind looks at the answer's last words when the loudspeaker is quiet already.
    @Test func whatTheMicrophoneHeardBeforeThePlayingEndedCounts() async throws {
        let card = try VirtualCard(capture: nil, playback: .discard)
        let sound = OwnSound()
        let end = ContinuousClock.now
        #expect(!sound.wasPlaying(at: end))
        let playback = try await AudioPlayback.start(device: .virtual(card))
        sound.began(playback)
        #expect(sound.wasPlaying(at: end + .seconds(1)))
        sound.ended(playback, at: end)
        await playback.stop()
        #expect(!sound.isPlaying)
        #expect(sound.wasPlaying(at: end - .milliseconds(700)))
        #expect(sound.wasPlaying(at: end))
        #expect(!sound.wasPlaying(at: end + .milliseconds(1)))
    }
}
