// SPDX-License-Identifier: MIT

/// Plays a sound file on a device, with pause and position.
public struct SoundPlayer: Sendable {
    /// The progress of the sound.
    public struct Progress: Sendable {
        /// The last buffer that was passed to the device; it is heard up to 0.2 s later. Empty while paused.
        public let buffer: AudioBuffer
        /// The duration of the sound heard so far.
        public let heard: Duration
        /// The duration of the file.
        public let duration: Duration
        /// True while paused.
        public let isPaused: Bool
    }

    private let device: AudioDevice

    /// Makes a player; the device is opened by `play` and only for as long as that runs.
    public init(device: AudioDevice = .default) {
        self.device = device
    }

    /// The format in which a file is played: its own, with two channels at most.
    public static func format(for source: some SoundSource) -> AudioFormat {
        AudioFormat(sampleRate: source.format.sampleRate, channels: min(2, source.format.channels))
    }

    /// Plays the file from `start` to its end, or until it is stopped or cancelled, and calls `report` for each tenth
    /// of a second. Returns the part of the file that was heard by then, counted from its beginning.
    ///
    /// Throws `AudioError` of the file or the device, `fileNotWritable` for the file into which a virtual card plays, and
    /// `CancellationError`; the device falls silent then.
    @discardableResult
    public func play(
        _ path: String, from start: Duration = .zero, control: TransportControl = TransportControl(),
        report: (Progress) async -> Void = { _ in }
    ) async throws -> Duration {
        if case .virtual(let card) = device.kind, let output = card.outputFile {
            try SoundFileDescriptor.refuseSameFile(input: path, output: output)
        }
        return try await play(try SoundFileReader(path: path), from: start, control: control, report: report)
    }

    /// Plays sound from any source, as `play(_:from:control:report:)` plays a file. The source is at its beginning, and
    /// is read until the end or until the player is stopped.
    @discardableResult
    public func play(
        _ source: some SoundSource, from start: Duration = .zero, control: TransportControl = TransportControl(),
        report: (Progress) async -> Void = { _ in }
    ) async throws -> Duration {
        let format = Self.format(for: source)
        let duration = source.format.duration(ofFrames: source.frameCount)
        let first = min(max(0, format.frames(in: start)), source.frameCount)
        var left = first
        while left > 0, let piece = try await source.readConverted(to: format, frames: min(left, 4_096)) {
            left -= piece.frameCount
        }
        var stream = StreamConfiguration(format: format)
        stream.backlog = .milliseconds(100)
        let playback = try await AudioPlayback.start(device: device, configuration: stream)
        func heard() -> Duration { format.duration(ofFrames: first + playback.framesHeard) }
        do {
            while !control.isStopped,
                let piece = try await source.readConverted(to: format, frames: format.sampleRate / 10)
            {
                if control.isPaused {
                    await report(
                        Progress(
                            buffer: AudioBuffer(samples: [], format: format), heard: heard(),
                            duration: duration, isPaused: true))
                    await control.waitWhilePaused()
                }
                try await playback.play(piece)
                await report(Progress(buffer: piece, heard: heard(), duration: duration, isPaused: false))
            }
            if control.isStopped { await playback.flush() } else { try await playback.drain() }
        } catch {
            await playback.flush()
            await playback.stop()
            throw error
        }
        let position = heard()
        await playback.stop()
        return position
    }
}
