// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import Echo
import MCP
import TerminalKit

extension EchoError {
    /// The stable code of the error, for programs.
    var code: String {
        switch self {
        case .unsupportedModel: "unsupportedModel"
        case .connectionFailed: "connectionFailed"
        case .transcriptionFailed: "transcriptionFailed"
        case .audioError: "audio"
        case .toolExecutionFailed: "toolFailed"
        case .rateLimitExceeded: "rateLimited"
        case .invalidConfiguration: "invalidConfiguration"
        case .unauthorized: "unauthorized"
        case .notFound: "notFound"
        case .quotaExceeded: "quotaExceeded"
        case .contextTooLong: "contextTooLong"
        case .apiError: "server"
        case .malformedResponse: "malformedResponse"
        case .responseFailed: "responseFailed"
        case .streamInterrupted: "interrupted"
        case .budgetExceeded: "budgetExceeded"
        case .invalidStructuredOutput: "invalidStructuredOutput"
        case .refused: "refused"
        case .timedOut: "timedOut"
        case .unsupported: "unsupported"
        case .conversationClosed: "conversationClosed"
        }
    }

    /// The message for the person who runs the program, with advice.
    var advice: Sentence {
        switch self {
        case .unsupportedModel(let name): UnsupportedModel(name: name, purpose: .chat).sentence
        case .unauthorized:
            "\(sentence) It is taken from OPENAI_API_KEY or the secret openai, for another server from --api-key NAME."
        case .contextTooLong: "\(sentence) In a chat, /clear starts again."
        case .budgetExceeded(let spent, let limit):
            "The budget of \(ModelCost.money(limit)) is used up (\(ModelCost.money(spent)) spent), so nothing was sent. Give "
                + "a larger --budget."
        default: sentence
        }
    }

    /// The exit code of the program.
    var exitCode: ExitCode {
        switch self {
        case .unsupportedModel, .invalidConfiguration, .unsupported, .conversationClosed: .usage
        case .unauthorized, .notFound, .quotaExceeded, .contextTooLong, .budgetExceeded, .refused: .refused
        case .connectionFailed, .rateLimitExceeded, .apiError, .malformedResponse, .responseFailed, .streamInterrupted,
            .timedOut:
            .network
        case .audioError: .device
        case .transcriptionFailed, .toolExecutionFailed, .invalidStructuredOutput: .data
        }
    }
}

/// A model that OpenAI's API is not asked for. Where the purpose is not text, it takes the place of
/// `EchoError.unsupportedModel`.
struct UnsupportedModel: Error {
    let name: String
    let purpose: ModelOptions.Purpose

    /// The message for the person who runs the program.
    var sentence: Sentence {
        let models = purpose.models.joined(separator: ", ")
        return
            "OpenAI's API is not asked for the model \(name) here, only for \(models). Your own server may have others: "
            + "--base-url URL --model \(name)."
    }
}

extension UnsupportedModel {
    /// Nil if the error has another cause than the model.
    init?(_ error: any Error, for purpose: ModelOptions.Purpose) {
        guard case .unsupportedModel(let name)? = error as? EchoError else { return nil }
        self.init(name: name, purpose: purpose)
    }
}

extension MCPError {
    /// The exit code of the program.
    var exitCode: ExitCode {
        switch code {
        case .invalidServer, .insecure: .usage
        case .unauthorized, .refused, .notOffered, .server: .refused
        case .network, .http, .redirected, .timeout, .interrupted: .network
        default: .data
        }
    }
}

extension ModelCost {
    /// The amount in US dollars; amounts below one dollar have four decimals.
    static func money(_ dollars: Double) -> String {
        let digits = abs(dollars) < 1 ? 10_000 : 100
        let units = Int((max(0, min(dollars, 1e12)) * Double(digits)).rounded())
        let fraction = String(units % digits)
        return "$\(units / digits)."
            + String(repeating: "0", count: (digits == 100 ? 2 : 4) - fraction.count) + fraction
    }
}

extension NothingAtAddress {
    /// The message for the person who runs the program.
    var sentence: Sentence {
        "Nothing at \(address). Base URLs usually end in /v1. The server says: \(ForeignText.short(answer, limit: 200))"
    }
}
