// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
import Digests
public import Domain
import FoundationEssentials
import Glibc
import SealedRecordings

/// Records cues from a device into sealed files.
public struct SealedPracticeRecorder: PracticeRecorder {
    /// The greatest length of a recording; a cue takes seconds.
    public static let longest = Duration.seconds(300)

    private let device: AudioDevice
    private let folder: SealedRecordingFolder
    private let format: Recording.Format
    private let sampleRate: Int
    private let keep: @Sendable (Recording) async throws -> Void
    private let replacement: SoundRecorder.Replacement

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - device: The microphone.
    ///   - folder: The folder of the files.
    ///   - format: The encoding.
    ///   - sampleRate: 16,000 or 48,000 samples a second.
    ///   - keep: Called with a recording that is kept, whose file is on the disk by then.
    ///   - replacement: Finds the device to continue with when this one has disappeared; the recording pauses until it
    ///     is resumed.
    public init(
        device: AudioDevice, folder: SealedRecordingFolder, format: Recording.Format, sampleRate: Int,
        keep: @escaping @Sendable (Recording) async throws -> Void,
        replacement: @escaping SoundRecorder.Replacement = { _ in nil }
    ) {
        self.device = device
        self.folder = folder
        self.format = format
        self.sampleRate = sampleRate
        self.keep = keep
        self.replacement = replacement
    }

    /// See `PracticeRecorder`.
    public func start(_ cue: Cue) async throws -> any ActiveRecording {
        let id = Identifier<Recording>()
        var configuration = SealedRecorder.Configuration()
        configuration.format = AudioFormat(sampleRate: sampleRate)
        configuration.encoding = format == .flac ? .flac16 : .oggOpus
        configuration.limit = Self.longest
        let recorder = SealedRecorder(device: device, configuration: configuration)
        let session = try await domainErrors {
            try await recorder.start(
                at: folder.path(of: id), id: id.description, key: folder.key, startedAt: Date(),
                subject: cue.id.uuid, replacement: replacement)
        }
        return SealedActiveRecording(
            session: session, id: id, cue: cue.id, format: format, folder: folder,
            hold: RecordingHold(folder.path(of: id)), keep: keep)
    }
}

private struct SealedActiveRecording: ActiveRecording {
    let session: RecordingSession
    let id: Identifier<Recording>
    let cue: Identifier<Cue>
    let format: Recording.Format
    let folder: SealedRecordingFolder
    let hold: RecordingHold
    let keep: @Sendable (Recording) async throws -> Void

    var meter: AsyncStream<RecordingMeter> {
        let meter = Meter(session.events)
        return AsyncStream { await meter.next() }
    }

    func pause() { session.pause() }
    func resume() { session.resume() }
    // The search for files without a recording finds and deletes a file that cannot be deleted now.
    func discard() async { try? await session.discard() }

    func finish() async throws -> (recording: any TakenRecording, interruption: DomainError?) {
        let summary = await session.finish()
        guard let sealed = summary.recording else {
            throw summary.interruption ?? DomainError.noSpeech
        }
        let hash = try await digest(of: sealed)
        let recording = Recording(
            id: id, cue: cue, createdAt: sealed.startedAt, duration: sealed.duration / .seconds(1), format: format,
            sampleRate: sealed.format.sampleRate, byteCount: sealed.byteCount,
            contentHash: Hexadecimal.text(hash))
        let taken = SealedTakenRecording(recording: recording, folder: folder, hold: hold, keeping: keep)
        return (taken, summary.interruption)
    }

    private func digest(of sealed: SealedRecording) async throws -> [UInt8] {
        if let digest = sealed.sha256 { return digest }
        let reader = try await folder.open(id)
        return try await domainErrors { try await reader.digest() }
    }
}

private struct SealedTakenRecording: TakenRecording {
    let recording: Recording
    let folder: SealedRecordingFolder
    /// Keeps other programs from touching the file until the person has decided.
    let hold: RecordingHold
    let keeping: @Sendable (Recording) async throws -> Void
    private let isKept = KeptFlag()

    init(
        recording: Recording, folder: SealedRecordingFolder, hold: RecordingHold,
        keeping: @escaping @Sendable (Recording) async throws -> Void
    ) {
        self.recording = recording
        self.folder = folder
        self.hold = hold
        self.keeping = keeping
    }

    func keep() async throws {
        try await keeping(recording)
        await isKept.set()
    }

    func discard() async {
        guard await !isKept.value else { return }
        try? await folder.remove(recording.id)
    }
}

private actor KeptFlag {
    private(set) var value = false
    func set() { value = true }
}

extension RecordingSummary {
    /// The reason why the recording ended by itself; nil if it ended on request.
    fileprivate var interruption: DomainError? {
        switch ending {
        case .finished, .soundEnded: nil
        case .limitReached: .device("The recording is as long as it may be, 5 minutes.")
        case .spaceUsedUp: .storage("The disk is full. Make room, then record again.")
        case .deviceLost(let error): DomainError(translating: error)
        case .failed(let error): DomainError(translating: error)
        }
    }
}

/// Makes meter readings from the recorder's progress.
private actor Meter {
    private let events: AsyncStream<RecordingEvent>
    private var moment = Moment()

    init(_ events: AsyncStream<RecordingEvent>) { self.events = events }

    func next() async -> RecordingMeter? {
        for await event in events {
            guard case .progress(let progress) = event else { break }
            if let reading = moment.take(progress) { return reading }
        }
        return nil
    }
}

/// A tenth of a second of a recording.
private struct Moment {
    private var count = 0
    private var power: Double = 0
    private var peak: Float = AudioLevel.floor
    private var isClipping = false

    /// A reading for each five periods of 20 ms.
    mutating func take(_ progress: RecordingProgress) -> RecordingMeter? {
        count += 1
        power += pow(10, Double(progress.level.rms) / 10)
        peak = max(peak, progress.level.peak)
        isClipping = isClipping || progress.level.clippedSamples > 0
        guard count == 5 else { return nil }
        defer { self = Moment() }
        return RecordingMeter(
            elapsed: progress.duration / .seconds(1), level: 10 * log10(power / 5), peak: Double(peak),
            isClipping: isClipping, remaining: progress.remaining.map { $0 / .seconds(1) } ?? .infinity)
    }
}
