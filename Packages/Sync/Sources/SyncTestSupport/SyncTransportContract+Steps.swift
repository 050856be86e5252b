// SPDX-License-Identifier: MIT

import Sync
import SyncWire

/// The steps that the checks have in common.
extension SyncTransportContract {
    static func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
        if !condition { throw Broken(description: complaint()) }
    }

    /// The code of the error that `body` throws; nil if it throws none, or one of another type.
    static func code(of body: () async throws -> Void) async -> SyncError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SyncError)?.code
        }
    }

    /// Names of logs, one for each number.
    static func name(_ number: Int) -> SyncObjectName {
        .log(device: [UInt8](repeating: 0xA0, count: 16), first: UInt64(number), last: UInt64(number) + 3)
    }

    /// Bytes that differ at each position and for each seed.
    static func bytes(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
    }

    /// Everything after a cursor, in as many listings as it takes.
    static func listed(
        _ place: any SyncTransport, after start: SyncCursor? = nil
    ) async throws -> (sizes: [SyncObjectName: Int], cursor: SyncCursor?, isWhole: Bool) {
        var sizes: [SyncObjectName: Int] = [:]
        var (cursor, isWhole, hasMore) = (start, Bool?.none, true)
        while hasMore {
            let listing = try await place.list(after: cursor)
            if listing.cursor == nil {
                try require(listing.isWhole && !listing.hasMore, "without a cursor, a listing has everything")
            } else {
                try require(listing.objects.count <= SyncLimit.listingCount, "\(listing.objects.count) at once")
            }
            for object in listing.objects {
                try require(sizes.updateValue(object.size, forKey: object.name) == nil, "\(object.name) twice")
            }
            try require(!listing.hasMore || listing.cursor != cursor, "there is more, after the same cursor")
            (cursor, isWhole, hasMore) = (listing.cursor, isWhole ?? listing.isWhole, listing.hasMore)
        }
        return (sizes, cursor, isWhole ?? true)
    }

    /// An object's bytes; nil if it does not exist.
    static func object(_ name: SyncObjectName, at place: any SyncTransport) async throws -> [UInt8]? {
        do { return try await place.read(name) } catch let error as SyncError where error.code == .notFound {
            return nil
        }
    }

    /// True if a call in a cancelled task was done, false if it ended with `CancellationError`.
    static func isDoneDespiteCancellation(_ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await body()
        }
        do {
            try await task.value
            return true
        } catch is CancellationError {
            return false
        }
    }
}
