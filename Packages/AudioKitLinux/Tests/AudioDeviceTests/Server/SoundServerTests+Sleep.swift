// SPDX-License-Identifier: MIT
import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

/// The audio threads sleep while the server has nothing for them, though its descriptors say otherwise.
extension InTurn.SoundServerTests {
    @Test(arguments: [5, 20])
    func theThreadsWaitAFewTimesInAPeriod(_ milliseconds: Int) async throws {
        let period = Duration.milliseconds(milliseconds)
        let configuration = StreamConfiguration(
            format: PulseDaemon.format, period: period, buffer: period * 10, backlog: .seconds(20))
        // A late thread only makes for fewer waits, and a late server's time counts, too.
        let began = ContinuousClock.now
        let capture = try await AudioCapture.start(device: server.capture, configuration: configuration)
        let playback = try await AudioPlayback.start(device: server.playback, configuration: configuration)
        try await playback.play(TestSignal.noise(frames: 96_000, format: PulseDaemon.format, seed: 31))
        var listener = LoopListener(capture)
        try await listener.hear(frames: 96_000)
        try await playback.drain()
        let waits = (capture.waits, playback.waits)
        let periods = Int(began.duration(to: .now) / period)
        // Three at the device and eight while it is not believed would be the worst that one period can bring.
        #expect(waits.0 > 0 && waits.0 < 12 * periods, "capture, in \(periods) periods")
        #expect(waits.1 > 0 && waits.1 < 12 * periods, "playback, in \(periods) periods")
        await playback.stop()
        await capture.stop()
    }
}
