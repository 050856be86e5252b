// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

@Suite struct ReadmeTests {
    /// The README's first use, with its file names and speed changed.
    @Test func theFirstUseEchoesTheQuestion() async throws {
        let folder = try TemporaryFolder()
        let question = TestSignal.noise(frames: 8_000, seed: 21)
        try writeFile(folder.file("question.wav"), question)
        let card = try VirtualCard.file(
            input: folder.file("question.wav"), output: folder.file("answer.wav"), speed: 20)
        let capture = try await AudioCapture.start(device: .virtual(card))
        let playback = try await AudioPlayback.start(device: .virtual(card))
        var loudest = AudioLevel.floor
        for try await piece in capture.buffers {
            loudest = max(loudest, AudioLevel(of: piece.buffer).rms)
            try await playback.play(piece.buffer)
        }
        try await playback.drain()
        await capture.stop()
        await playback.stop()
        #expect(loudest > -20)
        let answer = try readFile(folder.file("answer.wav"))
        #expect(answer.frameCount == 8_000 + 16_000)
        #expect(difference(answer.samples.prefix(8_000), question.samples) == nil)
    }
}
