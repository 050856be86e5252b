// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking
import Sync
import SyncWire

#if DEBUG
    /// A place of sync that another library than libcurl's HTTP reaches, under the switches of the developer's page, which is told of each call.
    struct DeveloperPlace: SyncTransport {
        private let next: any SyncTransport
        /// The folder of the place.
        private let address: String
        private let link: DeveloperLink

        init(_ next: any SyncTransport, at address: String, link: DeveloperLink) {
            (self.next, self.address, self.link) = (next, address, link)
        }

        func list(after cursor: SyncCursor?) async throws -> SyncListing {
            try await telling("LIST") { try await next.list(after: cursor) }
        }

        func read(_ name: SyncObjectName) async throws -> [UInt8] {
            try await telling("READ", received: \.count) { try await next.read(name) }
        }

        func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
            try await telling("CREATE", sent: bytes.count) { try await next.create(name, bytes) }
        }

        func remove(_ name: SyncObjectName) async throws {
            try await telling("REMOVE") { try await next.remove(name) }
        }

        func changes() -> AsyncStream<Void> { next.changes() }

        private func telling<Value: Sendable>(
            _ method: String, sent: Int = 0, received: (Value) -> Int? = { _ in nil },
            _ call: () async throws -> Value
        ) async throws -> Value {
            let (start, time) = (ContinuousClock.now, Date())
            let result: Result<Value, any Error>
            do {
                try await DeveloperTransport.admit(link)
                result = .success(try await call())
            } catch let error as NetworkError {
                result = .failure(SyncError(code: .unreachable, message: error.message))
            } catch { result = .failure(error) }
            link.tell(
                DeveloperRequest(
                    time: time.formatted(.iso8601), program: link.program, method: method,
                    url: DeveloperRequest.route(address), status: nil,
                    milliseconds: (ContinuousClock.now - start).milliseconds, requestBytes: sent,
                    responseBytes: (try? result.get()).flatMap(received)))
            return try result.get()
        }
    }
#endif
