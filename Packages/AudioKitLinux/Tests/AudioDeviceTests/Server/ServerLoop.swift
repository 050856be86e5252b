// SPDX-License-Identifier: MIT

internal import AudioDSP
import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

/// Sound out to a server and in again on one thread, with the account of every frame on its way: what was written and not
/// yet read is the loop's latency, however late the thread is.
struct ServerLoop {
    /// Where the loop stood after it had read and written all that it could.
    struct Moment {
        var written: Int
        var read: Int
        var out: PCMHandle.Stamp
    }

    /// What the server agreed to, in frames.
    private(set) var periodFrames = 0
    private(set) var bufferFrames = 0
    /// The first channel of everything that was read.
    private(set) var heard: [Float] = []
    private(set) var moments: [Moment] = []
    /// Where in `heard` the first frame that was written lies.
    private(set) var start = 0

    /// Plays `sound` and listens until it is back. A device that runs over or dry, because somebody waited for a
    /// processor, spoils the account: then everything begins anew, eight times at most.
    static func run(
        _ sound: LoopSound, from playback: AudioDevice, to capture: AudioDevice, _ configuration: StreamConfiguration
    ) async throws -> ServerLoop {
        for _ in 0..<8 {
            do {
                var loop = try await run(sound.buffer, playback, capture, configuration)
                if loop.finds(sound) { return loop }
            } catch let error as AudioError where error.code == .io { continue }
        }
        throw AudioError(.io, "In eight tries the devices always ran over or dry.")
    }

    /// Whether all of `sound` came back in one piece; notes where.
    private mutating func finds(_ sound: LoopSound) -> Bool {
        guard let match = CrossCorrelation.find(sound.chirp, in: heard) else { return false }
        let place = Int(match.delay.rounded())
        start = place - LoopSound.lead
        return heard.dropFirst(place).prefix(sound.samples.count).elementsEqual(sound.samples)
    }

    private static func run(
        _ sound: AudioBuffer, _ playback: AudioDevice, _ capture: AudioDevice, _ configuration: StreamConfiguration
    ) async throws -> ServerLoop {
        try await withCheckedThrowingContinuation { continuation in
            do throws(AudioError) {
                let thread = try AudioThread(name: "server-loop") {
                    continuation.resume(
                        with: Result {
                            var loop = ServerLoop()
                            try loop.work(sound, playback, capture, configuration)
                            return loop
                        })
                }
                _ = thread
            } catch { continuation.resume(throwing: error) }
        }
    }

    private mutating func work(
        _ sound: AudioBuffer, _ playback: AudioDevice, _ capture: AudioDevice, _ configuration: StreamConfiguration
    ) throws {
        let wake = try WakeSignal()
        let input = try PCMHandle(capture, .capture, configuration, wake: wake)
        let output = try PCMHandle(playback, .playback, configuration, wake: wake)
        periodFrames = output.periodFrames
        bufferFrames = output.bufferFrames
        AudioThread.raisePriority()
        let ring = SPSCRing<Float>(
            capacity: 2 * input.bufferFrames, stride: input.format.channels, zero: 0, startingAt: 0)
        try input.check(input.start())
        while heard.isEmpty { try read(input, ring) }
        try output.check(output.freshen())
        var written = 0
        while heard.count < sound.frameCount + 10 * bufferFrames, written < sound.frameCount {
            try read(input, ring)
            let room = try Self.checked(output.available())
            let count = min(room, sound.frameCount - written)
            if count > 0 {
                try sound.samples.withUnsafeBufferPointer { samples in
                    guard let base = samples.baseAddress else { return }
                    written += try Self.checked(
                        output.write(base + written * sound.format.channels, frames: count))
                }
            }
            if moments.isEmpty { try output.check(output.start()) }
            moments.append(Moment(written: written, read: heard.count, out: output.stamp()))
        }
        // What is still on its way; silence follows when the device runs dry.
        let end = heard.count + 4 * bufferFrames
        while heard.count < end { try read(input, ring) }
    }

    /// Waits for a period and reads all that is there.
    private mutating func read(_ input: PCMHandle, _ ring: SPSCRing<Float>) throws {
        input.wait(timeout: .milliseconds(500))
        while true {
            let count = try Self.checked(input.available())
            guard count > 0 else { return }
            let got = try Self.checked(input.read(into: ring, frames: count))
            guard got > 0 else { return }
            var samples = [Float](repeating: 0, count: got * input.format.channels)
            _ = ring.read(&samples, frames: got)
            for frame in 0..<got { heard.append(samples[frame * input.format.channels]) }
        }
    }

    private static func checked(_ count: Int) throws -> Int {
        guard count >= 0 else { throw AudioError(.io, "A device ran over or dry.", underlying: "\(count)") }
        return count
    }
}
