// SPDX-License-Identifier: MIT
import AudioKitLinux

/// The devices, and what is measured on both ends of them.
enum Devices {
    static let format = AudioFormat(sampleRate: 48_000, channels: 2)
    static let configuration = StreamConfiguration(format: format)

    static func pair(_ name: String) throws -> (playback: AudioDevice, capture: AudioDevice) {
        guard name != "virtual" else {
            let card = try VirtualCard.loopback(format: format)
            return (.virtual(card), .virtual(card))
        }
        func server(_ device: String) -> AudioDevice {
            .alsa("server", configuration: "pcm.server { type pulse server \"unix:\(name)\" device \"\(device)\" }")
        }
        return (server("loop"), server("loop.monitor"))
    }

    /// The round trip by a chirp, in ms, beside the buffer and two periods.
    static func loopback(_ name: String) async throws {
        let devices = try pair(name)
        let measured = try await LoopbackMeasurement.measure(
            playback: devices.playback, capture: devices.capture, configuration: configuration, rounds: 9)
        let limit = (configuration.buffer + configuration.period * 2) / .milliseconds(1)
        let rounds = measured.rounds.map { $0 * 1_000 / Double(format.sampleRate) }
        Main.report([
            ("median", Main.percentile(rounds, 0.5)), ("worst", rounds.max() ?? 0), ("limit", limit),
            ("confidence", measured.confidence),
        ])
    }

    /// From the call of `flush` to the last frame that is heard, by the device's own account, in ms.
    static func flush(_ name: String) async throws {
        let playback = try await AudioPlayback.start(device: try pair(name).playback, configuration: configuration)
        let sound = AudioBuffer(samples: [Float](repeating: 0.1, count: 2 * 96_000), format: format)
        var taken: [Double] = []
        var called: [Double] = []
        for round in 0..<40 {
            let first = try await playback.play(sound)
            // At another phase of the period each time.
            _ = await playback.audible(frame: first + 9_600 + 37 * round)
            let asked = ContinuousClock.now
            await playback.flush()
            called.append((ContinuousClock.now - asked) / .milliseconds(1))
            var last = first
            // The frames that were heard are those before the first that has no instant.
            var end = first + sound.frameCount
            while end - last > 1 {
                let middle = (last + end) / 2
                if await playback.audible(frame: middle) != nil { last = middle } else { end = middle }
            }
            guard let silent = await playback.audible(frame: last) else { continue }
            taken.append(max(0, (silent - asked) / .milliseconds(1)))
        }
        await playback.stop()
        Main.report([
            ("p50", Main.percentile(taken, 0.5)), ("worst", taken.max() ?? .nan), ("rounds", Double(taken.count)),
            ("call", Main.percentile(called, 0.5)), ("period", configuration.period / .milliseconds(1)),
        ])
    }
}
