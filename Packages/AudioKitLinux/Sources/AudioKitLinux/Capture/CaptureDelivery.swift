// SPDX-License-Identifier: MIT
import Concurrency
import Diagnostics
internal import Synchronization

/// The delivery thread: turns the sound in the capture thread's rings into buffers for the consumer. It may allocate,
/// lock and wait; the rings buffer the capture thread's sound in the meantime.
struct CaptureDelivery {
    let configuration: StreamConfiguration
    let shared: CaptureShared
    let queue: CaptureQueue
    let session: SessionDriver
    /// The capture thread's signal.
    let wake: WakeSignal
    let isStopped: () -> Bool

    /// Runs until the capture thread has ended and everything is in the queue.
    func run() {
        defer { session.finish() }
        var instants = InstantMap()
        var expected = 0
        while true {
            let (link, end) = shared.next()
            if let link {
                do throws(AudioError) {
                    try empty(link, &instants, &expected)
                } catch {
                    // The device runs at a rate that cannot be converted: its sound is useless.
                    queue.finish(.failure(error))
                }
            } else if let end {
                return queue.finish(end)
            } else {
                shared.ready.wait()
            }
        }
    }

    /// Delivers everything from one opening of a device.
    private func empty(
        _ link: CaptureLink, _ instants: inout InstantMap, _ expected: inout Int
    ) throws(AudioError) {
        let format = configuration.format
        var assembler = try CaptureAssembler(
            device: link.format, stream: format, periodFrames: max(1, format.frames(in: configuration.period)),
            frameRate: link.frameRate)
        shared.clock.withLock { $0 = DeviceClock(nominalRate: link.format.sampleRate) }
        while true {
            // A slow consumer holds up a device that can wait.
            if link.isPatient.load(ordering: .relaxed), queue.isFull, !isStopped() {
                shared.ready.wait()
                continue
            }
            guard let mark = link.marks.pop() else {
                shared.ready.wait()
                continue
            }
            let pieces: [CaptureAssembler.Piece]
            switch mark.kind {
            case .end: pieces = assembler.finish()
            case .sound:
                shared.clock.withLock { $0.note(position: mark.position + mark.frames, time: mark.time) }
                pieces = assembler.add(take(mark.frames, link), mark)
            case .afterXrun, .afterSuspend:
                shared.clock.withLock { $0.restart() }
                session.interrupted(
                    by: mark.kind == .afterXrun ? .xrun : .suspend,
                    lostFrames: shared.inStreamFrames(mark.frames, of: link.format))
                pieces = []
            }
            for piece in pieces {
                let lost = piece.position - expected
                expected = piece.position + piece.samples.count / format.channels
                queue.push(
                    CapturedBuffer(
                        buffer: AudioBuffer(samples: piece.samples, format: format), position: piece.position,
                        capturedAt: instants.instant(of: piece.time)), lost: max(0, lost), isLast: isStopped())
            }
            if mark.kind == .end { return }
            if link.wantsRoom.load(ordering: .sequentiallyConsistent) { wake.signal() }
        }
    }

    private func take(_ frames: Int, _ link: CaptureLink) -> [Float] {
        let count = frames * link.format.channels
        return [Float](unsafeUninitializedCapacity: count) { target, filled in
            guard let base = target.baseAddress else { return }
            filled = link.samples.read(base, frames: frames) * link.format.channels
        }
    }
}
