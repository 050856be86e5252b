// SPDX-License-Identifier: MIT

package import Domain
package import Security

extension SecurityError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    package var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .wrongPassphrase: "This is not the passphrase of the app lock."
        case .tooManyFailures: "There were too many wrong passphrases. Wait before the next one. Details: \(message)"
        case .locked: "The app is locked. Give the passphrase first."
        case .authenticationFailed, .wrongKey: "What is encrypted does not open with this key. Details: \(message)"
        case .damaged: "An encrypted file is damaged. Restore it from a backup. Details: \(message)"
        case .incomplete: "The end of an encrypted file is missing. Details: \(message)"
        case .newer: "A newer parley wrote an encrypted file. Use the newest parley. Details: \(message)"
        case .notFound: "A file is missing. Details: \(message)"
        case .alreadyExists: "A file of this name exists already. Details: \(message)"
        case .permission: "The system denies access to a file. Check its owner and its mode. Details: \(message)"
        case .insecureFile: "Other users could read or change a file, so it is not used. Details: \(message)"
        case .diskFull: "The disk is full. Free some room, then try again. Details: \(message)"
        case .inputOutput: "A file cannot be read or written. Details: \(message)"
        case .busy: "Another program is using a file. Close it, then try again. Details: \(message)"
        case .unavailable: "The library for encryption is missing or fails. Details: \(message)"
        default: nil
        }
    }
}

extension SecretStoreError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    package var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .invalidName: "This cannot be the name of a secret: it has 1 to 255 bytes, and no control characters."
        case .invalidParameter: "A passphrase must not be empty."
        case .valueTooLarge: "The secret is too long to be stored."
        case .locked: "The keyring or the app is locked. Unlock it, then try again."
        case .unavailable: "There is no keyring here, or it does not answer."
        case .wrongKey: "The file of the secrets does not open with this passphrase or key file."
        case .keyMissing: "The key file is missing, and without it the secrets cannot be read. Details: \(message)"
        case .damaged: "The file of the secrets is damaged. Restore it from a backup. Details: \(message)"
        case .newer: "A newer parley wrote the file of the secrets. Use the newest parley."
        case .insecureFile: "Other users could read or change a file, so it is not used. Details: \(message)"
        case .permission: "The system denies access to a file. Check its owner and its mode. Details: \(message)"
        case .diskFull: "The disk is full. Free some room, then try again. Details: \(message)"
        case .busy: "Another program is using a file. Close it, then try again. Details: \(message)"
        case .inputOutput: "The secrets cannot be read or written. Details: \(message)"
        default: nil
        }
    }
}
