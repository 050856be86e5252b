// SPDX-License-Identifier: MIT

public import Domain

/// A recorder in front of sound that does not end.
public struct PracticeRecorderSubject: Sendable {
    let recorder: any PracticeRecorder
    let kept: @Sendable () async throws -> [Recording]
    let interrupt: @Sendable () async throws -> Void
    let failing: Failing<any PracticeRecorder>

    /// A subject.
    ///
    /// - Parameters:
    ///   - recorder: The recorder.
    ///   - kept: The recordings that were kept, in order.
    ///   - interrupt: Takes the device away, so that what is being recorded ends by itself.
    ///   - failing: Recorders that fail to start with `device`, `file` or `storage`.
    public init(
        recorder: any PracticeRecorder, kept: @escaping @Sendable () async throws -> [Recording],
        interrupt: @escaping @Sendable () async throws -> Void, failing: Failing<any PracticeRecorder>
    ) {
        self.recorder = recorder
        self.kept = kept
        self.interrupt = interrupt
        self.failing = failing
    }

    /// Starts a recording, and returns when there is sound in it.
    fileprivate func recording(of cue: Cue) async throws -> any ActiveRecording {
        let active = try await recorder.start(cue)
        for await reading in active.meter {
            try require(reading.elapsed >= 0 && reading.remaining >= 0, "a reading of \(reading)")
            return active
        }
        throw BrokenContract(description: "it ended before it had begun")
    }
}

/// The contract of `PracticeRecorder`, with its `ActiveRecording`s and `TakenRecording`s.
public enum PracticeRecorderContract {
    /// Every promise.
    public static let checks: [ContractCheck<PracticeRecorderSubject>] = [
        .init("a recording is of its cue, and is kept once it is to be") { subject in
            let cue = try CueSamples.cue("Good morning")
            let active = try await subject.recording(of: cue)
            let (taken, interruption) = try await active.finish()
            try require(interruption == nil, "interrupted by \(String(describing: interruption))")
            let recording = taken.recording
            try require(recording.cue == cue.id, "of another cue")
            try require(recording.duration > 0 && recording.byteCount > 0, "nothing was recorded")
            try await require(subject.kept().isEmpty, "kept before it was decided")
            try await taken.keep()
            await taken.discard()
            try await require(subject.kept() == [recording], "not kept, or removed after it was")
        },
        .init("recordings are apart, whatever becomes of them") { subject in
            let cues = try CueSamples.cues(3)
            var taken: [any TakenRecording] = []
            for cue in cues { taken.append(try await subject.recording(of: cue).finish().recording) }
            try require(Set(taken.map(\.recording.id)).count == 3, "one id for two")
            try require(taken.map(\.recording.cue) == cues.map(\.id), "the cues are mixed")
            try await taken[0].keep()
            await taken[1].discard()
            try await taken[2].keep()
            try await require(subject.kept() == [taken[0].recording, taken[2].recording], "others were kept")
        },
        .init("a recording that was paused goes on") { subject in
            let active = try await subject.recording(of: CueSamples.cue("Good evening"))
            try await active.pause()
            try await active.resume()
            let taken = try await active.finish().recording
            try require(taken.recording.duration > 0, "nothing was recorded")
        },
        .init("the meter ends with the recording") { subject in
            for isKept in [true, false] {
                let active = try await subject.recording(of: CueSamples.cue("Good night"))
                if isKept { _ = try await active.finish() } else { await active.discard() }
                for await _ in active.meter {}
            }
            try await require(subject.kept().isEmpty, "kept without being asked")
        },
        .init("what was recorded is there after the device has gone, with the reason") { subject in
            let active = try await subject.recording(of: CueSamples.cue("Good bye"))
            try await subject.interrupt()
            for await _ in active.meter {}
            let (taken, interruption) = try await active.finish()
            try require(interruption?.code == "device", "the reason is \(String(describing: interruption))")
            try await taken.keep()
            try await require(subject.kept() == [taken.recording], "lost")
        },
        .init("a cancelled start says so, or can be discarded") { subject in
            let cue = try CueSamples.cue("Nobody waits")
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await subject.recorder.start(cue)
            }
            do { await (try await task.value).discard() } catch is CancellationError {}
            try await require(subject.kept().isEmpty, "kept all the same")
        },
        .init("a failure is a documented error") { subject in
            let cue = try CueSamples.cue("Nobody hears it")
            try await requireErrors(of: subject.failing, documented: ["device", "file", "storage"]) {
                _ = try await $0.start(cue)
            }
        },
    ]
}

/// A player and a recording.
public struct RecordingPlayerSubject: Sendable {
    let player: any RecordingPlayer
    let endless: any RecordingPlayer
    let recording: Recording
    let failing: Failing<any RecordingPlayer>

    /// A subject.
    ///
    /// - Parameters:
    ///   - player: The player.
    ///   - endless: A player of the same recording that does not end soon.
    ///   - recording: The recording; it is some seconds long.
    ///   - failing: Players that fail with `device`, `notFound` (where the sound is gone), `damaged` or `storage`.
    public init(
        player: any RecordingPlayer, endless: any RecordingPlayer, recording: Recording,
        failing: Failing<any RecordingPlayer>
    ) {
        self.player = player
        self.endless = endless
        self.recording = recording
        self.failing = failing
    }
}

/// The contract of `RecordingPlayer`.
public enum RecordingPlayerContract {
    /// Every promise.
    public static let checks: [ContractCheck<RecordingPlayerSubject>] = [
        .init("a recording is played from its start to its end, each time") { subject in
            for _ in 0..<2 {
                let reports = Collected<Double>()
                try await subject.player.play(subject.recording) { await reports.add($0) }
                let heard = await reports.all
                try require(heard == heard.sorted() && !heard.isEmpty, "it went \(heard)")
                try require((heard.first ?? -1) >= 0, "it began at \(heard)")
                // The last report may precede the last sound.
                try require((heard.last ?? 0) <= subject.recording.duration + 0.1, "more than there is: \(heard)")
            }
        },
        .init("cancellation ends it") { subject in
            let task = Task {
                try await subject.endless.play(subject.recording) { _ in withUnsafeCurrentTask { $0?.cancel() } }
            }
            try await requireCancellationError { try await task.value }
        },
        .init("a cancelled call says so") { subject in
            try await requireCancelled { try await subject.endless.play(subject.recording) { _ in } }
        },
        .init("a missing sound and other failures are documented errors") { subject in
            try require(subject.failing["notFound"] != nil, "a missing sound is not among the failures")
            let documented: Set = ["device", "notFound", "damaged", "storage"]
            try await requireErrors(of: subject.failing, documented: documented) {
                try await $0.play(subject.recording) { _ in }
            }
        },
    ]
}
