// SPDX-License-Identifier: MIT

/// Drives one session: it returns the next piece of work, and waits while there is none to do.
actor RealtimePeer {
    enum Work: Sendable {
        case frame(RealtimeFrame)
        case job(RealtimeSessionState.Job)
        /// Call ``wake()`` when ``sleep(until:)`` has returned.
        case timer(Duration)
    }

    private var state: RealtimeSessionState
    private let mind: RealtimeMind
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async throws -> Void
    private var frames: ArraySlice<RealtimeFrame>
    private var waiting: CheckedContinuation<Void, Never>?
    private var isWoken = false
    private var hasEnded = false
    /// The time until which nothing is sent.
    private var heldUntil: Duration?
    private var isStalled = false
    /// The times at which the requested timers fire. The session's end has a timer, which stays.
    private var armed: Set<Duration> = []

    init(_ setup: RealtimeSessionState.Setup, mind: RealtimeMind, clock: any Clock<Duration>) {
        var state = RealtimeSessionState(setup)
        frames = state.takeFrames()[...]
        self.state = state
        self.mind = mind
        (elapsed, sleep) = Self.stopwatch(clock)
    }

    /// Times are counted from the session's beginning, so that a clock that is set by hand cannot outrun a timer.
    private static func stopwatch(
        _ clock: some Clock<Duration>
    ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
        let start = clock.now
        return (
            { start.duration(to: clock.now) }, { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }

    /// Returns when the session has reached that age, or the task is cancelled.
    nonisolated func sleep(until time: Duration) async { try? await sleep(time) }

    // MARK: In

    func receive(_ text: String) {
        state.receive(text, at: elapsed())
        wake()
    }

    func receiveBinary() {
        state.receiveBinary(at: elapsed())
        wake()
    }

    func heard(_ item: String, _ result: Result<String, RealtimeProblem>) {
        state.heard(item, result, at: elapsed())
        wake()
    }

    func compose(_ answer: String, _ result: Result<RealtimeScript, RealtimeProblem>) {
        state.compose(answer, result, at: elapsed())
        wake()
    }

    /// Applies a test's interjection to the session.
    func interject(_ interjection: RealtimeSessionState.Interjection) {
        state.interject(interjection, at: elapsed())
        isStalled = false
        frames.removeAll { $0 == .stall }
        wake()
    }

    /// Ends the session because the client has closed its connection.
    func end() {
        hasEnded = true
        wake()
    }

    func wake() {
        isWoken = true
        waiting?.resume()
        waiting = nil
    }

    // MARK: Out

    /// The next piece of work; `nil` when the session is over.
    func next() async -> Work? {
        while !hasEnded {
            let now = elapsed()
            armed = armed.filter { $0 > now }
            if let job = jobNow() { return .job(job) }
            if let frame = frameNow(now) { return .frame(frame) }
            if frames.isEmpty, advance(to: now) { continue }
            if let timer = timerNow(now) { return .timer(timer) }
            if isWoken {
                isWoken = false
                continue
            }
            await withCheckedContinuation { waiting = $0 }
            isWoken = false
        }
        return nil
    }

    private var jobs: ArraySlice<RealtimeSessionState.Job> = []

    /// A job that takes time; others are done here, so that their events do not depend on how tasks are scheduled.
    private func jobNow() -> RealtimeSessionState.Job? {
        jobs += state.takeJobs()
        while let job = jobs.popFirst() {
            switch job {
            case .hear(let item, let sound) where mind.hearsAtOnce:
                state.heard(item, .success(RealtimePrompt.length(sound.count)), at: elapsed())
            case .answer(let answer, let ask):
                guard let script = mind.scriptAtOnce(ask) else { return job }
                state.compose(answer, .success(script), at: elapsed())
            case .hear: return job
            }
            jobs += state.takeJobs()
        }
        return nil
    }

    private func frameNow(_ now: Duration) -> RealtimeFrame? {
        frames += state.takeFrames()
        guard !isStalled else { return nil }
        if let heldUntil {
            guard heldUntil <= now else { return nil }
            self.heldUntil = nil
        }
        while let frame = frames.popFirst() {
            switch frame {
            case .stall:
                isStalled = true
                frames = [frame]
                return nil
            case .wait(let time) where time > .zero:
                heldUntil = now + time
                // The later frames wait, and so do those that are not made yet.
                if frames.isEmpty { frames = [.wait(.zero)] }
                return nil
            case .wait: continue
            default: return frame
            }
        }
        return nil
    }

    /// True if something was due.
    private func advance(to now: Duration) -> Bool {
        guard let deadline = state.deadline, deadline <= now else { return false }
        state.advance(to: now)
        return true
    }

    private func timerNow(_ now: Duration) -> Duration? {
        guard !isStalled, let deadline = heldUntil ?? state.deadline, deadline > now else { return nil }
        if let first = armed.min(), first <= deadline { return nil }
        armed.insert(deadline)
        return deadline
    }
}
