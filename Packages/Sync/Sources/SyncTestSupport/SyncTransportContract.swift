// SPDX-License-Identifier: MIT

public import Sync

/// The contract of `SyncTransport`, checked on an empty place.
///
/// A test makes an empty place for each check of ``checks`` and runs it; a check throws ``Broken`` when a promise is
/// broken. It does not depend on a test library, so it can also run in a program that checks an installation.
public struct SyncTransportContract: Sendable {
    /// A promise that was broken.
    public struct Broken: Error, CustomStringConvertible {
        /// The promise and what happened instead.
        public let description: String
    }

    /// An empty place, and what is known of its kind.
    public struct Subject: Sendable {
        /// A new transport to the place, as another device has it.
        public var device: @Sendable () async throws -> any SyncTransport
        /// Puts a file of any name and content beside the objects, past all transports; nil for a place without files.
        public var plant: (@Sendable (_ name: String, _ bytes: [UInt8]) async throws -> Void)?
        /// True if `changes()` reports what another device created. If false, it never has an event.
        public var reportsChanges: Bool
        /// False for a place that looks for the name and writes the object in two steps: of several devices that create
        /// different objects of one name at the same moment, more than one may succeed, and one of the objects stays.
        public var isExclusive: Bool

        /// A place.
        public init(
            device: @escaping @Sendable () async throws -> any SyncTransport,
            plant: (@Sendable (_ name: String, _ bytes: [UInt8]) async throws -> Void)? = nil,
            reportsChanges: Bool = true, isExclusive: Bool = true
        ) {
            self.device = device
            self.plant = plant
            self.reportsChanges = reportsChanges
            self.isExclusive = isExclusive
        }
    }

    /// One promise.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise in words.
        public let description: String
        /// Throws if the place breaks the promise.
        public let run: @Sendable (Subject) async throws -> Void
    }

    /// Every promise. One of them needs a time limit: a missing event of `changes()` is waited for.
    public static let checks: [Check] = objects + listings + devices
}
