// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import Diagnostics

/// A recording in progress: its controls and events. It ends, and keeps its sound, when it is released.
public final class RecordingSession: Sendable {
    /// Progress about every 20 ms, then `ended`, then the end; for one reader. A slow reader gets the newest 64 events,
    /// always including `ended`.
    public let events: AsyncStream<RecordingEvent>

    private let control: TransportControl
    private let task: Task<RecordingSummary, any Error>
    private let path: String

    private init(
        _ events: AsyncStream<RecordingEvent>, _ control: TransportControl, _ task: Task<RecordingSummary, any Error>,
        path: String
    ) {
        self.events = events
        self.control = control
        self.task = task
        self.path = path
    }

    deinit { control.stop() }

    /// Starts a run, and returns when it has begun.
    static func begin(_ run: RecordingRun) async throws(RecordingError) -> RecordingSession {
        let (events, sender) = AsyncStream.makeStream(of: RecordingEvent.self, bufferingPolicy: .bufferingNewest(64))
        let (beginning, beginner) = AsyncStream.makeStream(of: Void.self)
        let control = TransportControl()
        let task = Task {
            defer {
                sender.finish()
                beginner.finish()
            }
            let summary = try await run(control) {
                beginner.yield()
            } progress: {
                sender.yield(.progress($0))
            }
            sender.yield(.ended(summary))
            return summary
        }
        var hasBegun = false
        for await _ in beginning {
            hasBegun = true
            break
        }
        let session = RecordingSession(events, control, task, path: run.path)
        if hasBegun { return session }
        // It has ended without having begun, or this task was cancelled while it began.
        control.stop()
        do {
            _ = try await task.value
        } catch {
            throw RecordingError(translating: error)
        }
        return session
    }

    /// Pauses; the sound meanwhile is metered and not recorded. Sound that was recorded is on the disk soon afterwards.
    public func pause() { control.pause() }

    /// Continues after a pause.
    public func resume() { control.resume() }

    /// Waits until the recording ends by itself: at its limit, with the device or the disk.
    public func summary() async -> RecordingSummary {
        do {
            return try await task.value
        } catch {
            return RecordingSummary(
                ending: .failed(RecordingError(translating: error)), recording: nil, statistics: .init())
        }
    }

    /// Ends the recording, and returns when its file is complete. A repeated call, also after the end, returns the
    /// same.
    public func finish() async -> RecordingSummary {
        control.stop()
        return await summary()
    }

    /// Ends the recording and removes its file.
    ///
    /// - Throws: ``RecordingError``: `permission`, `inputOutput` when the file cannot be removed.
    public func discard() async throws(RecordingError) {
        _ = await finish()
        let path = path
        try await BlockingCall.run { () throws(RecordingError) in try RecordingFiles.remove(path) }
    }
}
