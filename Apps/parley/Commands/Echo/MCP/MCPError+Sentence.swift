// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import MCP
import Networking

extension MCPError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .cannotStart: "The program of the tool server cannot be started. Details: \(message)"
        case .serverEnded: "The tool server has ended. Details: \(message)"
        case .restartLimit: "The tool server has ended too often, and is not started again. Details: \(message)"
        case .network:
            (underlying as? NetworkError).map { "The tool server cannot be reached: \($0.sentence)" }
                ?? "The tool server cannot be reached. Details: \(message)"
        case .unauthorized: "The tool server does not accept the credentials. Give it an Authorization header."
        case .http, .invalidAnswer, .invalidStructuredContent:
            "The tool server's answer is not understood. Details: \(message)"
        case .redirected: "The tool server leads to another address. Details: \(message)"
        case .sessionExpired: "The session at the tool server has expired. Try again."
        case .interrupted: "The connection to the tool server broke; what was asked for may have been done."
        case .timeout: "The tool server did not answer in time. Try again later."
        case .unsupportedVersion: "The tool server speaks no revision of the protocol that parley knows."
        case .notOffered: "The tool server does not offer this. Details: \(message)"
        case .server: "The tool server answered with an error. Details: \(message)"
        case .invalidServer: "The description of the tool server cannot be used. Details: \(message)"
        case .insecure: "Nothing is sent to the tool server without encryption. Use an address with https://."
        case .closed: "The connection to the tool server is closed. Try again."
        default: nil
        }
    }
}
