// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import Persistence

extension DatabaseError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .damaged: "A file with stored data is damaged. Run parley doctor. Details: \(message)"
        case .diskFull: "The disk is full. Free some room, then try again. Details: \(message)"
        case .busy: "Another program is using a file. Close it, then try again. Details: \(message)"
        case .readOnly, .permission:
            "The system denies access to a file. Check its owner and its mode. Details: \(message)"
        case .insecureFile: "Other users could read or change a file, so it is not used. Details: \(message)"
        case .newer: "A newer parley wrote the stored data. Use the newest parley."
        case .sealed: "The app is locked. Give the passphrase first."
        case .outOfMemory: "The memory is used up. Close other programs, then try again."
        case .inputOutput: "A file cannot be read or written. Details: \(message)"
        default: nil
        }
    }
}

extension FileError {
    /// The error for a person: the description in English, in other languages a sentence for its reason.
    var sentence: Sentence { Sentence(verbatim: description, elsewhere: translation) }

    private var translation: Sentence {
        if isDiskFull { return "The disk is full. Free some room, then try again. Details: \(description)" }
        if isDenied {
            return "The system denies access to a file. Check its owner and its mode. Details: \(description)"
        }
        if isMissing { return "A file is missing. Details: \(description)" }
        return "A file cannot be read or written. Details: \(description)"
    }
}
