// SPDX-License-Identifier: MIT

/// How an attempt ended.
public enum OutboxOutcome: Sendable, Equatable {
    /// The receiver has it.
    case done
    /// It may work later. Waits as the policy says, and at least `after`; becomes poison when the attempts are used up.
    case retry(reason: String, after: Duration = .zero)
    /// It will never work as it is.
    case poison(reason: String)
    /// The attempt did not take place (the program ends, the network is gone). It does not count, and the item is due at once.
    case release
}
