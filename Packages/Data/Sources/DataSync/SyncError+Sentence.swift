// SPDX-License-Identifier: MIT

package import Domain
package import Sync

extension SyncError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    package var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .unreachable:
            "The place where your devices meet is out of reach. Connect the disk or the network, then try again. "
                + "Details: \(message)"
        case .refused: "The place refuses access. Check the user name, the password and the permissions."
        case .invalidAnswer: "The place answers in a way that is not understood. Check its address. Details: \(message)"
        case .full: "The place has no room left. Free some there, then try again."
        case .readOnly: "The place cannot be written. Check its permissions."
        case .tooLarge: "Something is too large to be sent. Details: \(message)"
        case .newer: "A newer parley wrote this. Update parley on this device."
        case .noKey: "This device has no key for what is at the place. Add it to your devices again."
        case .notMember:
            "This device does not belong to a group of devices, or was removed from it. parley sync setup begins one, "
                + "parley sync join adds this device to one."
        case .mistyped: "What was typed cannot be used. Details: \(message)"
        case .store: "A file with stored data cannot be used. Run parley doctor. Details: \(message)"
        case .expired: "The code has expired. Start again with a new one."
        case .declined: "The other device has declined. Start again with a new code."
        case .invalid: "What is at the place is damaged or not from your devices. Details: \(message)"
        default: nil
        }
    }
}
