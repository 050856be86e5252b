// SPDX-License-Identifier: MIT

import AudioBuffers
import Networking

extension SpeechServiceError {
    /// The error of this module for one of a transport; an answer's status is read by ``HTTPSpeechService`` instead.
    init(_ error: NetworkError, service: String) {
        switch error.code {
        case .resolve, .connect, .connectTimeout, .proxy, .circuitOpen, .other:
            self.init(
                .unreachable,
                "\(service) cannot be reached. Check its address and that it runs, and try again.",
                underlying: error.message)
        case .certificate, .pin, .secure:
            self.init(
                .untrusted,
                "The connection to \(service) is not trusted, so nothing was sent. Check its address; trust its "
                    + "certificate or pin its key only if it is yours.", underlying: error.message)
        case .insecure:
            self.init(
                .insecure,
                "\(service) has an address without TLS outside of this machine. Use https, or allow plain connections "
                    + "to that host explicitly.")
        case .firstByteTimeout, .idleTimeout, .timeout:
            self.init(.stalled, "\(service) has stopped answering. Try again later.", underlying: error.message)
        case .connectionLost, .closed:
            self.init(.cut, "The connection to \(service) broke. Try again.", underlying: error.message)
        case .responseTooLarge, .headerTooLarge, .eventTooLarge:
            self.init(
                .tooLarge, "The answer of \(service) is over its limit. Send shorter texts.", underlying: error.message)
        case .invalidRequest, .requestBody:
            self.init(
                .invalidRequest, "The request to \(service) cannot be sent. Check its address and key.",
                underlying: error.message)
        case .outOfMemory, .libraryMissing:
            self.init(.outOfResources, error.message)
        default:
            self.init(
                .invalidResponse, "\(service) answered something that is not its protocol. Check its address.",
                underlying: error.message)
        }
    }

    /// The error to throw for any error of a request: cancellation and this module's own pass untouched.
    static func translated(_ error: any Error, service: String) -> any Error {
        switch error {
        case let error as NetworkError: SpeechServiceError(error, service: service)
        case is CancellationError, is SpeechServiceError: error
        default:
            SpeechServiceError(
                .invalidResponse, "\(service) answered something that is not its protocol. Check its address.",
                underlying: "\(error)")
        }
    }

    static func stalled(_ service: String, after limit: Duration) -> SpeechServiceError {
        SpeechServiceError(
            .stalled, "\(service) has sent nothing for \(limit). Try again later, or raise the limit if it is slow.")
    }

    static func cut(_ service: String) -> SpeechServiceError {
        SpeechServiceError(.cut, "The answer of \(service) ended before it was complete. Try again.")
    }

    static func silent(_ service: String) -> SpeechServiceError {
        SpeechServiceError(.cut, "\(service) answered without any sound. Try again, or choose another voice.")
    }

    static func invalidResponse(_ service: String, _ detail: String) -> SpeechServiceError {
        SpeechServiceError(
            .invalidResponse, "\(service) answered something that is not its protocol. Check its address.",
            underlying: detail)
    }

    static func wrongFormat(_ service: String, declared: AudioFormat, actual: AudioFormat) -> SpeechServiceError {
        SpeechServiceError(
            .wrongFormat,
            "\(service) speaks with \(actual), and \(declared) was declared for this voice. Declare \(actual).",
            actualFormat: actual)
    }

    static func tooLarge(_ service: String, limit: Int) -> SpeechServiceError {
        SpeechServiceError(
            .tooLarge, "The sound of \(service) is over the limit of \(limit) bytes. Send shorter texts.")
    }
}
