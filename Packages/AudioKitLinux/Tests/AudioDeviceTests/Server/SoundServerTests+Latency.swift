// SPDX-License-Identifier: MIT
import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

/// How long sound is on its way through the server and back, counted in frames and not by a clock of the test's.
extension InTurn.SoundServerTests {
    @Test(arguments: [Duration.milliseconds(200), .milliseconds(500)])
    func theLoopIsNoLongerThanBufferAndTwoPeriods(_ buffer: Duration) async throws {
        let configuration = StreamConfiguration(format: PulseDaemon.format, buffer: buffer)
        let sound = LoopSound(frames: 96_000, seed: 12)
        let loop = try await ServerLoop.run(sound, from: server.playback, to: server.capture, configuration)
        #expect(loop.periodFrames == 960 && loop.bufferFrames == PulseDaemon.format.frames(in: buffer))
        // What was written and has not come back is on its way. The median, since a server that waited for a processor
        // hands over late, in either direction.
        let onTheWay = loop.moments.map { loop.start + $0.written - $0.read }
        let latency = Self.median(onTheWay)
        #expect(latency <= loop.bufferFrames + 2 * loop.periodFrames, "\(latency) frames")
        // The device's own account of the way out is right to within the way in, of which the server keeps a period.
        let excess = Self.median(zip(loop.moments, onTheWay).map { $0.out.delay - $1 })
        #expect(abs(excess) <= 2 * loop.periodFrames, "the delay is off by \(excess) frames")
    }

    /// The measurement that `parley audio loopback` makes: every round hears its chirp, though each finds the stream at rest.
    @Test func aMeasurementHearsItsChirps() async throws {
        let measured = try await LoopbackMeasurement.measure(
            playback: server.playback, capture: server.capture,
            configuration: StreamConfiguration(format: PulseDaemon.format, backlog: .seconds(20)), rounds: 3)
        #expect(measured.rounds.count == 3 && measured.rounds.allSatisfy { $0 >= 0 })
    }

    private static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
}
