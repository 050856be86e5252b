// SPDX-License-Identifier: MIT
import AudioKitLinux
import Foundation
import TestKit

@testable import Echo

/// A room with a loudspeaker and a microphone, known exactly, on a clock of its own: what a device tells is made of samples
/// and instants alone, so that nothing waits.
struct SpeakingRoom {
    static let rate = 24_000
    private static let start = ContinuousClock.now

    /// What the loudspeaker plays.
    var far: [Float]
    /// What is said in the room besides.
    var near: [Float] = []
    /// How much of the loudspeaker's sound comes back, as an amplitude, and from when on how much; not at all by default.
    var coupling: Float = 0
    var change: (frame: Int, coupling: Float)?
    /// The highest sample of the room's steady noise.
    var noise: Float = 0.0003
    /// By how much the echo comes later than the devices say.
    var lateness = Duration.milliseconds(5)
    /// By how many seconds the devices' instants are late, by the frame.
    var capturedError: (Int) -> Double = { _ in 0 }
    var playedError: (Int) -> Double = { _ in 0 }
    /// Where the echo becomes so much later, as by a gap in a sound server.
    var jump: (frame: Int, later: Int)?
    /// What is heard of the loudspeaker is dropped from here on.
    var flush: Int?

    /// What the microphone hears: the direct sound and 24 reflections over 120 ms, 60 dB down after 200 ms, and the rest.
    func microphone() -> [Float] {
        var generator = SeededGenerator(seed: 7)
        let late = AudioFormat.voice.frames(in: lateness)
        var heard = [Float](repeating: 0, count: far.count)
        for number in 0..<25 {
            let later = number == 0 ? 0 : Int(generator.unit() * 2_880)
            let decay = exp(-6.9 * Double(later) / 4_800) * (number == 0 ? 1 : 0.5 * (2 * generator.unit() - 1))
            let jump = jump ?? (heard.count, 0)
            add(Float(decay), of: far, late + later, to: &heard, 0..<jump.frame)
            add(Float(decay), of: far, late + later + jump.later, to: &heard, jump.frame..<heard.count)
        }
        for index in heard.indices {
            let coupling = change.map { index >= $0.frame ? $0.coupling : self.coupling } ?? self.coupling
            heard[index] = coupling * heard[index] + noise * Float(2 * generator.unit() - 1)
            if index < near.count { heard[index] += near[index] }
        }
        return heard
    }

    /// Adds a reflection, without the checks that make a debug build slow.
    private func add(
        _ gain: Float, of sound: [Float], _ delay: Int, to heard: inout [Float], _ frames: Range<Int>
    ) {
        let end = min(frames.upperBound, flush ?? .max)
        sound.withUnsafeBufferPointer { sound in
            heard.withUnsafeMutableBufferPointer { heard in
                var index = max(delay, frames.lowerBound)
                while index < end {
                    heard[index] += gain * sound[index - delay]
                    index += 1
                }
            }
        }
    }

    /// What an ear makes of it: the loudspeaker's sound is announced 100 ms before it is heard. `each` sees every event and
    /// the microphone's frame by then.
    func hear(with ear: inout VoiceEar, _ each: (VoiceDeviceEvent, Int) -> Void) throws {
        let microphone = microphone()
        var told = 0
        for first in stride(from: 0, to: microphone.count - devicePeriod + 1, by: devicePeriod) {
            var announcements: [PlaybackAnnouncement] = []
            while told < min(far.count, first + 2_400), told < flush ?? .max {
                let piece = AudioBuffer(
                    samples: Array(far[told..<min(far.count, told + devicePeriod)]), format: .voice)
                announcements.append(
                    .playing(
                        PlayedPiece(
                            buffer: piece, position: told,
                            audibleAt: Self.instant(told) + .seconds(playedError(told)))))
                told += devicePeriod
            }
            if let flush, (first..<first + devicePeriod).contains(flush) {
                announcements.append(.flushed(at: Self.instant(flush)))
            }
            let end = first + devicePeriod
            let piece = CapturedBuffer(
                buffer: AudioBuffer(samples: Array(microphone[first..<end]), format: .voice), position: first,
                capturedAt: Self.instant(end - 1) + .seconds(capturedError(end - 1)))
            for event in try ear.hear(piece, after: announcements) { each(event, end) }
        }
    }

    static func instant(_ frame: Int) -> ContinuousClock.Instant {
        start + AudioFormat.voice.duration(ofFrames: frame)
    }

    /// Something like speech: syllables of a fifth of a second, dull or hissing, with pauses. Its RMS is about a third of
    /// `level` and its peak about twice it.
    static func speech(seconds: Double, seed: UInt64, level: Float) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        var low = 0.0
        var strength = 0.0
        var isHiss = false
        return (0..<Int(seconds * Double(rate))).map { index in
            if index % 4_800 == 0 {
                strength = generator.unit() < 0.15 ? 0 : 0.4 + generator.unit()
                isHiss = generator.unit() < 0.3
            }
            let white = generator.unit() * 2 - 1
            low += 0.15 * (white - low)
            let voice = isHiss ? 0.4 * (white - low) : 3 * low
            return level * Float(voice * strength * pow(sin(.pi * Double(index % 4_800) / 4_800), 2))
        }
    }

    /// Silence, sound, silence.
    static func placed(_ sound: [Float], at frame: Int, of frames: Int) -> [Float] {
        let before = [Float](repeating: 0, count: frame)
        return Array((before + sound + [Float](repeating: 0, count: max(0, frames))).prefix(frames))
    }
}

/// The mean square in decibels below full scale.
func decibels(_ samples: some Collection<Float>) -> Double {
    10 * log10(samples.reduce(1e-12) { $0 + Double($1) * Double($1) / Double(samples.count) })
}

extension SeededGenerator {
    /// 0 ..< 1.
    fileprivate mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
