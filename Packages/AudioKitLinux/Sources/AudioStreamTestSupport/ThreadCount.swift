// SPDX-License-Identifier: MIT
import AudioKitLinux
import CAudioStreamTestSupport

/// Counts the allocations and locks of the audio threads while sound runs, is flushed and drained, and while the device
/// overruns, underruns and is suspended. Prints the three counts, then the origin of the first ones.
enum ThreadCount {
    static func run(misbehaves: Bool) async throws {
        guard parley_counting_is_possible() else {
            print("impossible")
            return
        }
        let device = AudioDevice.alsa(PARLEY_STEADY_CARD)
        let configuration = StreamConfiguration(
            period: .milliseconds(5), buffer: .milliseconds(40), backlog: .milliseconds(200))
        let capture = try await AudioCapture.start(device: device, configuration: configuration)
        let playback = try await AudioPlayback.start(device: device, configuration: configuration)
        var microphone = capture.buffers.makeAsyncIterator()
        let sound = AudioBuffer(samples: [Float](repeating: 0.1, count: 1_600), format: .speech)

        // Start-up: both devices have run, stopped and been repaired once.
        try await exercise(capture, playback, &microphone, sound)
        parley_counting_begin()
        if misbehaves { parley_steady_card_misbehave() }
        for _ in 0..<3 { try await exercise(capture, playback, &microphone, sound) }
        let counts = parley_counting_end()
        let statistics = (capture.statistics.xruns, playback.statistics.xruns)
        await capture.stop()
        await playback.stop()
        guard statistics.0 >= 8, statistics.1 >= 8 else {
            print("failed: the faults did not arrive: \(statistics)")
            return
        }
        print("\(counts.allocations) \(counts.locks) \(counts.system_calls)")
        print(String(cString: parley_counting_places()), terminator: "")
    }

    /// Runs everything that the threads do while their devices run.
    private static func exercise(
        _ capture: AudioCapture, _ playback: AudioPlayback,
        _ microphone: inout AsyncThrowingStream<CapturedBuffer, any Error>.AsyncIterator, _ sound: AudioBuffer
    ) async throws {
        try await playback.play(sound)
        try await playback.drain()
        for periods in [3, 3, 1] {
            capture.gather(periods: periods)
            _ = try await microphone.next()
        }
        for fault in [parley_steady_card_stall, parley_steady_card_suspend] {
            let first = try await playback.play(sound)
            _ = await playback.audible(frame: first)
            let before = (capture.statistics.xruns, playback.statistics.xruns)
            fault()
            while capture.statistics.xruns == before.0 || playback.statistics.xruns == before.1 {
                _ = try await microphone.next()
                // More than a period of it has played, in case the loudspeaker ran dry before the fault.
                try await playback.play(sound)
            }
            try await playback.play(sound)
            await playback.flush()
        }
    }
}
