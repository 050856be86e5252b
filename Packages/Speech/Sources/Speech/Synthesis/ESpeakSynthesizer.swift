// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Dispatch
import FoundationEssentials
public import SpeechEngines

/// Speaks more than a hundred languages with eSpeak NG as a child process (it is under the GPL, so it is not linked).
public struct ESpeakSynthesizer: SpeechSynthesizer {
    /// 22,050 Hz mono, the format of its own voices.
    public let format = AudioFormat(sampleRate: 22_050, channels: 1)
    /// The language tag as `espeak-ng --voices` spells it.
    public let language: String
    private let program: String
    private let rate: SpeechRate

    /// Its own speed.
    private static let wordsPerMinute = 175

    /// Looks the language up among the installed voices; takes the nearest of several.
    ///
    /// - Parameters:
    ///   - language: A tag such as "de", "en-gb" or "fr-be", in any case.
    ///   - program: The name or path of the program.
    ///   - rate: The speed, which each text takes anew.
    /// - Throws: ``SpeechError`` with `synthesizerMissing` or `voiceMissing`.
    public init(
        language: String, program: String = "espeak-ng", rate: SpeechRate = SpeechRate()
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
                        let child = try ChildProcess(program, ["--voices"], input: "")
                        var output: [UInt8] = []
                        while let part = child.read() { output += part }
                        _ = child.wait()
                        return String(decoding: output, as: UTF8.self)
                    })
            }
        }
    }

    /// See `SpeechSynthesizer`: buffers of about a tenth of a second. The child is killed and reaped when the
    /// consumer stops.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let (stream, continuation) = AsyncThrowingStream<AudioBuffer, any Error>.makeStream()
        let child: ChildProcess
        do {
            child = try ChildProcess(
                program,
                [
                    "--stdout", "--stdin", "-b", "1", "-v", language, "-s",
                    "\(Self.wordsPerMinute * rate.percent / 100)",
                ], input: text)
        } catch {
            continuation.finish(throwing: error)
            return stream
        }
        continuation.onTermination = { if case .cancelled = $0 { child.kill() } }
        DispatchQueue(label: "speech.espeak").async { [format] in
            var decoder = WAVEStreamDecoder(format: format)
            while let part = child.read() {
                if let buffer = decoder.decode(part) { continuation.yield(buffer) }
            }
            switch child.wait() {
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
