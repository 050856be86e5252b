// SPDX-License-Identifier: MIT
internal import Glibc

/// Records a device into a sound file until it is stopped, and keeps the recorded sound whatever happens.
public struct SoundRecorder: Sendable {
    /// The format and limits of a recording.
    public struct Configuration: Sendable, Hashable {
        /// The format of the file: 48 kHz mono unless set.
        public var format = AudioFormat(sampleRate: 48_000)
        /// The encoding of the samples; chosen by the file's name if nil.
        public var encoding: SoundFileEncoding?
        /// The longest recording; later sound is dropped. No limit if nil.
        public var limit: Duration?
        /// True to replace an existing file.
        public var replacesFile = false

        /// Makes a configuration with the default values.
        public init() {}
    }

    /// The progress of a recording.
    public struct Progress: Sendable {
        /// The last period of sound. While the recorder is paused, it is not recorded.
        public let buffer: AudioBuffer
        /// The duration of the recording so far, without pauses.
        public let duration: Duration
        /// True while paused.
        public let isPaused: Bool
    }

    /// A recording that has ended.
    public struct Summary: Sendable {
        /// The reason that it ended.
        public enum Ending: Sendable {
            /// By `TransportControl.stop()`.
            case stopped
            /// At the limit.
            case limit
            /// At the end of a virtual card's sound.
            case soundEnded
            /// By cancelling the task.
            case cancelled
            /// The device or the disk failed; the earlier sound is in the file.
            case failed(AudioError)
        }

        /// The duration of the recording.
        public let duration: Duration
        /// The reason that it ended.
        public let ending: Ending
        /// The losses on the way: overruns, and buffers that arrived too fast for the disk.
        public let statistics: StreamStatistics
    }

    /// Finds another device to continue with after the recorded one failed; nil ends the recording. The recorder is
    /// paused from then on, and opens that device when it is resumed.
    public typealias Replacement = @Sendable (AudioError) async -> AudioDevice?

    private let device: AudioDevice
    private let configuration: Configuration

    /// Makes a recorder; the device is opened by `record` and only for as long as that runs.
    public init(device: AudioDevice = .default, configuration: Configuration = Configuration()) {
        self.device = device
        self.configuration = configuration
    }

    /// Records into the file at `path` and calls `report` once in a period (20 ms).
    ///
    /// Throws the errors of opening the device or the file, and `fileExists` for a file that may not be replaced, and
    /// `fileNotWritable` for the file that a virtual card plays. After that it returns, with the reason, and the file
    /// holds the recorded sound.
    public func record(
        to path: String, control: TransportControl = TransportControl(),
        report: (Progress) async -> Void = { _ in }, replacement: Replacement = { _ in nil }
    ) async throws(AudioError) -> Summary {
        let replacing = configuration.replacesFile ? true : try Self.isReplaceable(path)
        if case .virtual(let card) = device.kind, let input = card.inputFile {
            try SoundFileDescriptor.refuseSameFile(input: input, output: path)
        }
        return try await record(
            into: { () throws(AudioError) in
                try SoundFileWriter(
                    path: path, format: configuration.format, encoding: configuration.encoding, replacing: replacing)
            }, control: control, report: report, replacement: replacement)
    }

    /// Records into any destination, which `makeDestination` makes once the device runs; the configuration's encoding
    /// is ignored then.
    ///
    /// Throws the errors of opening the device and of `makeDestination`. After that it returns, with the reason, and
    /// has closed the destination.
    public func record(
        into makeDestination: () async throws(AudioError) -> some SoundDestination,
        control: TransportControl = TransportControl(), report: (Progress) async -> Void = { _ in },
        replacement: Replacement = { _ in nil }
    ) async throws(AudioError) -> Summary {
        var stream = StreamConfiguration(format: configuration.format)
        stream.backlog = .seconds(10)
        var capture = try await AudioCapture.start(device: device, configuration: stream)
        let destination: any SoundDestination
        do {
            destination = try await makeDestination()
        } catch {
            await capture.stop()
            throw error
        }
        var frames = 0
        var outcome = await write(capture, destination, control, report, counting: &frames)
        await capture.stop()
        var statistics = capture.statistics
        while case .deviceFailed(let error) = outcome {
            guard let next = await other(than: error, stream, control, replacement) else {
                // No other device: the recording was stopped or cancelled, or `replacement` returned nil.
                outcome = .ended(
                    control.isStopped ? .stopped : Task.isCancelled ? .cancelled : .failed(error))
                break
            }
            capture = next
            outcome = await write(capture, destination, control, report, counting: &frames)
            await capture.stop()
            statistics.add(capture.statistics)
        }
        guard case .ended(var ending) = outcome else {
            preconditionFailure("The loop above ends with an ending.")
        }
        do throws(AudioError) {
            try await destination.close()
        } catch {
            if case .failed = ending {} else { ending = .failed(error) }
        }
        return Summary(
            duration: configuration.format.duration(ofFrames: frames), ending: ending,
            statistics: statistics)
    }

    /// Opens another device when the recorder is resumed. If that fails too, it counts as another loss.
    ///
    /// - Returns: nil if the recording is to end.
    private func other(
        than error: AudioError, _ stream: StreamConfiguration, _ control: TransportControl,
        _ replacement: Replacement
    ) async -> AudioCapture? {
        var error = error
        while !Task.isCancelled, !control.isStopped {
            control.pause()
            guard let device = await replacement(error) else { return nil }
            await control.waitWhilePaused()
            guard !Task.isCancelled, !control.isStopped else { return nil }
            do {
                return try await AudioCapture.start(device: device, configuration: stream)
            } catch let failure { error = failure }
        }
        return nil
    }

    private enum Outcome {
        case ended(Summary.Ending)
        case deviceFailed(AudioError)
    }

    private func write(
        _ capture: AudioCapture, _ destination: any SoundDestination, _ control: TransportControl,
        _ report: (Progress) async -> Void, counting frames: inout Int
    ) async -> Outcome {
        let limit = configuration.limit.map(configuration.format.frames(in:)) ?? .max
        do {
            for try await captured in capture.buffers {
                if control.isStopped { return .ended(.stopped) }
                if let reason = control.takeReplacement() { return .deviceFailed(reason) }
                let isPaused = control.isPaused
                if !isPaused {
                    let room = limit - frames
                    let piece =
                        room < captured.buffer.frameCount ? captured.buffer.frames(0..<room) : captured.buffer
                    do throws(AudioError) { try await destination.write(piece) } catch {
                        return .ended(.failed(error))
                    }
                    frames += piece.frameCount
                }
                let duration = configuration.format.duration(ofFrames: frames)
                await report(Progress(buffer: captured.buffer, duration: duration, isPaused: isPaused))
                if frames >= limit { return .ended(.limit) }
            }
            return .ended(Task.isCancelled ? .cancelled : control.isStopped ? .stopped : .soundEnded)
        } catch let error as AudioError {
            return .deviceFailed(error)
        } catch {
            return .ended(.cancelled)
        }
    }

    /// True for an empty file, a device and a link to a missing file, false for a new name. Throws `fileExists` for a file with content.
    private static func isReplaceable(_ path: String) throws(AudioError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return lstat(path, &status) == 0 }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return true }
        throw AudioError(.fileExists, "\(path) already exists. Choose another name, or allow its replacement.")
    }
}
