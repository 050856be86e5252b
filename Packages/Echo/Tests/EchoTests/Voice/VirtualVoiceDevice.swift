// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo

/// A microphone and a loudspeaker of a test's: it says what is captured, and how much is heard.
final class VirtualVoiceDevice: VoiceDevice {
    /// How sound is played.
    enum Pace: Sendable {
        /// Nothing is heard until ``VirtualVoiceStream/hear(_:)``.
        case manual
        /// As fast as a real one, by that clock.
        case clock(any Clock<Duration>)
        /// At once.
        case instant
    }

    private struct State {
        var streams: [VirtualVoiceStream] = []
        var failure: EchoError?
        var gate: Gate?
    }

    let pace: Pace
    let opened = Collected<VirtualVoiceStream>()
    private let state = Guarded(State())

    init(_ pace: Pace = .instant) { self.pace = pace }

    /// What the next opening fails with.
    func fail(_ error: EchoError?) { state.withLock { $0.failure = error } }

    /// What the next opening waits for.
    func hold(_ gate: Gate?) { state.withLock { $0.gate = gate } }

    /// The stream that was opened last.
    var stream: VirtualVoiceStream? { state.withLock { $0.streams.last } }

    /// How many are open.
    var openCount: Int { state.withLock { $0.streams }.count { !$0.isClosed } }

    func open() async throws -> any VoiceStream {
        let (failure, gate) = state.withLock { ($0.failure, $0.gate) }
        await gate?.pass()
        if let failure { throw failure }
        let stream = VirtualVoiceStream(pace)
        state.withLock { $0.streams.append(stream) }
        opened.append(stream)
        return stream
    }
}

/// What a ``VirtualVoiceDevice`` opens.
final class VirtualVoiceStream: VoiceStream {
    private struct State {
        var queued: ArraySlice<UInt8> = []
        var heard: [UInt8] = []
        var given = 0
        var isMuted = false
        var isClosed = false
        var player: Task<Void, Never>?
    }

    let events: AsyncThrowingStream<VoiceDeviceEvent, any Error>
    private let continuation: AsyncThrowingStream<VoiceDeviceEvent, any Error>.Continuation
    private let pace: VirtualVoiceDevice.Pace
    private let state = Guarded(State())
    /// Each piece that was given to play.
    let plays = Collected<[UInt8]>()

    init(_ pace: VirtualVoiceDevice.Pace) {
        self.pace = pace
        (events, continuation) = AsyncThrowingStream.makeStream()
        guard case .clock(let clock) = pace else { return }
        let player = Task { [weak self] in
            while (try? await clock.sleep(for: .milliseconds(20))) != nil { self?.hear(480) }
        }
        state.withLock { $0.player = player }
    }

    deinit { state.withLock { $0.player }?.cancel() }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var isMuted: Bool { state.withLock { $0.isMuted } }
    /// All that was heard.
    var heard: [UInt8] { state.withLock { $0.heard } }
    /// How many frames wait to be heard.
    var queuedFrames: Int { state.withLock { $0.queued.count / 2 } }

    func play(_ sound: [UInt8]) {
        state.withLock { state in if !state.isClosed { state.queued += sound } }
        plays.append(sound)
        if case .instant = pace { hear(.max) }
    }

    /// So many frames more are heard, if so many wait.
    func hear(_ frames: Int) {
        let total = state.withLock { state -> Int? in
            let count = min(frames, state.queued.count / 2) * 2
            guard count > 0 else { return nil }
            state.heard += state.queued.prefix(count)
            state.queued = state.queued.dropFirst(count)
            return state.heard.count / 2
        }
        if let total { continuation.yield(.heard(frames: total)) }
    }

    func flush() async -> Int {
        state.withLock { state in
            state.queued = []
            return state.heard.count / 2
        }
    }

    func setMuted(_ muted: Bool) async {
        state.withLock { $0.isMuted = muted }
        continuation.yield(.status(muted ? .muted : .listening, route: "virtual"))
    }

    func close() async {
        let player = state.withLock { state in
            state.isClosed = true
            state.queued = []
            return state.player
        }
        player?.cancel()
        continuation.finish()
    }

    // MARK: What a test does

    /// The microphone hears so much sound of that value.
    func capture(milliseconds: Int, value: UInt8 = 1) {
        for _ in 0..<max(milliseconds / 20, 1) {
            continuation.yield(.captured([UInt8](repeating: value, count: 960)))
        }
    }

    /// Somebody speaks, as far as loudness goes, and is silent for as long as a detector of turns waits.
    func speak(milliseconds: Int, silence: Int = 1_000) {
        for piece in 0..<milliseconds / 20 {
            let samples = (0..<480).map { ($0 + piece * 480) / 60 % 2 == 0 ? Int16(9_000) : -9_000 }
            continuation.yield(
                .captured(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }))
        }
        capture(milliseconds: silence, value: 0)
    }

    func tell(_ event: VoiceDeviceEvent) { continuation.yield(event) }

    /// The device fails for good.
    func fail(_ error: any Error) { continuation.finish(throwing: error) }
}
