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
import Localization
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
    /// The message about a command line, whose texts are of another package; nil for all others.
    private var usage: UsageText?
    /// The attempts that are left, where there is a limit.
    var attemptsLeft: Int?
    /// The time from which another attempt helps, in the form of ISO 8601; nil if waiting does not help.
    var until: String?

    /// The message in a person's language.
    func text(by translator: Translator) -> String {
        usage.map { translator(TranslatableText($0)) } ?? translator(sentence)
    }

    private enum CodingKeys: CodingKey {
        case code, message, localized, attemptsLeft, until
    }

    /// Writes the report; with `localized`, the message in the person's language, if that is another one and the encoder knows it.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        if let key = CodingUserInfoKey.translator, let translator = encoder.userInfo[key] as? Translator {
            let text = text(by: translator).printable
            if text != message { try container.encode(text, forKey: .localized) }
        }
        try container.encodeIfPresent(attemptsLeft, forKey: .attemptsLeft)
        try container.encodeIfPresent(until, forKey: .until)
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
        case let error as UnsupportedModel:
            (code, sentence) = ("model.unsupportedModel", error.sentence)
        case let error as AttachmentError:
            (code, sentence) = ("attachment.\(error.code)", error.sentence)
        case let error as NothingAtAddress:
            (code, sentence) = ("model.notFound", error.sentence)
        case let error as VoiceTraceError:
            (code, sentence) = ("trace", error.sentence)
        case let error as MCPError:
            (code, sentence) = ("mcp.\(error.code)", error.sentence)
        case let error as SecretStoreError:
            (code, sentence) = ("secrets.\(error.code)", error.advice)
        case let error as SecurityError:
            (code, sentence) = ("security.\(error.code)", error.sentence)
        case let error as SyncError:
            (code, sentence) = ("sync.\(error.code)", error.sentence)
        case let error as CrashReportError:
            (code, sentence) = ("crash.\(error.code.rawValue)", error.sentence)
        case let error as SocketError:
            (code, sentence) = ("socket.\(error.code.rawValue)", error.sentence)
        case let error as SecretNotFound:
            (code, sentence) = ("secrets.notFound", error.sentence)
        case let error as ReplayFailure:
            (code, sentence) = ("trace", error.sentence)
        case let error as UsageError:
            let advice = error.advice(of: "parley")
            (code, sentence, usage) = ("usage", Sentence(verbatim: advice.english), advice)
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

extension CodingUserInfoKey {
    /// The `Translator` of an encoder's reader.
    static let translator = CodingUserInfoKey(rawValue: "translator")
}

extension JSONEncoder {
    /// An encoder whose errors have the person's language, too.
    convenience init(for translator: Translator) {
        self.init()
        outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let key = CodingUserInfoKey.translator { userInfo[key] = translator }
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
