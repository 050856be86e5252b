// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Concurrency
import CrashReports
import DataAssistant
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
    /// The message on one line, without control characters and those that change the direction of the text.
    private(set) var message: String
    /// The attempts that are left, where there is a limit.
    var attemptsLeft: Int?
    /// The time from which another attempt helps, in the form of ISO 8601; nil if waiting does not help.
    var until: String?

    /// Makes a report from its parts.
    init(code: String, message: String) {
        self.code = code
        self.message = message.printable
    }

    /// Makes a report; `nil` if a person should see no error (a reader that has closed the output).
    init?(_ error: any Error) {
        switch error {
        case is OutputStream.Closed:
            return nil
        case let error as DomainError:
            (code, message) = (error.code, error.advice)
        case let error as QuestionNotKept:
            (code, message) = (error.error.code, "\(error.error.message) \(error.remedy)")
        case let error as NetworkError:
            let attempts = error.attempts.count > 1 ? " \(error.attempts.count) attempts were made." : ""
            (code, message) = ("network.\(error.code)", error.message + attempts)
        case let error as AuthError:
            (code, message) = ("auth.\(error.code)", error.advice)
            attemptsLeft = error.attemptsLeft
            until = error.until?.formatted(.iso8601)
        case let error as EchoError:
            (code, message) = ("model.\(error.code)", error.advice)
        case let error as AttachmentError:
            (code, message) = ("attachment.\(error.code)", error.message)
        case let error as NothingAtAddress:
            (code, message) = ("model.notFound", error.message)
        case let error as VoiceTraceError:
            (code, message) = ("trace", error.description)
        case let error as MCPError:
            (code, message) = ("mcp.\(error.code)", error.message)
        case let error as SecretStoreError:
            (code, message) = ("secrets.\(error.code)", error.advice)
        case let error as SecurityError:
            (code, message) = ("security.\(error.code)", error.message)
        case let error as SyncError:
            (code, message) = ("sync.\(error.code)", error.message)
        case let error as CrashReportError:
            (code, message) = ("crash.\(error.code.rawValue)", error.message)
        case let error as SocketError:
            (code, message) = ("socket.\(error.code.rawValue)", error.message)
        case let error as SecretNotFound:
            (code, message) = ("secrets.notFound", error.message)
        case let error as ReplayFailure:
            (code, message) = ("trace", error.message)
        case let error as UsageError:
            (code, message) = ("usage", error.advice(of: "parley").english)
        case is CancellationError:
            (code, message) = ("interrupted", "Interrupted. What was stored before is kept.")
        case let error as OutputStream.Failed:
            (code, message) = ("output", error.message)
        default:
            (code, message) = ("internal", "Something unexpected went wrong: \(error)")
        }
        // All texts of servers, files and models pass here on their way into an error.
        message = message.printable
    }
}

extension ErrorReport {
    /// The message of an error that costs no more than a warning; without a command that helps, with the one that finds the cause.
    static func warning(_ error: any Error) -> String {
        let message = ErrorReport(error)?.message ?? ""
        if case DomainError.unusable = error { return message }
        return message + " Run: parley doctor (it says what to do)."
    }
}

/// `{"error":{"code","message"}}`
struct ErrorOutput: Encodable {
    let error: ErrorReport
}

extension SecretStoreError {
    /// The message; for a missing keyring, with the option that avoids it.
    var advice: String {
        code == .unavailable ? "\(message) --store file keeps secrets in a file." : message
    }
}
