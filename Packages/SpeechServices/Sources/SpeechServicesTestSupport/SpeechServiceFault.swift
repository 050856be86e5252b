// SPDX-License-Identifier: MIT

public import SpeechServices

/// A fault of a scripted service.
public enum SpeechServiceFault: String, Sendable, CaseIterable {
    /// Half of the answer arrives, and then nothing more.
    case stall
    /// The connection ends after half of the answer.
    case cut
    /// The sound has another rate than declared.
    case wrongRate
    /// The sound ends within a sample.
    case halfFrame
    /// The service fails: HTTP 500, or Wyoming's `error`.
    case serverError
    /// HTTP 429 with `Retry-After: 7`.
    case tooManyRequests
    /// HTTP 401 that repeats the key.
    case wrongKey
    /// A certificate that no authority signed.
    case wrongCertificate
    /// The voice, or the model, does not exist any more.
    case gone
    /// Another protocol answers: a page, or bytes that are no frame.
    case otherProtocol
    /// The answer goes on beyond every limit.
    case endless

    /// The code that a synthesiser throws for it.
    public var synthesisCode: SpeechServiceError.Code {
        switch self {
        case .stall: .stalled
        case .cut, .halfFrame: .cut
        case .wrongRate: .wrongFormat
        case .serverError: .serverFailed
        case .tooManyRequests: .quotaExceeded
        case .wrongKey: .unauthorized
        case .wrongCertificate: .untrusted
        case .gone: .voiceMissing
        case .otherProtocol: .invalidResponse
        case .endless: .tooLarge
        }
    }

    /// The code that a recogniser throws for it.
    public var recognitionCode: SpeechServiceError.Code { self == .gone ? .modelMissing : synthesisCode }
}
