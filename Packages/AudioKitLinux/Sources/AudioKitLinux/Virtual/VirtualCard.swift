// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A sound card inside this process: an ordinary ALSA PCM in each direction, without a daemon, a driver or hardware.
///
/// It serves tests, and programs whose microphone and loudspeaker are sound files. Streams open it by
/// `AudioDevice.virtual(card)`; each direction by one stream at a time, any number of times one after another: the tape
/// continues from its position. It works in 16-bit samples, which a stream may also carry in wider ones.
public final class VirtualCard: Sendable {
    /// The format of the card's hardware; streams convert to theirs.
    public let format: AudioFormat
    /// The speed of the card's clock as a multiple of real time.
    public let speed: Double
    /// The card's response to a late reader.
    public let timing: VirtualTiming

    /// The sample types that it supports.
    public let sampleTypes: [PCMSampleType]

    /// The file at the microphone, if it is one.
    let inputFile: String?
    /// The file at the loudspeaker, if it is one.
    let outputFile: String?
    private let epoch = MonotonicTime.now()
    private let state: Guarded<VirtualCardState>

    /// Makes a card. A direction that is nil is missing on it.
    ///
    /// Opens the files at once, and replaces the one for playback at the first sound. Throws the errors of
    /// `SoundFileReader` and `SoundFileWriter`, and `formatNotSupported` for a format or speed that is not positive, or
    /// samples in another format. One file for both directions is refused (`fileNotWritable`) before it is touched.
    public init(
        format: AudioFormat = .speech, speed: Double = 1, capture: VirtualSource?, playback: VirtualSink?,
        timing: VirtualTiming = .patient, sampleTypes: [PCMSampleType] = [.int16]
    ) throws(AudioError) {
        guard format.isPlausible, speed > 0, speed <= 1000 else {
            throw AudioError(
                .formatNotSupported, "A virtual card cannot run with \(format) at \(speed) times real time.")
        }
        if case .file(let input, _)? = capture?.kind { inputFile = input } else { inputFile = nil }
        if case .file(let output, _)? = playback?.kind { outputFile = output } else { outputFile = nil }
        if let inputFile, let outputFile {
            try SoundFileDescriptor.refuseSameFile(input: inputFile, output: outputFile)
        }
        self.format = format
        self.speed = speed
        self.timing = timing
        self.sampleTypes = sampleTypes
        state = Guarded(
            VirtualCardState(
                format: format, timing: timing, source: try Self.source(capture, format),
                sink: try Self.sink(playback, format), loop: LoopTimeline(channels: format.channels),
                room: Self.room(capture)))
    }

    /// A card whose microphone is the file `input` (then `trailingSilence`, then the end) and whose loudspeaker is the
    /// file `output`, which gets exactly the frames that were heard. A direction that is nil is missing.
    public static func file(
        input: String?, output: String?, format: AudioFormat = .speech, trailingSilence: Duration = .seconds(1),
        speed: Double = 1, encoding: SoundFileEncoding? = nil
    ) throws(AudioError) -> VirtualCard {
        try VirtualCard(
            format: format, speed: speed, capture: input.map { .file($0, trailingSilence: trailingSilence) },
            playback: output.map { .file($0, encoding: encoding) })
    }

    /// A card whose microphone hears its own loudspeaker, sample for sample; `recorded` has that sound too.
    public static func loopback(format: AudioFormat = .speech, speed: Double = 1) throws(AudioError) -> VirtualCard {
        try VirtualCard(format: format, speed: speed, capture: .loopback, playback: .memory)
    }

    /// Everything heard so far if the sink is `memory`; empty otherwise.
    public var recorded: AudioBuffer {
        state.withLock { state in
            guard case .memory(let samples) = state.sink else { return AudioBuffer(samples: [], format: format) }
            return AudioBuffer(int16: samples, format: format)
        }
    }

    /// Injects a fault into the card. Stall and suspend affect the streams that run at this moment.
    public func inject(_ fault: VirtualFault) {
        state.withLock { $0.inject(fault) }
    }

    /// Plugs the card in again after `VirtualFault.unplug`.
    public func replug() { state.withLock { $0.isUnplugged = false } }

    /// Completes the output file. Streams must be stopped before; later ones find no loudspeaker.
    ///
    /// Throws `diskFull` or `io`, also if that ended playback before. A WAV file is whole without this call too.
    public func close() throws(AudioError) {
        let result = state.withLock { state -> Result<Void, AudioError> in
            guard case .file(let writer) = state.sink else { return .success(()) }
            state.sink = .none
            do throws(AudioError) { try writer.close() } catch { return .failure(state.failure ?? error) }
            return state.failure.map { .failure($0) } ?? .success(())
        }
        try result.get()
    }

    var failure: AudioError? { state.withLock { $0.failure } }
    var hasCaptureEnded: Bool {
        state.withLock { $0.hasSourceEnded }
    }

    /// Runs `body` on the state with the card clock's present frame.
    func withState<Result: Sendable>(_ body: (inout VirtualCardState, _ now: Int) -> Result) -> Result {
        state.withLock { body(&$0, now()) }
    }

    /// The time at which the card's clock shows `frame`: monotonic nanoseconds.
    func time(of frame: Int) -> Int64 {
        epoch + Int64(Double(frame) / (speed * Double(format.sampleRate)) * 1e9)
    }

    private func now() -> Int {
        Int(Double(MonotonicTime.now() - epoch) * 1e-9 * speed * Double(format.sampleRate))
    }

    private static func source(
        _ source: VirtualSource?, _ format: AudioFormat
    ) throws(AudioError) -> VirtualCardState.Source {
        switch source?.kind {
        case nil: return .none
        case .loopback: return .loopback
        case .silence: return .frames(GeneratorFrameSource(channels: format.channels) { _ in 0 })
        case .generator(let sample): return .frames(GeneratorFrameSource(channels: format.channels, sample))
        case .samples(let buffer, let silence):
            guard buffer.format == format else {
                throw AudioError(
                    .formatNotSupported, "A card of \(format) cannot play samples of \(buffer.format); convert them.")
            }
            return .frames(trailing(BufferFrameSource(buffer), silence, format))
        case .file(let path, let silence):
            return .frames(trailing(try FileFrameSource(path: path, format: format), silence, format))
        }
    }

    private static func room(_ source: VirtualSource?) -> VirtualRoom? {
        guard case .loopback(let response, let near)? = source?.kind, !response.isEmpty else { return nil }
        return VirtualRoom(response, near: near)
    }

    private static func trailing(
        _ source: any FrameSource, _ silence: Duration, _ format: AudioFormat
    ) -> any FrameSource {
        TrailingNoiseSource(source, frames: max(0, format.frames(in: silence)), channels: format.channels)
    }

    private static func sink(_ sink: VirtualSink?, _ format: AudioFormat) throws(AudioError) -> VirtualCardState.Sink {
        switch sink?.kind {
        case nil: .none
        case .discard: .discard
        case .memory: .memory([])
        case .consumer(let hear): .consumer(hear)
        case .file(let path, let encoding):
            .file(try PromisedSoundFile(path: path, format: format, encoding: encoding))
        }
    }
}
