// SPDX-License-Identifier: MIT
internal import AudioKitLinux
internal import Synchronization

/// The loudspeaker of an open device: takes sound without waiting, plays it in order, and reports the frames heard.
///
/// One task feeds the playback stream, another one follows its progress. Both end with ``close()``.
final class VoiceLoudspeaker: Sendable {
    private enum Command: Sendable {
        /// Plays, unless it was flushed since.
        case play(AudioBuffer, era: Int)
        /// Drops the unheard sound, and returns the frames heard.
        case flush(CheckedContinuation<Int, Never>)
    }

    /// The number of flushes so far.
    private final class Flushes: Sendable {
        let count = Atomic(0)
    }

    private let playback: AudioPlayback
    private let commands: AsyncStream<Command>.Continuation
    private let flushes: Flushes
    private let feeding: Task<Void, Never>
    private let following: Task<Void, Never>

    /// - Parameter period: the interval of the reports of heard frames.
    init(_ playback: AudioPlayback, period: Duration, outlet: VoiceOutlet) {
        self.playback = playback
        let (orders, commands) = AsyncStream<Command>.makeStream()
        let (news, accepted) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.commands = commands
        let flushes = Flushes()
        self.flushes = flushes
        feeding = Task {
            for await command in orders {
                switch command {
                case .play(let buffer, let era):
                    guard era == flushes.count.load(ordering: .acquiring) else { continue }
                    do { try await playback.play(buffer) } catch { outlet.finish(throwing: EchoError(audio: error)) }
                    accepted.yield()
                case .flush(let done):
                    await playback.flush()
                    let heard = playback.framesHeard
                    outlet.sendHeard(heard)
                    done.resume(returning: heard)
                }
            }
            accepted.finish()
        }
        let step = max(1, playback.format.frames(in: period))
        following = Task {
            var frame = 0
            for await _ in news {
                // A frame's number counts flushed ones too: their wait ends at once.
                while case let end = playback.framesAccepted, frame < end {
                    frame = min(frame + step, end)
                    _ = await playback.audible(frame: frame - 1)
                    outlet.sendHeard(playback.framesHeard)
                }
            }
        }
    }

    deinit {
        commands.finish()
        following.cancel()
    }

    /// Plays after all earlier sound.
    func play(_ buffer: AudioBuffer) {
        guard buffer.frameCount > 0 else { return }
        commands.yield(.play(buffer, era: flushes.count.load(ordering: .acquiring)))
    }

    /// Drops the unheard sound; returns the number of frames heard.
    func flush() async -> Int {
        flushes.count.wrappingAdd(1, ordering: .acquiringAndReleasing)
        return await withCheckedContinuation { done in
            if case .terminated = commands.yield(.flush(done)) { done.resume(returning: playback.framesHeard) }
        }
    }

    /// Stops the device and waits for the tasks.
    func close() async {
        commands.finish()
        await playback.stop()
        await feeding.value
        await following.value
    }
}
