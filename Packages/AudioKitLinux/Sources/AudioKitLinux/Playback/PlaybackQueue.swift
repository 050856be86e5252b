// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Synchronization

/// `PlaybackState` and the feed of the ring behind a lock, for tasks and the service thread. The playback thread never
/// takes this lock while its device runs.
final class PlaybackQueue: Sendable {
    fileprivate struct Inside {
        var state: PlaybackState
        var feed: PlaybackFeed
        var instants = InstantMap()
        /// The device's clock as measured, and the run that it was measured in.
        var clock: DeviceClock
        var clockRun = Int.min
        var clockHeard = Int.min
        /// Stream frames per second of real time.
        var rate: Double
        /// Interruptions to tell the session.
        var interruptions: [AudioSession.Interruption] = []
        var announcer: PlaybackAnnouncer
        var listeners: [Listener] = []
    }

    /// A consumer of the announcements, for as long as it is kept.
    fileprivate struct Listener {
        weak var announcements: PlaybackAnnouncements?
    }

    private let inside: Guarded<Inside>
    private let nextID = Atomic(0)
    /// Wakes the playback thread.
    private let wake: WakeSignal
    private let session: SessionDriver

    init(format: AudioFormat, limit: Int, wake: WakeSignal, session: SessionDriver) {
        inside = Guarded(
            Inside(
                state: PlaybackState(format: format, limit: limit), feed: PlaybackFeed(stream: format),
                clock: DeviceClock(nominalRate: format.sampleRate),
                rate: Double(format.sampleRate), announcer: PlaybackAnnouncer(format: format)))
        self.wake = wake
        self.session = session
    }

    /// Changes the state, reads the playback thread's marks, fills the ring, and wakes the tasks whose wait is over.
    @discardableResult
    func update<Result: Sendable>(_ body: @Sendable (inout PlaybackState) -> Result) -> Result {
        let (result, ready, hasChanges, interruptions) = inside.withLock { inside in
            inside.learn()
            let result = body(&inside.state)
            if inside.state.takeFlushWish() {
                inside.feed.reset(at: inside.state.accepted)
                inside.feed.link?.askForFlush()
            }
            let hasChanges = inside.feed.pump(&inside.state, &inside.announcer) || inside.feed.link?.wantedFlush != nil
            let interruptions = inside.interruptions
            inside.interruptions = []
            return (result, inside.state.settle(rate: inside.rate), hasChanges, interruptions)
        }
        if hasChanges { wake.signal() }
        for interruption in interruptions { session.interrupted(by: interruption, lostFrames: 0) }
        for (waiter, outcome) in ready { waiter.continuation.resume(returning: outcome) }
        return result
    }

    /// Sends all further announcements to `announcements`.
    func add(_ announcements: PlaybackAnnouncements) {
        inside.withLock { $0.listeners.append(Listener(announcements: announcements)) }
    }

    /// The measured rate of the device's clock.
    var clock: DeviceClock.Estimate? { inside.withLock { $0.clock.estimate } }

    /// Attaches a newly opened device. Only while no device runs.
    func attach(_ link: PlaybackLink, speed: Double) throws(AudioError) {
        let result = inside.withLock { inside -> Result<Void, AudioError> in
            inside.learn()
            // A flush that was asked of the device before this one is done: nothing of that device is heard any more.
            inside.state.noteFlushed()
            inside.state.dropTaken()
            inside.announcer.dropped(upTo: inside.state.taken, silentAt: .now)
            inside.clock = DeviceClock(nominalRate: link.format.sampleRate)
            inside.rate = Double(inside.state.format.sampleRate) * speed
            let frame = inside.state.taken
            do throws(AudioError) { return .success(try inside.feed.attach(link, at: frame)) } catch {
                return .failure(error)
            }
        }
        try result.get()
        update { _ in }
    }

    /// Waits until a wish is fulfilled, the stream ends, or the task is cancelled.
    func wait(for wish: PlaybackState.Wish) async -> PlaybackState.Outcome {
        let id = nextID.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = inside.withLock { inside -> PlaybackState.Outcome? in
                    inside.learn()
                    if let outcome = inside.state.outcome(of: wish, rate: inside.rate) { return outcome }
                    inside.state.add(PlaybackState.Waiter(id: id, wish: wish, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
                // Cancelled before it waited: the handler found no waiting task.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let waiter = inside.withLock { $0.state.remove(id) }
        waiter?.continuation.resume(returning: .cancelled)
    }
}

extension PlaybackQueue.Inside {
    /// Reads the marks of the playback thread.
    fileprivate mutating func learn() {
        guard let link = feed.link else { return }
        while let mark = link.marks.pop() {
            let place = PlaybackAnnouncer.Place(
                heard: feed.mapper.stream(mark.heard), written: feed.mapper.stream(mark.written),
                run: feed.mapper.stream(mark.run), instant: instants.instant(of: mark.time))
            state.noteWritten(upTo: place.written)
            state.noteHeard(upTo: place.heard, run: place.run, rate: rate, now: place.instant)
            switch mark.kind {
            case .progress:
                // Each run begins at its own time.
                if mark.run != clockRun { clock.restart() }
                clockRun = mark.run
                if mark.heard < mark.written, mark.heard != clockHeard {
                    clock.note(position: mark.heard, time: mark.time)
                }
                clockHeard = mark.heard
                announcer.advanced(to: place, rate: rate)
            case .afterXrun:
                state.xruns += 1
                interruptions.append(.xrun)
            case .afterSuspend:
                state.xruns += 1
                interruptions.append(.suspend)
                announcer.stopped(at: place.heard, place.instant)
            case .halted: announcer.stopped(at: place.heard, place.instant)
            case .flushed:
                if let target = state.noteFlushed() {
                    announcer.dropped(upTo: target, silentAt: instants.instant(of: mark.silentAt))
                }
            }
        }
        let news = announcer.takeNews()
        if !news.isEmpty {
            listeners.removeAll { $0.announcements == nil }
            for listener in listeners { listener.announcements?.add(news) }
        }
        let drained = link.drained.load(ordering: .acquiring)
        if drained > Int.min { state.noteDrained(upTo: feed.mapper.stream(drained)) }
    }
}
