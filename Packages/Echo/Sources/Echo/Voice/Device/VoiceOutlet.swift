// SPDX-License-Identifier: MIT
import Concurrency

/// Sends a device's events into one stream, from several tasks, without the sound of a closed microphone.
final class VoiceOutlet: Sendable {
    fileprivate struct State {
        var isMuted = false
        /// True if the last report was that the user speaks.
        var isVoice = false
        /// The most frames that were reported as heard.
        var heard = 0
    }

    let events: AsyncThrowingStream<VoiceDeviceEvent, any Error>
    private let continuation: AsyncThrowingStream<VoiceDeviceEvent, any Error>.Continuation
    private let state = Guarded(State())

    init() {
        (events, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(2_048))
    }

    /// Sends the microphone's events; while it is closed, none that show its sound.
    func send(_ events: [VoiceDeviceEvent]) {
        // Inside the lock, so that nothing follows the report that the microphone is closed.
        state.withLock { state in
            for event in events {
                if let event = state.admitted(event) { continuation.yield(event) }
            }
        }
    }

    /// Sends the number of heard frames, if it has grown.
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

    /// Sends the route.
    func sendRoute(_ route: String) {
        state.withLock { state in
            _ = continuation.yield(.status(state.isMuted ? .muted : .listening, route: route))
        }
    }

    /// Ends the stream; the first end counts.
    func finish(throwing error: (any Error)? = nil) { continuation.finish(throwing: error) }
}

extension VoiceOutlet.State {
    /// The form in which an event passes while the microphone may be closed; nil if it does not pass.
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
