// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Networking
import PracticeWire

/// The server's data of an account: its export in one archive, and its deletion.
public struct RemoteDataRights: Sendable {
    private let server: PracticeServer

    /// Makes the rights at a server.
    public init(_ server: PracticeServer) { self.server = server }

    /// The archive of all data at the server, in pieces as they arrive; it may be larger than the memory.
    ///
    /// - Throws: `DomainError` or `CancellationError`.
    public func export(_ write: ([UInt8]) async throws -> Void) async throws {
        try await domainErrors {
            var request = HTTPRequest(.get, try server.url(["account", "export"]))
            request.options.caching = .none
            request.maximumResponseBytes = .max
            let response = try await server.client.send(request)
            guard response.isSuccess else { throw await NetworkError(response, to: request) }
            for try await piece in response.body { try await write(Array(piece)) }
        }
    }

    /// Deletes all data at the server except the account itself.
    ///
    /// - Throws: `DomainError` or `CancellationError`.
    public func delete() async throws -> DeletionReceipt {
        let receipt: DeletionReceiptDTO = try await server.value(.delete, ["account", "data"])
        return try mapped { () throws(MappingFailure) in try receipt.receipt() }
    }

    /// Deletes the account itself with all its data at the server.
    ///
    /// - Throws: `DomainError` or `CancellationError`.
    public func deleteAccount() async throws -> DeletionReceipt {
        let receipt: DeletionReceiptDTO = try await server.value(.delete, ["account"])
        return try mapped { () throws(MappingFailure) in try receipt.receipt() }
    }
}
