// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Makes progress out of periods of sound, and says when to look at the disk. Pure.
struct RecordingWatch {
    /// True if the recording has to end for lack of space.
    private(set) var isSpaceUsedUp = false

    private let space: RecordingSpace
    private let limit: Duration?
    private var clippedSamples = 0
    private var wasPaused = false
    private var nextCheck = Duration.zero
    /// What was found last, and how long the recording was then.
    private var found: (available: Int, fileByteCount: Int, duration: Duration)?

    init(space: RecordingSpace, limit: Duration?) {
        self.space = space
        self.limit = limit
    }

    /// True if the disk is to be looked at: at the beginning, once in a second of sound, and when a rest begins.
    mutating func isCheckDue(_ sound: SoundRecorder.Progress) -> Bool {
        let restBegins = sound.isPaused && !wasPaused
        wasPaused = sound.isPaused
        guard restBegins || sound.duration >= nextCheck && !sound.isPaused else { return false }
        nextCheck = sound.duration + SealedRecordingWriter.checkpointInterval
        return true
    }

    /// What there was on the disk.
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
