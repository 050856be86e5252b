// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Concurrency
import CrashReports
import DataAssistant
import DataLayer
import DataSync
import Domain
import Echo
import FoundationEssentials
import MCP
import Networking
import Security
import Sync
import TerminalKit

/// The report of an error: a stable code for programs, a message for a person.
struct ErrorReport: Encodable, Equatable {
    let code: String
    /// The message in English on one line, without control characters and those that change the direction of the text.
    private(set) var message: String
    /// The message for a person.
    let sentence: Sentence
    /// The attempts that are left, where there is a limit.
    var attemptsLeft: Int?
    /// The time from which another attempt helps, in the form of ISO 8601; nil if waiting does not help.
    var until: String?

    private enum CodingKeys: CodingKey {
        case code, message, attemptsLeft, until
    }

    /// Makes a report from its parts.
    init(code: String, message: String) {
        self.init(code: code, Sentence(verbatim: message))
    }

    /// Makes a report from its parts.
    init(code: String, _ sentence: Sentence) {
        (self.code, self.sentence, message) = (code, sentence, sentence.english.printable)
    }

    /// Makes a report; `nil` if a person should see no error (a reader that has closed the output).
    init?(_ error: any Error) {
        switch error {
        case is OutputStream.Closed:
            return nil
        case let error as DomainError:
            (code, sentence) = (error.code, error.advice)
        case let error as QuestionNotKept:
            (code, sentence) = (error.error.code, "\(error.error.sentence) \(error.remedy)")
        case let error as NetworkError:
            let attempts = error.attempts.count
            let reason = error.sentence
            (code, sentence) = (
                "network.\(error.code)", attempts > 1 ? "\(reason) \(attempts) attempts were made." as Sentence : reason
            )
        case let error as AuthError:
            (code, sentence) = ("auth.\(error.code)", error.advice)
            attemptsLeft = error.attemptsLeft
            until = error.until?.formatted(.iso8601)
        case let error as EchoError:
            (code, sentence) = ("model.\(error.code)", error.advice)
        case let error as AttachmentError:
            (code, sentence) = ("attachment.\(error.code)", error.sentence)
        case let error as NothingAtAddress:
            (code, sentence) = ("model.notFound", error.sentence)
        case let error as VoiceTraceError:
            (code, sentence) = ("trace", Sentence(verbatim: error.description))
        case let error as MCPError:
            (code, sentence) = ("mcp.\(error.code)", error.sentence)
        case let error as SecretStoreError:
            (code, sentence) = ("secrets.\(error.code)", error.advice)
        case let error as SecurityError:
            (code, sentence) = ("security.\(error.code)", error.sentence)
        case let error as SyncError:
            (code, sentence) = ("sync.\(error.code)", error.sentence)
        case let error as CrashReportError:
            (code, sentence) = ("crash.\(error.code.rawValue)", Sentence(verbatim: error.message))
        case let error as SocketError:
            (code, sentence) = ("socket.\(error.code.rawValue)", Sentence(verbatim: error.message))
        case let error as SecretNotFound:
            (code, sentence) = ("secrets.notFound", error.sentence)
        case let error as ReplayFailure:
            (code, sentence) = ("trace", Sentence(verbatim: error.message))
        case let error as UsageError:
            (code, sentence) = ("usage", Sentence(verbatim: error.advice(of: "parley").english))
        case is CancellationError:
            (code, sentence) = ("interrupted", "Interrupted. What was stored before is kept." as Sentence)
        case let error as OutputStream.Failed:
            (code, sentence) = ("output", error.sentence)
        default:
            (code, sentence) = ("internal", "Something unexpected went wrong: \(error)" as Sentence)
        }
        // All texts of servers, files and models pass here on their way into an error.
        message = sentence.english.printable
    }
}

extension ErrorReport {
    /// The message of an error that costs no more than a warning; without a command that helps, with the one that finds the cause.
    static func warning(_ error: any Error) -> Sentence {
        let sentence = Sentence(error)
        if case DomainError.unusable = error { return sentence }
        return "\(sentence) Run: parley doctor (it says what to do)."
    }
}

/// `{"error":{"code","message"}}`
struct ErrorOutput: Encodable {
    let error: ErrorReport
}

extension Sentence {
    /// The message of any error for a person, without its code.
    init(_ error: any Error) { self = ErrorReport(error)?.sentence ?? "" }
}

extension SecretStoreError {
    /// The message; for a missing keyring, with the option that avoids it.
    var advice: Sentence {
        let reason = sentence
        return code == .unavailable ? "\(reason) --store file keeps secrets in a file." : reason
    }
}
