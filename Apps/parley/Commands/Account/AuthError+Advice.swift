// SPDX-License-Identifier: MIT

import Auth
import DataLayer
import Domain
import FoundationEssentials
import Glibc
import Security
import TerminalKit

extension AuthError {
    /// The message, with the time until which it holds and the command that helps.
    var advice: Sentence {
        if code == .storage, (underlying as? SecretStoreError)?.code == .unavailable {
            return "The session is in the desktop's keyring, which is not here. Run this in the desktop session, or "
                + "keep another session in a file: parley sign-in EMAIL --store file."
        }
        if let own = underlying as? OwnRefusal { return own.sentence }
        let sentence = sentenceWithWait
        return switch code {
        case .signedOut, .reused, .unauthorized: "\(sentence) parley sign-in EMAIL does that."
        case .noPendingSignIn, .expired, .alreadyUsed: "\(sentence) parley sign-in EMAIL asks for one."
        case .alreadySignedIn: "\(sentence) parley whoami says who, parley sign-out signs out."
        case .tooManyMails: "\(sentence) parley verify CODE|LINK takes what the newest mail brings."
        default: sentence
        }
    }

    /// The sentence, with the time until which it holds.
    var sentenceWithWait: Sentence {
        let reason = (underlying as? OwnRefusal)?.sentence ?? sentence
        return until.map { "\(reason) Wait until \($0.timeOfDay)." } ?? reason
    }

    /// A refusal by this program itself, which is translated.
    static func own(_ sentence: Sentence, _ code: Code) -> AuthError {
        AuthError(code, sentence.english, underlying: OwnRefusal(sentence: sentence))
    }

    private struct OwnRefusal: Error { let sentence: Sentence }

    /// True if the server has said that the session is over.
    var isEndOfSession: Bool { code == .signedOut || code == .reused }
}

extension Date {
    /// Hours, minutes and seconds by this machine's calendar: 14:05:09.
    var timeOfDay: String {
        let parts = Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)).local
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
