// SPDX-License-Identifier: MIT

package import Auth
package import Domain

extension AuthError {
    /// The error for a person: the message in English, in other languages a sentence for the code. A code without a row here
    /// keeps its message.
    package var sentence: Sentence {
        translation.map { Sentence(verbatim: message, elsewhere: $0) } ?? Sentence(verbatim: message)
    }

    private var translation: Sentence? {
        switch code {
        case .wrongCode:
            attemptsLeft.map { left in
                Sentence(
                    one: "The code is wrong. \(left) attempt is left. Type the six digits of the newest mail.",
                    other: "The code is wrong. \(left) attempts are left. Type the six digits of the newest mail.",
                    count: left)
            } ?? "The code is wrong or expired. Type the six digits of the newest mail, or ask for another."
        case .expired: "The code or link is expired, was used, or was replaced by a newer mail. Ask for another mail."
        case .alreadyUsed: "The link was used already. Ask for another mail."
        case .tooManyAttempts: "There were too many attempts."
        case .tooManyMails: "Too many mails were asked for. Use the newest, or wait before you ask for another."
        case .noNetwork: "The sign-in server cannot be reached. Check the network; the session stays."
        case .notTrusted:
            "The connection to the sign-in server is not safe, so nothing was sent. Check the server's certificate and key, "
                + "and this machine's date."
        case .signedOut: "Nobody is signed in here, or the session has ended. Sign in again."
        case .reused: "The server has ended the session, since an old key of it was used. Sign in again."
        case .unauthorized: "The server does not accept the session. Sign in again."
        case .invalidLink: "This is not a link of this server to sign in with. Copy all of it from the newest mail."
        case .wrongDevice: "Another program or device has asked for this mail. Finish the sign-in there."
        case .noPendingSignIn: "No mail was asked for here. Ask for one first."
        case .alreadySignedIn: "Somebody is signed in already."
        case .invalidAddress: "The server sends no mail to this address. Check the address."
        case .unsupported: "The server does not offer this."
        case .refused: "The server turned it down. It says: \(message)"
        case .server: "The sign-in server has a fault, or there is another one at its address. Try again later."
        case .storage: "The stored sign-in cannot be read or written. Details: \(message)"
        case .busy: "Another program is using the session. Wait until it has ended."
        case .invalidConfiguration:
            "The sign-in server's address cannot be used. It begins with https:// (http:// on this machine), without a "
                + "user and a query."
        default: nil
        }
    }
}
