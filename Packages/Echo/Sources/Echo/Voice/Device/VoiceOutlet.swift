// SPDX-License-Identifier: MIT
import Concurrency

/// Where a device's events go: one stream, fed from several tasks, that keeps what a closed microphone hears to itself.
final class VoiceOutlet: Sendable {
    fileprivate struct State {
        var isMuted = false
        /// True if the user was said to speak.
        var isVoice = false
        /// The most frames that were said to be heard.
        var heard = 0
    }

    let events: AsyncThrowingStream<VoiceDeviceEvent, any Error>
    private let continuation: AsyncThrowingStream<VoiceDeviceEvent, any Error>.Continuation
    private let state = Guarded(State())

    init() {
        (events, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(2_048))
    }

    /// Tells what the microphone has; nothing that was said into it while it is closed.
    func send(_ events: [VoiceDeviceEvent]) {
        // Inside the lock, so that nothing comes after the news that the microphone is closed.
        state.withLock { state in
            for event in events {
                if let event = state.admitted(event) { continuation.yield(event) }
            }
        }
    }

    /// Tells how much was heard, when that is more than before.
    func sendHeard(_ frames: Int) {
        state.withLock { state in
            guard frames > state.heard else { return }
            state.heard = frames
            continuation.yield(.heard(frames: frames))
        }
    }

    /// Closes or opens the microphone.
    func setMuted(_ isMuted: Bool, route: String) {
        state.withLock { state in
            guard state.isMuted != isMuted else { return }
            state.isMuted = isMuted
            if state.isVoice {
                state.isVoice = false
                continuation.yield(.voice(false))
            }
            continuation.yield(.status(isMuted ? .muted : .listening, route: route))
        }
    }

    /// Tells the route.
    func sendRoute(_ route: String) {
        state.withLock { state in
            _ = continuation.yield(.status(state.isMuted ? .muted : .listening, route: route))
        }
    }

    /// Ends the stream; the first end counts.
    func finish(throwing error: (any Error)? = nil) { continuation.finish(throwing: error) }
}

extension VoiceOutlet.State {
    /// What of an event the closed microphone lets through.
    fileprivate mutating func admitted(_ event: VoiceDeviceEvent) -> VoiceDeviceEvent? {
        switch event {
        case .captured: return isMuted ? nil : event
        case .level(_, let output): return isMuted ? .level(input: 0, output: output) : event
        case .voice(let isVoice):
            guard !isMuted, isVoice != self.isVoice else { return nil }
            self.isVoice = isVoice
            return event
        case .heard, .status, .inputEnded: return event
        }
    }
}
