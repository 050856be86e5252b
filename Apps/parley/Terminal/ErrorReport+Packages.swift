// SPDX-License-Identifier: MIT

import Concurrency
import CrashReports
import Domain
import Echo

// The sentences of errors that only the app meets.

extension SocketError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .addressInUse: "Another program listens at this address. End it, or choose another. Details: \(message)"
        case .addressUnavailable: "Nothing can listen at this address. Choose another one. Details: \(message)"
        case .invalidAddress: "This is no address at which a program can listen. Details: \(message)"
        case .outOfResources: "The system has no more room for connections. Close other programs, then try again."
        case .broken: "The connection broke. Try again."
        case .closed: "The connection is closed."
        default: nil
        }
    }
}

extension CrashReportError {
    /// The error for a person, in the same way.
    var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .folderUnusable: "The folder of crash reports cannot be used. Check its permissions. Details: \(message)"
        case .notFound: "No crash report has this name. parley crash list shows the names."
        case .notAReport: "This crash report cannot be read. parley crash delete removes it."
        default: nil
        }
    }
}

extension VoiceTraceError {
    /// The error for a person.
    var sentence: Sentence {
        switch self {
        case .foreign: "This is no trace of a voice conversation. Record one with --trace FILE."
        case .unknownVersion(let version):
            "The trace has the version \(version), which this parley does not know. Replay it with the parley that recorded "
                + "it."
        case .damaged(let line, let reason): "Line \(line) of the trace is damaged: \(reason) Record another."
        case .tooLarge: "The trace is larger than what is read. Record a shorter conversation."
        case .notWritten(let path, let reason):
            "The trace \(path) takes nothing more: \(reason). Free space on its disk for another; up to there it can be "
                + "replayed."
        case .differs(let line, let recorded, let today):
            "Line \(line): the conversation decides otherwise today.\n  recorded: \(recorded)\n  today:    \(today)"
        }
    }
}
