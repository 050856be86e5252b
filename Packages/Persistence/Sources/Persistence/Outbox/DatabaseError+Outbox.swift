// SPDX-License-Identifier: MIT

extension DatabaseError.Code {
    /// The outbox holds as much as its configuration allows.
    public static let outboxFull = DatabaseError.Code(rawValue: "outboxFull")
    /// The lease ended and another worker may have the item; what this one says about it no longer counts.
    public static let leaseLost = DatabaseError.Code(rawValue: "leaseLost")
    /// The item is not poisoned, or there is no such item.
    public static let notPoisoned = DatabaseError.Code(rawValue: "notPoisoned")
}

extension DatabaseError {
    init(refusal: OutboxState.Refusal) {
        switch refusal {
        case .leaseLost, .notDue:
            self.init(
                code: .leaseLost,
                message:
                    "The lease ended before the work did, and the item goes to another worker: renew it in time, or "
                    + "make it longer.")
        case .notPoisoned:
            self.init(code: .notPoisoned, message: "Only a poisoned item can be retried or discarded by hand.")
        }
    }
}
