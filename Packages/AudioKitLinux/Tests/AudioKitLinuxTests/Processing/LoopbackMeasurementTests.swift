// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import TestKit
import Testing

@testable import AudioKitLinux

@Suite struct LoopbackMeasurementTests {
    /// Pieces of captured sound in which the chirp comes back a known number of frames after it was handed over.
    @Test(arguments: [(0, 16_000, 1), (777, 16_000, 1), (4_801, 48_000, 2)])
    func aKnownLatencyIsFoundToTheFrame(_ latency: Int, _ rate: Int, _ channels: Int) throws {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        var listener = LoopbackListener(format: format, window: rate / 2, amplitude: 0.5)
        var generator = SeededGenerator(seed: 5)
        var position = 0
        let period = rate / 50
        for round in 1...3 {
            var back: [Float] = []
            repeat {
                var samples = (0..<period * channels).map { _ in Float(generator.unit() * 0.02 - 0.01) }
                for index in 0..<min(samples.count, back.count) { samples[index] += 0.2 * back[index] }
                back.removeFirst(min(samples.count, back.count))
                let piece = CapturedBuffer(
                    buffer: AudioBuffer(samples: samples, format: format), position: position, capturedAt: .now)
                position += period
                if listener.hear(piece) {
                    back = [Float](repeating: 0, count: latency * channels) + listener.sound.samples
                }
            } while !listener.isRoundOver
            try listener.finishRound()
            #expect(listener.found.count == round)
        }
        let measured = listener.measurement
        #expect(abs(measured.latencyFrames - Double(latency)) < 0.05 && measured.spreadFrames < 0.1)
        #expect(measured.confidence > 0.9 && abs(measured.level + 20) < 1.5)
        #expect(abs(measured.latency / .milliseconds(1) - Double(latency) * 1_000 / Double(rate)) < 0.01)
    }

    @Test func `a chirp later than the window is found by a later round`() throws {
        var listener = LoopbackListener(format: .speech, window: 8_000, amplitude: 0.5)
        let (latency, period) = (12_000, 320)
        var (position, back, misses): (Int, [Float], Int) = (0, [], 0)
        while listener.found.isEmpty {
            var samples = [Float](repeating: 0, count: period)
            for index in 0..<min(period, back.count) { samples[index] = back[index] }
            back.removeFirst(min(period, back.count))
            let piece = CapturedBuffer(
                buffer: AudioBuffer(samples: samples, format: .speech), position: position, capturedAt: .now)
            position += period
            if listener.hear(piece) {
                back += [Float](repeating: 0, count: latency - back.count) + listener.sound.samples
            }
            guard listener.isRoundOver else { continue }
            do { try listener.finishRound() } catch {
                misses += 1
                guard misses <= 3 else { throw error }
                listener.doubleWindow()
            }
        }
        #expect(misses > 0 && abs(listener.measurement.latencyFrames - Double(latency)) < 0.05)
    }

    @Test func `a cancelled measurement blames no microphone`() async throws {
        let device = AudioDevice.virtual(try VirtualCard.loopback())
        let measuring = Task { try await LoopbackMeasurement.measure(playback: device, capture: device) }
        measuring.cancel()
        await #expect(throws: CancellationError.self) { try await measuring.value }
    }

    @Test func aGapKeepsThePlace() throws {
        var listener = LoopbackListener(format: .speech, window: 8_000, amplitude: 0.5)
        var position = 0
        func piece(_ samples: [Float]) -> CapturedBuffer {
            defer { position += samples.count }
            return CapturedBuffer(
                buffer: AudioBuffer(samples: samples, format: .speech), position: position, capturedAt: .now)
        }
        let quiet = [Float](repeating: 0, count: 1_000)
        while !listener.hear(piece(quiet)) {}
        position += 500
        let mustPlay = listener.hear(piece(quiet + listener.sound.samples + quiet))
        #expect(!mustPlay)
        while !listener.isRoundOver { _ = listener.hear(piece(quiet)) }
        try listener.finishRound()
        #expect(abs(listener.measurement.latencyFrames - 1_500) < 0.05)
    }

    @Test func `a round that lost frames does not count, and eleven are an error`() throws {
        var listener = LoopbackListener(format: .speech, window: 8_000, amplitude: 0.5)
        var position = 0
        /// A round whose chirp comes back `frames` earlier than it can have been played; less than 0 is later.
        func round(lost frames: Int) throws(AudioError) {
            let quiet = [Float](repeating: 0, count: 320)
            func piece(_ samples: [Float]) -> CapturedBuffer {
                defer { position += samples.count }
                return CapturedBuffer(
                    buffer: AudioBuffer(samples: samples, format: .speech), position: position, capturedAt: .now)
            }
            while !listener.hear(piece(quiet)) {}
            let late = [Float](repeating: 0, count: max(0, -frames))
            _ = listener.hear(piece(late + listener.sound.samples.dropFirst(max(0, frames))))
            while !listener.isRoundOver { _ = listener.hear(piece(quiet)) }
            try listener.finishRound()
        }
        for lost in [114, 2_000, -50, 1, -7] + Array(repeating: 900, count: 7) { try round(lost: lost) }
        #expect(listener.found.map { $0.delay.rounded() } == [50, 7])
        #expect(code { try round(lost: 3) } == .chirpNotHeard)
    }

    @Test func silenceAndNoiseAreNoChirp() throws {
        for level in [Float(0), 0.3] {
            var listener = LoopbackListener(format: .speech, window: 8_000, amplitude: 0.5)
            let noise = SyntheticRoom.noise(frames: 20_000, level: level, seed: 4)
            for first in stride(from: 0, to: 20_000, by: 320) {
                let piece = AudioBuffer(samples: Array(noise[first..<min(20_000, first + 320)]), format: .speech)
                _ = listener.hear(CapturedBuffer(buffer: piece, position: first, capturedAt: .now))
            }
            #expect(code { try listener.finishRound() } == .chirpNotHeard)
        }
    }

    @Test func theVirtualCardsLoopIsMeasured() async throws {
        let format = AudioFormat(sampleRate: 8_000)
        let card = try VirtualCard.loopback(format: format, speed: 2)
        // The card's clock runs on while this test waits for a processor: seconds of room for that.
        let measured = try await LoopbackMeasurement.measure(
            playback: .virtual(card), capture: .virtual(card),
            configuration: StreamConfiguration(format: format, buffer: .seconds(2), backlog: .seconds(20)), rounds: 2,
            window: .seconds(10))
        #expect(measured.rounds.count == 2 && measured.confidence > 0.99)
        // The loop moves whole frames only, and changes no sample.
        for round in measured.rounds { #expect(abs(round - round.rounded()) < 0.01 && round >= 0) }
        #expect(abs(measured.level + 6) < 0.1)
    }

    @Test func aCardThatHearsNothingSaysSo() async throws {
        let card = try VirtualCard(speed: 4, capture: .silence, playback: .memory)
        let error = await #expect(throws: AudioError.self) {
            try await LoopbackMeasurement.measure(playback: .virtual(card), capture: .virtual(card), rounds: 1)
        }
        #expect(error?.code == .chirpNotHeard)
        await #expect(throws: AudioError.self) { try await LoopbackMeasurement.measure(rounds: 0) }
    }
}
