// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import FoundationEssentials
import Security

/// One recording from its beginning to its end.
struct RecordingRun: Sendable {
    let device: AudioDevice
    let configuration: SealedRecorder.Configuration
    let path: String
    let id: String
    let key: SymmetricKey
    let startedAt: Date
    let subject: UUID?
    let replacement: SoundRecorder.Replacement

    /// Records until it ends. `began` is called once the device runs and the file exists; before that it throws.
    func callAsFunction(
        _ control: TransportControl, began: () -> Void, progress: (RecordingProgress) -> Void
    ) async throws(RecordingError) -> RecordingSummary {
        let space = RecordingSpace(
            encoding: configuration.encoding, format: configuration.format,
            reserve: configuration.reservedByteCount)
        var settings = SoundRecorder.Configuration()
        settings.format = configuration.format
        settings.limit = configuration.limit
        var writer: SealedRecordingWriter?
        var creation: RecordingError?
        var watch = RecordingWatch(space: space, limit: configuration.limit)
        let summary: SoundRecorder.Summary
        do throws(AudioError) {
            summary = try await SoundRecorder(device: device, configuration: settings).record(
                into: { () async throws(AudioError) in
                    do throws(RecordingError) {
                        let made = try await create(space)
                        writer = made
                        began()
                        return made
                    } catch {
                        creation = error
                        throw error.audioError
                    }
                }, control: control
            ) { sound in
                guard let writer else { return }
                if watch.isCheckDue(sound) {
                    // A disk that fails here fails the next write, too, which reports it.
                    if sound.isPaused { try? await writer.checkpoint() }
                    watch.checked(
                        available: await writer.availableBytes(configuration.availableBytes),
                        fileByteCount: await writer.fileByteCount, sound)
                }
                if watch.isSpaceUsedUp { control.stop() }
                progress(watch.progress(sound))
            } replacement: {
                await replacement($0)
            }
        } catch {
            throw creation ?? RecordingError(.device, error.message, device: error)
        }
        guard let writer else { throw RecordingError(.inputOutput, "\(path) was not begun.") }
        return await end(writer, summary, isSpaceUsedUp: watch.isSpaceUsedUp)
    }

    private func create(_ space: RecordingSpace) async throws(RecordingError) -> SealedRecordingWriter {
        let available = await BlockingCall.run { configuration.availableBytes(path) }
        if let available, !space.isEnough(available) {
            throw RecordingError(
                .tooLittleSpace,
                "There is too little free space for a recording: \(available >> 20) MiB. Free some, or delete recordings."
            )
        }
        return try await SealedRecordingWriter.create(
            at: path, id: id, key: key, format: configuration.format, encoding: configuration.encoding,
            startedAt: startedAt, subject: subject)
    }

    private func end(
        _ writer: SealedRecordingWriter, _ summary: SoundRecorder.Summary, isSpaceUsedUp: Bool
    ) async -> RecordingSummary {
        let failure = await writer.failure
        let ending: RecordingSummary.Ending =
            switch summary.ending {
            case _ where failure != nil: .failed(failure ?? RecordingError(.inputOutput, "\(path) failed."))
            case .stopped, .cancelled: isSpaceUsedUp ? .spaceUsedUp : .finished
            case .limit: .limitReached
            case .soundEnded: .soundEnded
            case .failed(let error): .deviceLost(error)
            }
        var recording: SealedRecording?
        if failure == nil {
            recording = try? await writer.finish()
        } else if let reader = try? await SealedRecordingReader.open(path, id: id, key: key) {
            recording = reader.recording
        }
        if recording.map({ $0.frameCount == 0 }) ?? false {
            recording = nil
            try? await BlockingCall.run { () throws(RecordingError) in try RecordingFiles.remove(path) }
        }
        return RecordingSummary(ending: ending, recording: recording, statistics: summary.statistics)
    }
}
