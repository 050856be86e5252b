// SPDX-License-Identifier: MIT

import AudioBuffers
import Networking

/// Reads the sound of a response: a WAV file by its header, or samples whose rate was declared.
struct ServiceSound {
    /// The coding of a response.
    enum Coding {
        /// 16-bit little-endian samples in the declared format.
        case pcm
        /// A WAV file if it begins like one, else samples in the declared format.
        case either
    }

    let service: HTTPSpeechService
    let format: AudioFormat
    let coding: Coding

    /// Passes each buffer on as it arrives.
    ///
    /// - Throws: ``SpeechServiceError``: `wrongFormat` for another rate or coding, `cut` if the sound ends early,
    ///   `tooLarge`.
    func forward(
        _ response: HTTPResponse, to continuation: AsyncThrowingStream<AudioBuffer, any Error>.Continuation
    ) async throws {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        for other in ["audio/mpeg", "audio/mp3", "audio/ogg", "audio/opus", "audio/aac", "audio/flac"]
        where type.hasPrefix(other) {
            throw wrongCoding(other)
        }
        guard !type.hasPrefix("application/json"), !type.hasPrefix("text/") else {
            throw SpeechServiceError.invalidResponse(service.name, "\(type.prefix(60)) instead of sound")
        }
        if let rate = Self.rate(in: type), rate != format.sampleRate {
            throw SpeechServiceError.wrongFormat(
                service.name, declared: format, actual: AudioFormat(sampleRate: rate, channels: format.channels))
        }
        var decoder = try SoundDecoder(coding: coding, format: format)
        try await service.forEachPiece(of: response.body, upTo: service.limits.maximumSoundBytes) { piece in
            let buffer: AudioBuffer?
            do { buffer = try decoder.read(piece) } catch WAVReader.Failure.coding(let tag, let bits) {
                throw wrongCoding("WAV of \(bits) bits, tag \(tag)")
            } catch is WAVReader.Failure { throw wrongCoding(Self.kind(of: piece)) }
            guard let buffer else { return }
            guard buffer.format == format else {
                throw SpeechServiceError.wrongFormat(service.name, declared: format, actual: buffer.format)
            }
            continuation.yield(buffer)
        }
        guard decoder.isComplete else { throw SpeechServiceError.cut(service.name) }
    }

    private func wrongCoding(_ kind: String) -> SpeechServiceError {
        SpeechServiceError(
            .wrongFormat, "\(service.name) speaks in \(kind), not in 16-bit WAV or PCM. Choose a model that offers WAV."
        )
    }

    /// The rate in `audio/pcm;rate=24000` or `audio/L16; rate=16000` (RFC 3551 §4.5.11).
    static func rate(in contentType: String) -> Int? {
        contentType.firstMatch(of: /rate=([0-9]{4,6})/).flatMap { Int($0.1) }
    }

    private static func kind(of bytes: [UInt8]) -> String {
        if bytes.starts(with: Array("ID3".utf8)) || (bytes.first == 0xFF && bytes.dropFirst().first ?? 0 >= 0xE0) {
            return "MP3"
        }
        if bytes.starts(with: Array("OggS".utf8)) { return "Ogg" }
        return bytes.starts(with: Array("fLaC".utf8)) ? "FLAC" : "an unknown coding"
    }
}

/// The decoder of one response.
private enum SoundDecoder {
    case wav(WAVReader)
    case pcm(PCMReader)
    /// The first bytes, fewer than tell a WAV file from samples.
    case undecided([UInt8], AudioFormat)

    init(coding: ServiceSound.Coding, format: AudioFormat) throws {
        switch coding {
        case .pcm: self = .pcm(PCMReader(format: format))
        case .either: self = .undecided([], format)
        }
    }

    var isComplete: Bool {
        switch self {
        case .wav(let reader): reader.isComplete
        case .pcm(let reader): !reader.isWithinFrame
        case .undecided(let bytes, _): bytes.isEmpty
        }
    }

    mutating func read(_ bytes: [UInt8]) throws -> AudioBuffer? {
        switch self {
        case .wav(var reader):
            defer { self = .wav(reader) }
            return try reader.read(bytes)
        case .pcm(var reader):
            defer { self = .pcm(reader) }
            return reader.read(bytes)
        case .undecided(let first, let format):
            let all = first + bytes
            guard all.count >= 4 else {
                self = .undecided(all, format)
                return nil
            }
            self = all.starts(with: Array("RIFF".utf8)) ? .wav(WAVReader()) : .pcm(PCMReader(format: format))
            return try read(all)
        }
    }
}
