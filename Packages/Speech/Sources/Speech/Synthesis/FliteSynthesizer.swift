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

    /// See `SpeechSynthesizer`: a buffer is one sentence. After a stop, a started sentence is finished (it takes a
    /// hundredth of its own length), and the next one is not started.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let sentences = SentenceSplitter.sentences(of: text)
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
            guard let samples = library.synthesize(sentence, percent: rate.percent) else {
                let message = "flite cannot speak “\(sentence)”. Say it otherwise."
                return continuation.finish(throwing: SpeechError(.synthesisFailed, message))
            }
            if !samples.isEmpty { continuation.yield(AudioBuffer(int16: samples, format: .speech)) }
            speak(sentences.dropFirst(), isStopped, continuation)
        }
    }
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

/// A voice's shared library, loaded once and never unloaded.
///
/// SAFETY: `voice` is read-only after it was registered, and is touched only on ``FliteQueue/queue``.
private final class FliteVoiceLibrary: @unchecked Sendable {
    private let voice: UnsafeMutablePointer<cst_voice>
    /// The factor of length with which the voice speaks by itself.
    private let stretch: Float

    init(_ name: FliteSynthesizer.Voice) throws(SpeechError) {
        let file = "libflite_cmu_us_\(name.rawValue).so.1"
        (voice, stretch) = try FliteQueue.queue.sync {
            () -> Result<(UnsafeMutablePointer<cst_voice>, Float), SpeechError> in
            if let reason = cflite_load() {
                return .failure(SpeechError(.synthesizerMissing, String(cString: reason)))
            }
            flite_init()
            guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL),
                let register = dlsym(handle, "register_cmu_us_\(name.rawValue)"),
                let voice = parley_flite_voice(register)
            else {
                let reason = dlerror().map { String(cString: $0) }
                return .failure(
                    SpeechError(
                        .synthesizerMissing,
                        "The flite voice \(name.rawValue) cannot be loaded. Install the package libflite1.",
                        underlying: reason))
            }
            return .success((voice, get_param_float(voice.pointee.features, "duration_stretch", 1)))
        }.get()
    }

    /// The samples of one sentence; nil if flite fails. Only on ``FliteQueue/queue``.
    func synthesize(_ sentence: String, percent: Int) -> [Int16]? {
        // The voice is one for the process: the next synthesizer must find its own speed.
        feat_set_float(voice.pointee.features, "duration_stretch", stretch * 100 / Float(percent))
        defer { feat_set_float(voice.pointee.features, "duration_stretch", stretch) }
        guard let wave = FliteQueue.withSameNumbers({ flite_text_to_wave(sentence, voice) }) else { return nil }
        defer { delete_wave(wave) }
        let count = Int(wave.pointee.num_samples)
        guard count > 0, let samples = wave.pointee.samples else { return [] }
        return Array(UnsafeBufferPointer(start: samples, count: count))
    }
}

/// Tells a thread that its result is not needed any more.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
