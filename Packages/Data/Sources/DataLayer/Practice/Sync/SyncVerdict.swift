// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// The consequence of a failed attempt for its item, and for the others.
enum SyncVerdict: Equatable {
    /// The attempt could not take place, and no other one can for now: it does not count, and all items wait.
    case pause(Pause)
    /// A later attempt may succeed; the other items are sent.
    case retry
    /// No later attempt can succeed.
    case poisoned

    enum Pause: Equatable {
        /// A pause that doubles with each failure.
        case growing
        /// A pause of as many seconds as the server said.
        case told(seconds: Int)
        /// A pause until a sign-in.
        case signIn
    }

    init(_ error: DomainError) {
        switch error {
        case .signInNeeded: self = .pause(.signIn)
        case .offline: self = .pause(.growing)
        case .rateLimited(let seconds): self = .pause(.told(seconds: max(1, seconds)))
        // The cause is the server or this machine, perhaps with this item only: other items may succeed.
        case .timedOut, .server, .storage, .unusable, .damaged, .file, .generationFailed: self = .retry
        case .emptyQuery, .invalidQuery, .queryTooLong, .noSpeech, .notUnderstood, .speechTooLong, .device,
            .speechEngine, .invalidInput, .notFound, .overLimit, .keyRefused, .notAllowed, .keptForLater:
            self = .poisoned
        }
    }
}
