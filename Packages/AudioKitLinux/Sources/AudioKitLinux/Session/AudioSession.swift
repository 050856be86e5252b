// SPDX-License-Identifier: MIT

/// The state of a stream's device: a pure state machine. Each stream runs one; its events are the stream's `events`.
///
/// Inputs carry the time since the stream began, so that it reads no clock.
public struct AudioSession: Sendable {
    /// The cause of an interruption.
    public enum Interruption: String, Sendable, Hashable {
        /// The program was late: the device ran over or dry.
        case xrun
        /// The machine or the sound server suspended the device.
        case suspend
        /// The device failed and is opened again: it was unplugged, froze, or its sound server died.
        case deviceLost
    }

    /// The state of a stream.
    public enum State: Sendable {
        /// Sound flows.
        case active
        /// The device is being started again.
        case interrupted(Interruption)
        /// The device is missing; try number `attempt` (from 1) to open one is next.
        case recovering(attempt: Int)
        /// The stream has ended with this error.
        case gone(AudioError)
    }

    /// An event for the app. The app decides to pause, to inform the person or to do nothing.
    public enum Event: Sendable {
        /// The sound stopped.
        case interruptionBegan(Interruption)
        /// The sound continues. `lostFrames` were never captured, in the stream's format; 0 for playback.
        case interruptionEnded(Interruption, lostFrames: Int)
        /// The stream runs on another device, or on the same one after it was opened again.
        case routeChanged(from: String, to: String)
        /// The stream has ended because of this error.
        case gone(AudioError)
    }

    /// The stream's next action.
    public enum Action: Sendable {
        /// Nothing.
        case none
        /// Open the device after a wait.
        case open(AudioDevice, after: Duration)
        /// End with this error.
        case end(AudioError)
    }

    /// The present state.
    public private(set) var state = State.active
    /// The name of the device in use, or of the last one.
    public private(set) var route: String

    private let device: AudioDevice
    private let recovery: AudioRecovery
    private var lostAt = Duration.zero

    /// A session on `device`, which is open and runs.
    public init(device: AudioDevice, recovery: AudioRecovery) {
        self.device = device
        self.recovery = recovery
        route = device.name
    }

    /// The device stopped and is being started again.
    public mutating func interrupted(by cause: Interruption) -> [Event] {
        guard case .active = state else { return [] }
        state = .interrupted(cause)
        return [.interruptionBegan(cause)]
    }

    /// The device runs again after `lostFrames`.
    public mutating func resumed(lostFrames: Int) -> [Event] {
        guard case .interrupted(let cause) = state else { return [] }
        state = .active
        return [.interruptionEnded(cause, lostFrames: lostFrames)]
    }

    /// The device, or an attempt to open one, failed at `time` since the stream began.
    public mutating func failed(_ error: AudioError, at time: Duration) -> (Action, [Event]) {
        var events: [Event] = []
        let attempt: Int
        switch state {
        case .gone: return (.none, [])
        case .active, .interrupted:
            lostAt = time
            attempt = 1
            if recovery.reopens { events.append(.interruptionBegan(.deviceLost)) }
        case .recovering(let earlier):
            attempt = earlier + 1
        }
        let isTooLate = recovery.giveUpAfter.map { time - lostAt >= $0 } ?? false
        guard recovery.reopens, !isTooLate else {
            state = .gone(error)
            return (.end(error), events + [.gone(error)])
        }
        state = .recovering(attempt: attempt)
        return (.open(candidate(attempt), after: recovery.delay(before: attempt)), events)
    }

    /// A device was opened and runs; `lostFrames` passed without one.
    public mutating func opened(_ device: AudioDevice, lostFrames: Int) -> [Event] {
        guard case .recovering = state else { return [] }
        state = .active
        defer { route = device.name }
        return [
            .routeChanged(from: route, to: device.name),
            .interruptionEnded(.deviceLost, lostFrames: lostFrames),
        ]
    }

    private func candidate(_ attempt: Int) -> AudioDevice {
        guard let fallback = recovery.fallback else { return device }
        return attempt % (max(1, recovery.triesBeforeFallback) + 1) == 0 ? fallback : device
    }
}
