// SPDX-License-Identifier: MIT

internal import CALSA
import Concurrency
import Diagnostics
internal import Synchronization

/// State that the capture thread, the delivery thread and the stream's owner share.
final class CaptureShared: Sendable {
    /// Wakes the delivery thread.
    let ready: WakeSignal
    let xruns = Atomic(0)
    let reopens = Atomic(0)
    /// The number of periods to deliver at once, at least 1.
    let gathered = Atomic(1)
    let format: AudioFormat
    /// The device's clock as measured by the delivery thread.
    let clock: Guarded<DeviceClock>
    /// The openings of devices that the delivery thread has not reached yet, and the result of the last. Accessed only
    /// while no device runs.
    private let state = Guarded((links: [CaptureLink](), end: Result<Void, AudioError>?.none))

    init(format: AudioFormat) throws(AudioError) {
        ready = try WakeSignal()
        self.format = format
        clock = Guarded(DeviceClock(nominalRate: format.sampleRate))
    }

    func add(_ link: CaptureLink) { state.withLock { $0.links.append(link) } }

    func end(_ result: Result<Void, AudioError>) {
        state.withLock { $0.end = $0.end ?? result }
        ready.signal()
    }

    /// The next opening, or the end if there are no more.
    func next() -> (link: CaptureLink?, end: Result<Void, AudioError>?) {
        state.withLock { state in
            if state.links.isEmpty { return (nil, state.end) }
            return (state.links.removeFirst(), nil)
        }
    }

    func inStreamFrames(_ frames: Int, of device: AudioFormat) -> Int {
        device.sampleRate == format.sampleRate ? frames : frames * format.sampleRate / device.sampleRate
    }
}

/// The capture thread's life: one device after another, as the session's policy decides.
struct CaptureThread {
    let configuration: StreamConfiguration
    let shared: CaptureShared
    let wake: WakeSignal
    let session: SessionDriver
    let isStopped: () -> Bool

    /// Opens `device` and starts it.
    func open(_ device: AudioDevice) throws(AudioError) -> PCMHandle {
        let pcm = try PCMHandle(device, .capture, configuration, wake: wake)
        try pcm.check(pcm.start())
        return pcm
    }

    /// Runs on `first`, which was started just now, and on the devices after it, to the end.
    func run(_ first: PCMHandle) {
        var pcm = first
        var timeline = CaptureTimeline(rate: pcm.frameRate)
        timeline.started(at: pcm.startTime(), tape: pcm.tapePosition)
        while true {
            let failure = work(pcm, &timeline)
            guard let failure else { return shared.end(.success(())) }
            do throws(AudioError) {
                let opened = try session.reopen(after: failure, wake: wake, isStopped: isStopped) {
                    device throws(AudioError) in try open(device)
                }
                guard let (next, device) = opened else { return shared.end(.success(())) }
                timeline.changed(
                    rate: next.frameRate, ratio: Double(next.format.sampleRate) / Double(pcm.format.sampleRate))
                pcm = next
                let lost = timeline.started(at: pcm.startTime(), tape: pcm.tapePosition)
                shared.reopens.wrappingAdd(1, ordering: .relaxed)
                session.opened(device, lostFrames: shared.inStreamFrames(lost, of: pcm.format))
            } catch { return shared.end(.failure(error)) }
        }
    }

    /// Runs one opening of a device. Returns the failure, or nil when the sound ended or the stream was stopped.
    private func work(_ pcm: PCMHandle, _ timeline: inout CaptureTimeline) -> AudioError? {
        let link = CaptureLink(pcm)
        shared.add(link)
        if !pcm.isVirtual { AudioThread.raisePriority() }
        defer {
            pcm.drop()
            pcm.close()
            AudioThread.dropPriority()
            link.marks.push(CaptureMark(kind: .end))
            shared.ready.signal()
        }
        let loop = CaptureLoop(
            pcm: pcm, link: link, shared: shared, wake: wake, patience: session.recovery.patience, isStopped: isStopped)
        do throws(AudioError) {
            try loop.run(&timeline)
            return nil
        } catch { return error }
    }
}
