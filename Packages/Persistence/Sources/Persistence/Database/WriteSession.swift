// SPDX-License-Identifier: MIT

/// Several transactions in a row on the writer; see ``Database/writeSeveral(_:)``.
public struct WriteSession: ~Copyable {
    private let connection: WritableConnection

    init(_ connection: WritableConnection) {
        self.connection = connection
    }

    /// Runs a closure in a transaction that is committed when it returns and undone when it throws, as
    /// ``Database/write(durability:_:)`` does.
    public func write<Value>(
        durability: Durability = .full, _ body: (WritableConnection) throws -> Value
    ) throws -> Value {
        try connection.writing(durability: durability, body)
    }
}
