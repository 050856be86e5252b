// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Turns periods of sound into progress, and decides when to check the disk. Pure.
struct RecordingWatch {
    /// True if the recording has to end for lack of space.
    private(set) var isSpaceUsedUp = false

    private let space: RecordingSpace
    private let limit: Duration?
    private var clippedSamples = 0
    private var wasPaused = false
    private var nextCheck = Duration.zero
    /// The result of the last check, and the recording's length then.
    private var found: (available: Int, fileByteCount: Int, duration: Duration)?

    init(space: RecordingSpace, limit: Duration?) {
        self.space = space
        self.limit = limit
    }

    /// True if the disk must be checked: at the beginning, once in a second of sound, and when a pause begins.
    mutating func isCheckDue(_ sound: SoundRecorder.Progress) -> Bool {
        let restBegins = sound.isPaused && !wasPaused
        wasPaused = sound.isPaused
        guard restBegins || sound.duration >= nextCheck && !sound.isPaused else { return false }
        nextCheck = sound.duration + SealedRecordingWriter.checkpointInterval
        return true
    }

    /// Stores the result of a check of the disk.
    mutating func checked(available: Int?, fileByteCount: Int, _ sound: SoundRecorder.Progress) {
        found = available.map { ($0, fileByteCount, sound.duration) }
        if let available, space.isUsedUp(available) { isSpaceUsedUp = true }
    }

    mutating func progress(_ sound: SoundRecorder.Progress) -> RecordingProgress {
        let level = AudioLevel(of: sound.buffer)
        if !sound.isPaused { clippedSamples += level.clippedSamples }
        var remaining = limit.map { max(.zero, $0 - sound.duration) }
        if let found {
            let bySpace = space.remaining(
                found.available, after: found.duration, fileByteCount: found.fileByteCount)
            remaining = min(remaining ?? bySpace, bySpace)
        }
        return RecordingProgress(
            duration: sound.duration, level: level, clippedSamples: clippedSamples, isPaused: sound.isPaused,
            remaining: remaining)
    }
}
