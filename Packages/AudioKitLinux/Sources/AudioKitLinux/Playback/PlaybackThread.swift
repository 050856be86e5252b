// SPDX-License-Identifier: MIT
internal import CALSA
internal import Synchronization

/// The playback thread's life: one device after another, as the session's policy decides.
struct PlaybackThread {
    let configuration: StreamConfiguration
    let queue: PlaybackQueue
    let session: SessionDriver
    /// Wakes the service thread.
    let ready: WakeSignal
    let wake: WakeSignal
    let reopens: Reopens
    let isStopped: () -> Bool

    /// Counts the times that a device was opened again.
    final class Reopens: Sendable {
        let count = Atomic(0)
    }

    func open(_ device: AudioDevice) throws(AudioError) -> PCMHandle {
        try PCMHandle(device, .playback, configuration, wake: wake)
    }

    /// Makes a link for a device that was opened just now.
    func attach(_ pcm: PCMHandle, startingAt index: Int) throws(AudioError) -> PlaybackLink {
        let link = PlaybackLink(pcm, startingAt: index)
        try queue.attach(link, speed: pcm.frameRate / Double(pcm.format.sampleRate))
        return link
    }

    /// Runs on `first`, and on the devices after it, to the end.
    func run(_ first: PCMHandle, _ firstLink: PlaybackLink) {
        var pcm = first
        var link = firstLink
        var history = PlaybackHistory(frames: 2 * pcm.bufferFrames, channels: pcm.format.channels, startingAt: 0)
        var heard = 0
        while true {
            let failure: AudioError
            do throws(AudioError) {
                try work(pcm, link, history, &heard)
                return queue.update { $0.finish(.success(())) }
            } catch { failure = error }
            do throws(AudioError) {
                let opened = try session.reopen(after: failure, wake: wake, isStopped: isStopped) {
                    device throws(AudioError) in try open(device)
                }
                guard let (next, device) = opened else { return queue.update { $0.finish(.success(())) } }
                pcm = next
                if !link.fits(pcm) {
                    // Another format: frames converted for the old device are useless.
                    heard = link.ring.written
                    link = try attach(pcm, startingAt: heard)
                    history = PlaybackHistory(
                        frames: 2 * pcm.bufferFrames, channels: pcm.format.channels, startingAt: heard)
                }
                reopens.count.wrappingAdd(1, ordering: .relaxed)
                session.opened(device, lostFrames: 0)
            } catch {
                let error = error
                return queue.update { $0.finish(.failure(error)) }
            }
        }
    }

    private func work(
        _ pcm: PCMHandle, _ link: PlaybackLink, _ history: PlaybackHistory, _ heard: inout Int
    ) throws(AudioError) {
        if !pcm.isVirtual { AudioThread.raisePriority() }
        let loop = PlaybackLoop(
            pcm: pcm, link: link, history: history, heard: heard, ready: ready, wake: wake,
            patience: session.recovery.patience, isStopped: isStopped)
        defer {
            heard = loop.heard
            pcm.drop()
            pcm.close()
            AudioThread.dropPriority()
        }
        do throws(AudioError) { try loop.work() } catch {
            loop.tell(.halted, at: MonotonicTime.now())
            throw error
        }
    }
}
