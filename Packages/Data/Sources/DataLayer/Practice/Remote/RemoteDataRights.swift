// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Networking
import PracticeWire

/// What the server has of an account: all of it in one archive, and its end.
public struct RemoteDataRights: Sendable {
    private let server: PracticeServer

    /// The rights at a server.
    public init(_ server: PracticeServer) { self.server = server }

    /// The archive of all that the server has, in pieces as they come; it may be larger than the memory.
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

    /// Deletes all that the server has but the account itself.
    ///
    /// - Throws: `DomainError` or `CancellationError`.
    public func delete() async throws -> DeletionReceipt {
        let receipt: DeletionReceiptDTO = try await server.value(.delete, ["account", "data"])
        return try mapped { () throws(MappingFailure) in try receipt.receipt() }
    }

    /// Deletes the account itself with everything that the server has of it.
    ///
    /// - Throws: `DomainError` or `CancellationError`.
    public func deleteAccount() async throws -> DeletionReceipt {
        let receipt: DeletionReceiptDTO = try await server.value(.delete, ["account"])
        return try mapped { () throws(MappingFailure) in try receipt.receipt() }
    }
}
