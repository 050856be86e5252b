// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
import Dispatch
import FoundationEssentials
import Glibc
public import SpeechEngines

/// Speaks more than a hundred languages with eSpeak NG as a child process (it is under the GPL, so it is not linked).
public struct ESpeakSynthesizer: SpeechSynthesizer {
    /// 22,050 Hz mono, the format of its own voices.
    public let format = AudioFormat(sampleRate: 22_050, channels: 1)
    /// The language tag as `espeak-ng --voices` spells it.
    public let language: String
    private let program: String
    private let rate: SpeechRate
    /// The program's own measure of pitch, 0…99.
    private let pitch: Int

    /// Its own speed.
    private static let wordsPerMinute = 175

    /// Looks the language up among the installed voices; takes the nearest of several.
    ///
    /// - Parameters:
    ///   - language: A tag such as "de", "en-gb" or "fr-be", in any case.
    ///   - program: The name or path of the program.
    ///   - rate: The speed, which each text takes anew.
    ///   - pitch: The fundamental frequency as a factor of the voice's own, limited to ``pitches``; it is kept to 2%.
    /// - Throws: ``SpeechError`` with `synthesizerMissing` or `voiceMissing`.
    public init(
        language: String, program: String = "espeak-ng", rate: SpeechRate = SpeechRate(), pitch: Double = 1
    ) async throws {
        let voices = ESpeakVoices(listing: try await Self.listing(of: program))
        guard let match = voices.nearest(to: language) else {
            throw SpeechError(
                .voiceMissing,
                "eSpeak NG has no voice for “\(language)”. `espeak-ng --voices` lists the languages; give its tag, such as "
                    + "de, fr or pt-br.")
        }
        self.language = match
        self.program = program
        self.rate = rate
        self.pitch = Self.measure(of: pitch)
    }

    /// The factors of the fundamental frequency that the program makes by itself.
    public static let pitches = 0.63...1.7

    /// The program's measure of pitch for a factor: 50 is the voice's own. The points between were measured with English,
    /// French and German voices.
    private static func measure(of factor: Double) -> Int {
        let points = [(0, 0.63), (15, 0.72), (30, 0.81), (50, 1), (65, 1.166), (80, 1.375), (99, 1.7)]
        guard let first = points.first, factor > first.1 else { return factor.isNaN ? 50 : 0 }
        for (low, high) in zip(points, points.dropFirst()) where factor <= high.1 {
            return low.0 + Int((Double(high.0 - low.0) * (factor - low.1) / (high.1 - low.1)).rounded())
        }
        return 99
    }

    /// The language tags that `program` supports, sorted.
    ///
    /// - Throws: ``SpeechError`` with `synthesizerMissing`.
    public static func languages(program: String = "espeak-ng") async throws -> [String] {
        ESpeakVoices(listing: try await listing(of: program)).tags
    }

    private static func listing(of program: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "speech.espeak.voices").async {
                continuation.resume(
                    with: Result {
                        let reader = try TextReader(program, ["--voices"], input: "")
                        var output: [UInt8] = []
                        while let part = reader.read() { output += part }
                        _ = reader.child.wait()
                        return String(decoding: output, as: UTF8.self)
                    })
            }
        }
    }

    /// See `SpeechSynthesizer`: buffers of about a tenth of a second. The child is killed and reaped when the
    /// consumer stops.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let (stream, continuation) = AsyncThrowingStream<AudioBuffer, any Error>.makeStream()
        let reader: TextReader
        do {
            // Between [[ and ]] eSpeak reads codes of phonemes.
            reader = try TextReader(
                program,
                [
                    "--stdout", "--stdin", "-b", "1", "-v", language, "-s",
                    "\(Self.wordsPerMinute * rate.percent / 100)", "-p", "\(pitch)",
                ], input: text.withoutNULs.replacing(/\[(?=\[)/.matchingSemantics(.unicodeScalar), with: "[ "))
        } catch {
            continuation.finish(throwing: error)
            return stream
        }
        continuation.onTermination = { if case .cancelled = $0 { reader.child.signal(SIGKILL) } }
        DispatchQueue(label: "speech.espeak").async { [format] in
            var decoder = WAVEStreamDecoder(format: format)
            while let part = reader.read() {
                if let buffer = decoder.decode(part) { continuation.yield(buffer) }
            }
            switch reader.child.wait() {
            case .exited(0) where decoder.isInSound || text.allSatisfy(\.isWhitespace): continuation.finish()
            case let end:
                continuation.finish(
                    throwing: SpeechError(
                        .synthesisFailed,
                        "eSpeak NG stopped before the text was spoken. Try it: espeak-ng -v \(language)",
                        underlying: "\(end)"))
            }
        }
        return stream
    }
}

/// Removes the header of a WAVE stream of unknown length and turns the rest into buffers.
private struct WAVEStreamDecoder {
    private static let headerLength = 44
    private let format: AudioFormat
    private var skipped = 0
    private var odd: UInt8?

    init(format: AudioFormat) { self.format = format }

    var isInSound: Bool { skipped == Self.headerLength }

    mutating func decode(_ bytes: [UInt8]) -> AudioBuffer? {
        let header = min(bytes.count, Self.headerLength - skipped)
        skipped += header
        var sound = (odd.map { [$0] } ?? []) + bytes.dropFirst(header)
        odd = sound.count % 2 == 1 ? sound.removeLast() : nil
        guard !sound.isEmpty else { return nil }
        let samples = stride(from: 0, to: sound.count, by: 2).map {
            Int16(truncatingIfNeeded: UInt16(sound[$0]) | UInt16(sound[$0 + 1]) << 8)
        }
        return AudioBuffer(int16: samples, format: format)
    }
}
