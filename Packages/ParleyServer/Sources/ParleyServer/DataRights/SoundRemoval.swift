// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Domain
import FoundationEssentials
import ObjectStore

/// Removes sound whose rows are gone. The row is the truth: an object without one is nobody's.
///
/// A transaction that finds no row for a name stores the order to remove it, and until the order is carried out no upload
/// of that name begins. So a deletion that is slow never takes the sound of a later recording. An order that fails stays
/// for maintenance.
struct SoundRemoval: Sendable {
    /// The age at which an object or an upload without a row is removed: a younger one may be about to get its row, also
    /// at another instance.
    static let sweepAge: TimeInterval = 86_400
    private static let batch = 200

    let recordings: RecordingStore
    let sounds: SoundStore
    /// The time for which the parts of an upload are kept at least.
    var uploadLifetime: Duration = UploadPolicy().lifetime

    /// Removes a sound, unless a recording or an upload has its id.
    func remove(_ id: Identifier<Recording>, of account: String) async throws {
        try await remove([id.description], of: account)
    }

    /// Removes every sound of an account without a row. One that cannot be removed does not stop the others.
    ///
    /// - Throws: The first error, after all were tried.
    func removeUnknown(of account: String) async throws {
        var names: Set<String> = []
        for try await object in sounds.objects.objects(prefix: account + "/") {
            if let name = Self.place(of: object.key)?.name { names.insert(name) }
        }
        if sounds.isLocal { names.formUnion(await files(of: account)) }
        try await remove(names.sorted() + recordings.orderedRemovals(of: account), of: account)
        // Of an upload that goes on in parts, its client begins again.
        _ = try await sounds.objects.removeUnfinished(prefix: account + "/", before: .distantFuture)
    }

    /// Removes sound without a row that is a day old, and what crashes left in the store; what cannot be removed stays.
    ///
    /// - Returns: The number of removed sounds.
    func sweep(at time: AuthTime) async throws -> Int {
        let end = RecordingRow.date(time.milliseconds).addingTimeInterval(-Self.sweepAge)
        var count = 0
        for order in try await recordings.orderedRemovals() where await carryOut(order.name, of: order.account) == nil {
            count += 1
        }
        var old: [(account: String, name: String)] = []
        for try await object in sounds.objects.objects(prefix: "") where object.modifiedAt < end {
            guard let place = Self.place(of: object.key) else { continue }
            old.append(place)
            if old.count == Self.batch {
                count += try await removeUnknown(old)
                old = []
            }
        }
        count += try await removeUnknown(old)
        let rested = end.addingTimeInterval(-(uploadLifetime / .seconds(1)))
        _ = try await sounds.objects.removeUnfinished(before: sounds.isLocal ? end : rested)
        return count
    }

    // MARK: Steps

    private func remove(_ names: [String], of account: String) async throws {
        var failure: (any Error)?
        for start in stride(from: 0, to: names.count, by: Self.batch) {
            let some = names[start..<min(start + Self.batch, names.count)].map { (account: account, name: $0) }
            for place in try await recordings.orderRemoval(some) {
                let error = await carryOut(place.name, of: account)
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func removeUnknown(_ places: [(account: String, name: String)]) async throws -> Int {
        var count = 0
        for place in try await recordings.orderRemoval(places)
        where await carryOut(place.name, of: place.account) == nil { count += 1 }
        return count
    }

    /// - Returns: The error; nil if the sound is gone.
    private func carryOut(_ name: String, of account: String) async -> (any Error)? {
        do {
            try await sounds.remove(name, of: account)
            try await recordings.noteRemoved(name, of: account)
            return nil
        } catch { return error }
    }

    /// The files of a home, also those whose names are no keys.
    private func files(of account: String) async -> [String] {
        await BlockingCall.run { [folder = sounds.folder] in folder.names(of: account) }
    }

    private static func place(of key: ObjectKey) -> (account: String, name: String)? {
        let segments = key.segments
        return segments.count == 2 ? (account: segments[0], name: segments[1]) : nil
    }
}
