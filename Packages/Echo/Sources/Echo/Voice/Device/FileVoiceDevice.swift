// SPDX-License-Identifier: MIT
public import AudioKitLinux
public import Diagnostics
internal import Glibc

/// A sound file as a microphone, a WAV file as a loudspeaker, or one of both beside a real device; in real time.
///
/// The files are opened once: when the device is opened again, the input continues where it was, and the output is
/// appended to. An existing output file stays unchanged until the first sound is heard, which replaces it. After the
/// input's end the microphone has quiet noise. The output has exactly the sound that was heard, without flushed sound
/// and without pauses.
public struct FileVoiceDevice: VoiceDevice {
    private let capture: AudioDevice
    private let playback: AudioDevice
    private let card: VirtualCard?
    private let input: FileMicrophone?
    private let options: VoiceDeviceOptions
    private let logger: Logger

    /// Opens the files.
    ///
    /// - Parameters:
    ///   - input: a file of any format that libsndfile reads, any rate and number of channels; `nil` for the microphone.
    ///   - output: a WAV file to be made or replaced; `nil` for the loudspeaker.
    ///   - device: the microphone or loudspeaker that is not a file.
    ///   - options: what is done with a real microphone's sound. A file's is left as it is, and a microphone beside a file
    ///     for a loudspeaker hears no echo.
    /// - Throws: With what to do: no such file, not a sound file, no place to write to, the same file for both.
    public init(
        input: String? = nil, output: String? = nil, device: AudioDevice = .default,
        options: VoiceDeviceOptions = VoiceDeviceOptions(), logger: Logger = .disabled
    ) throws(AudioError) {
        try self.init(input: input, output: output, device: device, options: options, logger: logger, speed: 1)
    }

    /// - Parameter speed: the factor by which the files run faster than real time.
    init(
        input: String?, output: String?, device: AudioDevice = .default,
        options: VoiceDeviceOptions = VoiceDeviceOptions(), logger: Logger = .disabled, speed: Double
    ) throws(AudioError) {
        let microphone = try input.map { path throws(AudioError) in try FileMicrophone(path: path) }
        if let input, let output, Self.isSameFile(input, output) {
            throw AudioError(
                .fileNotWritable,
                "\(output) is the input too and would be overwritten. Choose another file for the output.")
        }
        let hasFile = input != nil || output != nil
        let card =
            hasFile
            ? try VirtualCard(
                format: .voice, speed: speed, capture: microphone.map { file in .generator { _ in file.sample() } },
                playback: output.map { .file($0) }) : nil
        let files = card.map { AudioDevice.virtual($0) } ?? device
        self.input = microphone
        self.card = card
        capture = input == nil ? device : files
        playback = output == nil ? device : files
        var options = input == nil ? options : .unprocessed
        if output != nil {
            options.cancelsEcho = false
            options.gatesEcho = false
        }
        self.options = options
        self.logger = logger
    }

    /// Opens what is not a file, and begins to hear and to speak.
    ///
    /// - Throws: `EchoError.audioError(_:)` with what to do; `CancellationError`.
    public func open() async throws -> any VoiceStream {
        try await DeviceVoiceStream.open(
            capture: capture, playback: playback, options: options, input: input, logger: logger)
    }

    /// Completes the output file, after the streams are closed. A WAV file is whole without it; nothing is played into it
    /// afterwards.
    ///
    /// - Throws: `EchoError.audioError(_:)` when the disk is full or fails.
    public func finish() throws {
        do throws(AudioError) { try card?.close() } catch { throw EchoError(audio: error) }
    }

    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
