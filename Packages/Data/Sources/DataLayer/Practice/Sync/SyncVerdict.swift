// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// What a failed attempt means for its item, and for the others.
enum SyncVerdict: Equatable {
    /// The attempt could not take place, and no other one can for now: it does not count, and everything waits.
    case pause(Pause)
    /// It may work later; the others go on.
    case retry
    /// It will never work as it is.
    case stuck

    enum Pause: Equatable {
        /// For a time that doubles while it goes on.
        case growing
        /// For as many seconds as the server said.
        case told(seconds: Int)
        /// Until somebody signs in.
        case signIn
    }

    init(_ error: DomainError) {
        switch error {
        case .signInNeeded: self = .pause(.signIn)
        case .offline: self = .pause(.growing)
        case .rateLimited(let seconds): self = .pause(.told(seconds: max(1, seconds)))
        // The server's or this machine's trouble, with this item perhaps: others may do better.
        case .timedOut, .server, .storage, .unusable, .damaged, .file, .generationFailed: self = .retry
        case .emptyQuery, .invalidQuery, .queryTooLong, .noSpeech, .notUnderstood, .device, .speechEngine,
            .invalidInput, .notFound, .overLimit, .notAllowed:
            self = .stuck
        }
    }
}
