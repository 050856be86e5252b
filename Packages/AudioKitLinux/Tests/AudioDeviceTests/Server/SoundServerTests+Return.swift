// SPDX-License-Identifier: MIT

internal import AudioDSP
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

/// A server that dies under both streams and comes back.
extension InTurn.SoundServerTests {
    @Test func theSoundGoesOnWhenTheServerIsBack() async throws {
        let recovery = AudioRecovery(
            reopens: true, firstDelay: .milliseconds(5), maximumDelay: .milliseconds(50), patience: .seconds(10))
        let capture = try await AudioCapture.start(
            device: server.capture, configuration: LoopSound.configuration, recovery: recovery)
        let playback = try await AudioPlayback.start(
            device: server.playback, configuration: LoopSound.configuration, recovery: recovery)
        var listener = LoopListener(capture)
        try await listener.hear(frames: 1)
        try await playback.play(TestSignal.noise(frames: 96_000, format: PulseDaemon.format, seed: 21))
        _ = await playback.firstFrameAudible()
        try await listener.hear(soundingFrames: 4_800)

        server.kill()
        var playbackEvents = playback.events.makeAsyncIterator()
        var captureEvents = capture.events.makeAsyncIterator()
        #expect(await Self.firstOfLoss(&playbackEvents) == "began")
        #expect(await Self.firstOfLoss(&captureEvents) == "began")
        // Nobody answers: both keep trying.
        guard case .recovering = playback.state, case .recovering = capture.state else {
            Issue.record("\(playback.state), \(capture.state)")
            return
        }
        try await server.start()
        for expected in ["route", "ended"] {
            #expect(await Self.firstOfLoss(&playbackEvents) == expected)
            #expect(await Self.firstOfLoss(&captureEvents) == expected)
        }
        try await playback.drain()
        #expect(playback.framesHeard == 96_000 && playback.statistics.reopens > 0)

        // What was captured before and during the return comes first. A server that waits for a processor may lose a sound;
        // that every frame arrives is another test's.
        var similarity = 0.0
        for seed in 22..<28 as Range<UInt64> where similarity < 0.99 {
            let sound = LoopSound(frames: 9_600, seed: seed)
            let before = listener.heard.count
            try await playback.play(sound.buffer)
            try await playback.drain()
            try await listener.hear(frames: 192_000)
            let heard = Array(listener.heard.dropFirst(max(0, before - sound.buffer.frameCount)))
            similarity = CrossCorrelation.find(sound.chirp, in: heard)?.similarity ?? 0
        }
        #expect(similarity > 0.99)
        #expect(capture.statistics.reopens > 0 && capture.statistics.lost > 0 && listener.gaps > 0)
        await playback.stop()
        await capture.stop()
    }

    /// The next event that tells of the loss of a device: "began", "route" or "ended".
    private static func firstOfLoss(_ events: inout AsyncStream<AudioSession.Event>.Iterator) async -> String? {
        while let event = await events.next(isolation: #isolation) {
            switch event {
            case .interruptionBegan(.deviceLost): return "began"
            case .routeChanged: return "route"
            case .interruptionEnded(.deviceLost, _): return "ended"
            case .gone(let error): return "gone: \(error)"
            case .interruptionBegan, .interruptionEnded: continue
            }
        }
        return nil
    }
}
