// SPDX-License-Identifier: MIT
import AudioKitLinux
import Synchronization

/// How late periods are handled, in fractions of a period, against the earliest one of the run: on the audio thread, where
/// the card is in this process and can say when it was read, and in the task that consumes the stream.
enum Periods {
    static func measure(_ name: String, seconds: Double) async throws {
        let format = AudioFormat(sampleRate: 16_000)
        let period = StreamConfiguration().period
        let read = Mutex<[Double]>([])
        let start = ContinuousClock.now
        @Sendable func late(_ frame: Int) -> Double {
            (ContinuousClock.now - start - format.duration(ofFrames: frame)) / period
        }
        read.withLock { $0.reserveCapacity(100_000) }
        let device: AudioDevice
        if name == "virtual" {
            // Called on the capture thread for each frame; the last one of a period says how late the period is read.
            let card = try VirtualCard(
                capture: .generator { frame in
                    if frame % 320 == 319 { read.withLock { $0.append(late(frame)) } }
                    return 0.01
                }, playback: nil, timing: .strict)
            device = .virtual(card)
        } else {
            device = try Devices.pair(name).capture
        }
        let capture = try await AudioCapture.start(device: device)
        var consumed: [Double] = []
        for try await piece in capture.buffers {
            // A server's first second is its start.
            if piece.position > 32_000 { consumed.append(late(piece.position + piece.buffer.frameCount)) }
            if Double(piece.position) > (seconds + 2) * 16_000 { break }
        }
        await capture.stop()
        var values = [("xruns", Double(capture.statistics.xruns)), ("lost", Double(capture.statistics.lost))]
        let onThread = read.withLock { Array($0.dropFirst(100)) }
        for (what, list) in [("thread", onThread), ("task", consumed)] where !list.isEmpty {
            let first = list.min() ?? 0
            values.append((what + "_p50", Main.percentile(list, 0.5) - first))
            values.append((what + "_p99", Main.percentile(list, 0.99) - first))
        }
        Main.report(values)
    }
}
