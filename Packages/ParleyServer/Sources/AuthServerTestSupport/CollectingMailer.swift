// SPDX-License-Identifier: MIT

public import AuthServer
import Concurrency
import Diagnostics

/// Keeps mails for tests.
public final class CollectingMailer: SignInMailer {
    private let kept = Guarded([SignInMail]())
    private let capacity: Int

    /// A mailer that takes `capacity` mails.
    public init(capacity: Int = .max) {
        self.capacity = capacity
    }

    /// Keeps a mail, if there is room.
    public func enqueue(_ mail: SignInMail) -> Bool {
        kept.withLock { mails in
            guard mails.count < capacity else { return false }
            mails.append(mail)
            return true
        }
    }

    /// All mails, the oldest first.
    public var mails: [SignInMail] { kept.withLock { $0 } }

    /// Deletes the mails.
    public func clear() {
        kept.withLock { $0 = [] }
    }
}
