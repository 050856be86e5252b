// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import Foundation

/// A microphone and a loudspeaker with the clock of real ones, 20 ms a period, whose every instant is noted. Each piece of
/// sound has its number in it, so that it is known again on the wire.
final class TimedDevice: VoiceDevice {
    private let journal: Journal
    private let wanted = Guarded(0)

    init(_ journal: Journal) { self.journal = journal }

    /// The user speaks for so many periods, beginning with the next.
    func say(periods: Int) { wanted.withLock { $0 += periods } }

    /// Whether the user speaks in this period.
    fileprivate func speaks() -> Bool {
        wanted.withLock { periods in
            guard periods > 0 else { return false }
            periods -= 1
            return true
        }
    }

    func open() async throws -> any VoiceStream {
        let stream = TimedStream(journal)
        stream.start(self)
        return stream
    }
}

/// What a ``TimedDevice`` opens.
final class TimedStream: VoiceStream {
    private struct State {
        var queued: [UInt8] = []
        var place = 0
        var heard = 0
        var isMuted = false
        var isClosed = false
    }

    private static let period = 480
    private static let nanoseconds: UInt64 = 20_000_000

    let events: AsyncThrowingStream<VoiceDeviceEvent, any Error>
    private let output: AsyncThrowingStream<VoiceDeviceEvent, any Error>.Continuation
    private let state = Guarded(State())
    private let journal: Journal

    fileprivate init(_ journal: Journal) {
        self.journal = journal
        (events, output) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(2_048))
    }

    fileprivate func start(_ device: TimedDevice) {
        let thread = Thread {
            var next = Journal.now
            var number = 0
            while !self.state.withLock({ $0.isClosed }) {
                next += Self.nanoseconds
                var until = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
                while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil) == EINTR {}
                self.tick(number, isLoud: device.speaks())
                number += 1
            }
        }
        thread.start()
    }

    private func tick(_ number: Int, isLoud: Bool) {
        let (heard, isMuted) = state.withLock { state -> (Int?, Bool) in
            let frames = min((state.queued.count - state.place) / 2, Self.period)
            guard frames > 0 else { return (nil, state.isMuted) }
            state.place += 2 * frames
            state.heard += frames
            return (state.heard, state.isMuted)
        }
        if let heard { output.yield(.heard(frames: heard)) }
        guard !isMuted else { return }
        let sound = Self.sound(number, isLoud: isLoud)
        journal.note("captured", [("number", number), ("loud", isLoud ? 1 : 0)])
        output.yield(.captured(sound))
    }

    /// A voice of 200 Hz, or silence. The first three samples are the number.
    private static func sound(_ number: Int, isLoud: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * period)
        for place in 0..<period {
            let sample: Int16 =
                switch place {
                case 0..<3: Int16(number >> (8 * place) & 0xFF)
                default: isLoud ? (place / 60 % 2 == 0 ? 9_000 : -9_000) : 0
                }
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }

    func play(_ sound: [UInt8]) {
        journal.note("play", [("frames", sound.count / 2)])
        state.withLock { state in
            state.queued.removeFirst(state.place)
            state.place = 0
            state.queued += sound
        }
    }

    func flush() async -> Int {
        // What is being heard is heard to the end of its period.
        let (heard, dropped) = state.withLock { state in
            let dropped = (state.queued.count - state.place) / 2
            state.queued = []
            state.place = 0
            return (state.heard, dropped)
        }
        journal.note("flush", [("dropped", dropped)])
        return heard
    }

    func setMuted(_ muted: Bool) async { state.withLock { $0.isMuted = muted } }

    func close() async {
        state.withLock { $0.isClosed = true }
        output.finish()
    }
}
