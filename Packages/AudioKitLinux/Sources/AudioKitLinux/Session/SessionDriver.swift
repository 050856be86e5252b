// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Runs a session for one stream: stores the state, sends the events, and waits before each try to open.
///
/// The audio thread calls it only while its device is stopped.
final class SessionDriver: Sendable {
    /// The stream's events, for one consumer: bounded, the newest 256; ends with the stream.
    let events: AsyncStream<AudioSession.Event>
    let recovery: AudioRecovery

    private let continuation: AsyncStream<AudioSession.Event>.Continuation
    private let session: Guarded<AudioSession>
    private let began = MonotonicTime.now()

    init(device: AudioDevice, recovery: AudioRecovery) {
        self.recovery = recovery
        session = Guarded(AudioSession(device: device, recovery: recovery))
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    var state: AudioSession.State { session.withLock { $0.state } }
    var route: String { session.withLock { $0.route } }

    /// Reports an interruption that is over already.
    func interrupted(by cause: AudioSession.Interruption, lostFrames: Int) {
        emit(session.withLock { $0.interrupted(by: cause) + $0.resumed(lostFrames: lostFrames) })
    }

    /// Opens devices, as the policy decides, until one is ready. Returns nil if the stream is to stop.
    ///
    /// Throws the error to end with.
    func reopen<Opened>(
        after failure: AudioError, wake: WakeSignal, isStopped: () -> Bool,
        _ open: (AudioDevice) throws(AudioError) -> Opened
    ) throws(AudioError) -> (Opened, AudioDevice)? {
        var error = failure
        while !isStopped() {
            let time = Duration.nanoseconds(MonotonicTime.now() - began)
            let (action, events) = session.withLock { $0.failed(error, at: time) }
            emit(events)
            switch action {
            case .none: return nil
            case .end(let error): throw error
            case .open(let device, let delay):
                wake.wait(atMost: delay, unless: isStopped)
                if isStopped() { return nil }
                do throws(AudioError) { return (try open(device), device) } catch let later { error = later }
            }
        }
        return nil
    }

    func opened(_ device: AudioDevice, lostFrames: Int) {
        emit(session.withLock { $0.opened(device, lostFrames: lostFrames) })
    }

    /// Ends the events.
    func finish() { continuation.finish() }

    private func emit(_ events: [AudioSession.Event]) {
        for event in events { continuation.yield(event) }
    }
}
