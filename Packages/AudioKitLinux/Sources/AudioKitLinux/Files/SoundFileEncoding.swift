// SPDX-License-Identifier: MIT
internal import CSndFile

/// How a sound file stores its samples.
public enum SoundFileEncoding: String, Sendable, Hashable, CaseIterable {
    /// WAV with 16-bit integers: exact for what `AudioBuffer.int16Samples()` gives.
    case wavPCM16
    /// WAV with 24-bit integers.
    case wavPCM24
    /// WAV with 32-bit floats: exact for every sample.
    case wavFloat
    /// FLAC with 16 bits: lossless, about half the size. Readable only after `close()`.
    case flac16
    /// Ogg Vorbis: lossy, about a tenth of the size. Readable only after `close()`.
    case oggVorbis

    /// The encoding that a file name's ending asks for: `.flac`, `.ogg` and `.oga`, and 16-bit WAV for all else.
    public init(path: String) {
        let lowercased = path.lowercased()
        if lowercased.hasSuffix(".flac") {
            self = .flac16
        } else if lowercased.hasSuffix(".ogg") || lowercased.hasSuffix(".oga") {
            self = .oggVorbis
        } else {
            self = .wavPCM16
        }
    }

    var libraryFormat: Int32 {
        switch self {
        case .wavPCM16: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        case .wavPCM24: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_24)
        case .wavFloat: Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
        case .flac16: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        case .oggVorbis: Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
        }
    }

    /// Whether the header can be brought up to date while the file grows.
    var hasGrowingHeader: Bool {
        switch self {
        case .wavPCM16, .wavPCM24, .wavFloat: true
        case .flac16, .oggVorbis: false
        }
    }
}
