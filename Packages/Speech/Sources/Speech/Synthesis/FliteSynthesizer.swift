// SPDX-License-Identifier: MIT

public import AudioKitLinux
import CFlite
import CSpeechCalls
import Dispatch
internal import Glibc
public import SpeechEngines
import Synchronization

/// Speaks English with flite, in this process, 16 kHz mono.
public struct FliteSynthesizer: SpeechSynthesizer {
    /// One of the voices that the Debian package `libflite1` installs.
    public enum Voice: String, Sendable, CaseIterable {
        /// A woman from the United States.
        case slt
        /// A man from the United States.
        case rms
        /// A man from Scotland.
        case awb
        /// A man from the United States, robotic and small.
        case kal16
    }

    /// 16 kHz mono.
    public let format = AudioFormat.speech
    private let library: FliteVoiceLibrary
    private let rate: SpeechRate

    /// Loads the voice.
    ///
    /// - Parameter rate: The speed, which each sentence takes anew.
    /// - Throws: ``SpeechError`` with `synthesizerMissing`.
    public init(voice: Voice = .slt, rate: SpeechRate = SpeechRate()) throws(SpeechError) {
        self.rate = rate
        library = try FliteVoiceLibrary(voice)
    }

    /// See `SpeechSynthesizer`: a buffer is about a fifth of a second. The first one of a sentence is there after a quarter of
    /// the time that the sentence takes, which is a sixtieth of its length. After a stop, a started sentence is finished, and the
    /// next one is not started.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let sentences = SentenceSplitter.sentences(of: text.withoutNULs)
        let (stream, continuation) = AsyncThrowingStream<AudioBuffer, any Error>.makeStream()
        let isStopped = StopFlag()
        continuation.onTermination = { _ in isStopped.set() }
        speak(sentences[...], isStopped, continuation)
        return stream
    }

    /// Speaks one sentence and queues the next behind the waiting work, so that no other caller waits for a whole text.
    private func speak(
        _ sentences: ArraySlice<String>, _ isStopped: StopFlag,
        _ continuation: AsyncThrowingStream<AudioBuffer, any Error>.Continuation
    ) {
        guard let sentence = sentences.first else { return continuation.finish() }
        FliteQueue.queue.async {
            guard !isStopped.isSet else { return }
            let isMade = library.synthesize(sentence, percent: rate.percent) { samples in
                if !samples.isEmpty { continuation.yield(AudioBuffer(int16: Array(samples), format: .speech)) }
            }
            guard isMade else {
                let message = "flite cannot speak “\(sentence)”. Say it otherwise."
                return continuation.finish(throwing: SpeechError(.synthesisFailed, message))
            }
            speak(sentences.dropFirst(), isStopped, continuation)
        }
    }
}

extension String {
    /// The text with spaces for NULs, at which a program in C ends a text.
    var withoutNULs: String { replacing("\0", with: " ") }
}

/// flite keeps its lexicon and its voices in variables of the process, so all its work runs on one queue.
enum FliteQueue {
    static let queue = DispatchQueue(label: "speech.flite", qos: .userInitiated)

    /// The state of `rand` while flite speaks: 128 bytes, the size of glibc's own.
    // SAFETY: used on `queue` alone.
    nonisolated(unsafe) private static let numbers = UnsafeMutablePointer<CChar>.allocate(capacity: 128)

    /// Calls `body`, in which `rand` gives the same numbers each time; the program's own sequence goes on afterwards.
    ///
    /// flite makes the breath in a voice with `rand`. So the same sentence is the same sound.
    static func withSameNumbers<Value>(_ body: () -> Value) -> Value {
        let others = initstate(1, numbers, 128)
        defer { if let others { setstate(others) } }
        return body()
    }
}

/// Takes the pieces of a sentence that flite makes.
private final class PieceTaker {
    let take: (UnsafeBufferPointer<Int16>) -> Void

    init(_ take: @escaping (UnsafeBufferPointer<Int16>) -> Void) { self.take = take }
}

/// A voice's shared library, loaded once and never unloaded.
///
/// SAFETY: `voice` and `stream` are touched only on ``FliteQueue/queue``.
private final class FliteVoiceLibrary: @unchecked Sendable {
    /// The least samples of a piece.
    private static let pieceLength: Int32 = 3200

    private let voice: UnsafeMutablePointer<cst_voice>
    private let stream: UnsafeMutablePointer<cst_audio_streaming_info>
    /// The factor of length with which the voice speaks by itself.
    private let stretch: Float

    init(_ name: FliteSynthesizer.Voice) throws(SpeechError) {
        let file = "libflite_cmu_us_\(name.rawValue).so.1"
        (voice, stream, stretch) = try FliteQueue.queue.sync {
            () -> Result<
                (UnsafeMutablePointer<cst_voice>, UnsafeMutablePointer<cst_audio_streaming_info>, Float), SpeechError
            > in
            if let reason = cflite_load() {
                return .failure(SpeechError(.synthesizerMissing, String(cString: reason)))
            }
            flite_init()
            guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL),
                let register = dlsym(handle, "register_cmu_us_\(name.rawValue)"),
                let voice = parley_flite_voice(register),
                let stream = parley_flite_stream(voice, Self.pieceLength, Self.handOn)
            else {
                let reason = dlerror().map { String(cString: $0) }
                return .failure(
                    SpeechError(
                        .synthesizerMissing,
                        "The flite voice \(name.rawValue) cannot be loaded. Install the package libflite1.",
                        underlying: reason))
            }
            return .success((voice, stream, get_param_float(voice.pointee.features, "duration_stretch", 1)))
        }.get()
    }

    /// Hands a piece of a sentence on to the `PieceTaker` of the stream.
    private static let handOn: cst_audio_stream_callback = { wave, start, size, _, stream in
        if let samples = wave?.pointee.samples, let taker = stream?.pointee.userdata {
            let piece = UnsafeBufferPointer(start: samples + Int(start), count: Int(size))
            Unmanaged<PieceTaker>.fromOpaque(taker).takeUnretainedValue().take(piece)
        }
        return CST_AUDIO_STREAM_CONT
    }

    /// Makes a sentence, and hands on its pieces; false if flite fails. Only on ``FliteQueue/queue``.
    func synthesize(
        _ sentence: String, percent: Int, _ take: @escaping (UnsafeBufferPointer<Int16>) -> Void
    ) -> Bool {
        let taker = PieceTaker(take)
        stream.pointee.userdata = Unmanaged.passUnretained(taker).toOpaque()
        defer { withExtendedLifetime(taker) { stream.pointee.userdata = nil } }
        // The voice is one for the process: the next synthesizer must find its own speed.
        feat_set_float(voice.pointee.features, "duration_stretch", stretch * 100 / Float(percent))
        defer { feat_set_float(voice.pointee.features, "duration_stretch", stretch) }
        guard let wave = FliteQueue.withSameNumbers({ flite_text_to_wave(sentence, voice) }) else { return false }
        delete_wave(wave)
        return true
    }
}

/// Tells a thread that its result is not needed any more.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
