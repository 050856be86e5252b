// SPDX-License-Identifier: MIT

import StructuredJSON

/// The part of a service that a request is about, for the advice in an error.
enum RequestSubject {
    case voice(String)
    case model(String)
    case service
}

/// An answer with a bad status, in the words that OpenAI, ElevenLabs, FastAPI and whisper.cpp use.
struct ServiceFailure {
    let status: Int
    let retryAfter: Duration?
    /// A short name of the failure; empty if the service gives none.
    let code: String
    /// The name of the parameter that is wrong; empty if the service gives none.
    let parameter: String
    /// The service's sentence; empty if it gives none.
    let message: String

    init(status: Int, body: [UInt8], retryAfter: Duration?) {
        self.status = status
        self.retryAfter = retryAfter
        let json = try? JSONValue(parsing: body, maximumDepth: 16)
        // OpenAI: {"error": {message, code, param}}; ElevenLabs: {"detail": {status, message}}; FastAPI's 422:
        // {"detail": [{loc, msg}]}; whisper.cpp: {"error": "…"}.
        let entry = json?["error"] ?? json?["detail"]
        let first = entry?[0] ?? entry
        code = (first?["code"]?.string ?? first?["status"]?.string ?? first?["type"]?.string ?? "").lowercased()
        parameter = first?["param"]?.string ?? first?["loc"]?.array?.last?.string ?? ""
        message = first?["message"]?.string ?? first?["msg"]?.string ?? first?.string ?? json?["message"]?.string ?? ""
    }
}

extension SpeechServiceError {
    init(_ failure: ServiceFailure, about subject: RequestSubject, service: String, key: SpeechServiceKey?) {
        let code = Self.code(of: failure, about: subject)
        // A service repeats a wrong key, masked or not.
        let words = code == .unauthorized ? nil : Self.oneLine(failure.message, key)
        self.init(
            code, Self.advice(code, failure, subject, service), status: failure.status,
            retryAfter: failure.retryAfter, underlying: words)
    }

    private static func code(of failure: ServiceFailure, about subject: RequestSubject) -> Code {
        // ElevenLabs answers 401 for a used-up quota and 400 for a missing voice, so names come before statuses.
        if failure.code.contains("quota") { return .quotaExceeded }
        if failure.code.contains("voice") && failure.code.contains("not_found") { return .voiceMissing }
        if failure.code.contains("model") && failure.code.contains("not_found") { return .modelMissing }
        switch failure.status {
        case 401, 403, 407: return .unauthorized
        case 402, 429: return .quotaExceeded
        case 404:
            switch subject {
            case .voice: return .voiceMissing
            case .model: return .modelMissing
            case .service: return .refused
            }
        case 408, 504: return .stalled
        case 413: return .tooLarge
        case 400, 422:
            if failure.parameter == "voice" || failure.parameter == "voice_id" { return .voiceMissing }
            return failure.parameter == "model" ? .modelMissing : .refused
        case 500...: return .serverFailed
        default: return .refused
        }
    }

    private static func advice(
        _ code: Code, _ failure: ServiceFailure, _ subject: RequestSubject, _ service: String
    ) -> String {
        switch code {
        case .unauthorized: return "\(service) does not accept the key. Store a valid one."
        case .quotaExceeded:
            let wait = failure.retryAfter.map { "Wait \($0)" } ?? "Wait"
            return "\(service) takes no more for now. \(wait), or raise the quota of the account."
        case .voiceMissing:
            if case .voice(let name) = subject {
                return "\(service) has no voice “\(name)”. List its voices and choose another one."
            }
            return "\(service) has no such voice. List its voices and choose another one."
        case .modelMissing:
            if case .model(let name) = subject {
                return "\(service) has no model “\(name)”. List its models and choose another one."
            }
            return "\(service) has no such model. List its models and choose another one."
        case .stalled: return "\(service) took too long and gave up. Try again later."
        case .tooLarge: return "\(service) takes no sound or text of that length. Send less at once."
        case .serverFailed: return "\(service) has failed (\(failure.status)). Try again later."
        default:
            if (300..<400).contains(failure.status) {
                return "\(service) redirects to another address. Set that address; a key is not sent on."
            }
            return "\(service) declines the request (\(failure.status)). Check its address, model and settings."
        }
    }

    /// At most 200 characters of a service's words, on one line, without keys; nil if there are none.
    static func oneLine(_ text: String, _ key: SpeechServiceKey?) -> String? {
        let words = text.split { $0.isWhitespace || $0.isNewline || $0.asciiValue.map { $0 < 0x20 } == true }
        guard !words.isEmpty else { return nil }
        let line = words.joined(separator: " ")
        return String((key?.redact(line) ?? SpeechServiceKey.redactLookalikes(line)).prefix(200))
    }
}
