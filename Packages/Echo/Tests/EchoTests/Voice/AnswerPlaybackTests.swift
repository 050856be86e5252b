// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

struct AnswerPlaybackTests {
    private static let part = HeardAudio.Part(itemID: "a", contentIndex: 0)

    /// A second of sound, of which the device has a tenth.
    private func playing() -> AnswerPlayback {
        var playback = AnswerPlayback(lead: .milliseconds(100))
        playback.add([UInt8](repeating: 1, count: 48_000), of: Self.part)
        _ = playback.fillDevice(at: .zero)
        return playback
    }

    @Test func `a device that reports nothing is given up`() throws {
        var playback = playing()
        let deadline = try #require(playback.deadline)
        #expect(deadline == AnswerPlayback.patience)
        let early = playback.advance(to: deadline - .milliseconds(1))
        let due = playback.advance(to: deadline)
        #expect(!early && due)
    }

    @Test func `a program that did not run gives its device more time`() throws {
        var playback = playing()
        let deadline = try #require(playback.deadline)
        let late = deadline + .seconds(20)
        let isGivenUp = playback.advance(to: late)
        #expect(!isGivenUp)
        playback.heard(frames: 2_400, at: late)
        #expect(playback.heardFrames(of: Self.part) == 2_400)
        // If it reports nothing now, it is given up.
        _ = playback.fillDevice(at: late)
        let isSilent = playback.advance(to: late + AnswerPlayback.patience)
        #expect(isSilent)
    }
}
