// SPDX-License-Identifier: MIT
internal import CSndFile
import CSndFileCalls

/// The encoding of a sound file's samples.
public enum SoundFileEncoding: String, Sendable, Hashable, CaseIterable {
    /// WAV with 16-bit integers: exact for the samples of `AudioBuffer.int16Samples()`.
    case wavPCM16
    /// WAV with 24-bit integers.
    case wavPCM24
    /// WAV with 32-bit floats: exact for every sample.
    case wavFloat
    /// FLAC with 16 bits: lossless, about half the size.
    case flac16
    /// FLAC with 24 bits: lossless.
    case flac24
    /// Ogg Vorbis: lossy, about a tenth of the size.
    case oggVorbis
    /// Ogg Opus (RFC 7845): lossy, made for speech; at 8, 12, 16, 24 and 48 kHz only.
    case oggOpus

    /// The encoding of a file name's extension: `.flac`, `.ogg` and `.oga` (Vorbis), `.opus`, and 16-bit WAV for all
    /// else.
    public init(path: String) { self = Self.byEnding(path) ?? .wavPCM16 }

    /// The encoding of a file name's extension. Throws `formatNotSupported` for an extension without a format that can
    /// be written here; the message lists the others.
    public static func named(_ path: String) throws(AudioError) -> SoundFileEncoding {
        guard let encoding = byEnding(path) else {
            throw AudioError(
                .formatNotSupported,
                "The ending of \(path) is not a sound format that can be written. Use .wav, .flac, .ogg or .opus.")
        }
        return encoding
    }

    /// The encodings that this machine's libsndfile can write; Vorbis and Opus are left out of some builds.
    public static var available: [SoundFileEncoding] {
        guard csndfile_load() == nil else { return [] }
        var count: Int32 = 0
        sf_command(nil, Int32(SFC_GET_FORMAT_SUBTYPE_COUNT), &count, Int32(MemoryLayout<Int32>.size))
        let known = (0..<max(0, count)).map { number in
            var info = SF_FORMAT_INFO()
            info.format = number
            let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
            return sf_command(nil, Int32(SFC_GET_FORMAT_SUBTYPE), &info, size) == 0 ? info.format : 0
        }
        return allCases.filter { known.contains($0.libraryFormat & Int32(SF_FORMAT_SUBMASK)) }
    }

    /// True if every sample is preserved exactly, to the encoding's number of bits.
    public var isLossless: Bool {
        switch self {
        case .wavPCM16, .wavPCM24, .wavFloat, .flac16, .flac24: true
        case .oggVorbis, .oggOpus: false
        }
    }

    var libraryFormat: Int32 {
        switch self {
        case .wavPCM16: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        case .wavPCM24: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_24)
        case .wavFloat: Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
        case .flac16: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        case .flac24: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
        case .oggVorbis: Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
        case .oggOpus: Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
        }
    }

    /// libsndfile's description of a format in this encoding, for writing. Throws `formatNotSupported`,
    /// `libraryMissing`.
    func libraryInfo(for format: AudioFormat, name: String) throws(AudioError) -> SF_INFO {
        try SoundFileDescriptor.loadLibrary()
        guard Self.available.contains(self) else {
            throw AudioError(
                .formatNotSupported,
                "\(name): this machine's libsndfile cannot write \(rawValue). Use WAV or FLAC, or a newer"
                    + " libsndfile.")
        }
        var info = SF_INFO()
        info.format = libraryFormat
        info.samplerate = Int32(clamping: format.sampleRate)
        info.channels = Int32(clamping: format.channels)
        guard format.isPlausible, takes(rate: format.sampleRate), sf_format_check(&info) != 0 else {
            throw AudioError(.formatNotSupported, "\(name): the encoding \(rawValue) cannot hold \(format).")
        }
        return info
    }

    /// True if the encoding can hold this rate; libsndfile's own check lets Opus pass and fails later.
    func takes(rate: Int) -> Bool { self != .oggOpus || [8_000, 12_000, 16_000, 24_000, 48_000].contains(rate) }

    /// Bytes in a sample of a WAV file, whose header can be updated while it grows; nil for other formats.
    var wavSampleBytes: Int? {
        switch self {
        case .wavPCM16: 2
        case .wavPCM24: 3
        case .wavFloat: 4
        case .flac16, .flac24, .oggVorbis, .oggOpus: nil
        }
    }

    private static func byEnding(_ path: String) -> SoundFileEncoding? {
        let lowercased = path.lowercased()
        let endings: [(String, SoundFileEncoding)] = [
            (".wav", .wavPCM16), (".wave", .wavPCM16), (".flac", .flac16), (".ogg", .oggVorbis), (".oga", .oggVorbis),
            (".opus", .oggOpus),
        ]
        return endings.first { lowercased.hasSuffix($0.0) }?.1
    }
}
