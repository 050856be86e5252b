// SPDX-License-Identifier: MIT

/// A record that is synced: its kind and its id.
public struct SyncRecordKey: Sendable, Hashable, Comparable {
    /// The kind of record: what a number means is the caller's to say. 0 and 1 belong to this package.
    public let kind: UInt32
    /// The record's id, 1 to 64 bytes. The first 16 are the container that it belongs to, and the first 32 are one within
    /// that: a container is erased as a whole.
    public let id: [UInt8]

    /// The most bytes of an id.
    public static let idByteLimit = 64
    /// The length of a container's id in bytes.
    public static let containerByteCount = 16
    /// The kind whose records say that a container was erased.
    static let erasure: UInt32 = 0
    /// The kind whose records say what a device has seen.
    static let acknowledgement: UInt32 = 1

    /// A record's key.
    public init(kind: UInt32, id: [UInt8]) {
        (self.kind, self.id) = (kind, id)
    }

    /// The containers that the record belongs to, the outermost first: the first 16 and the first 32 bytes of its id.
    var containers: [[UInt8]] {
        [1, 2].map { $0 * Self.containerByteCount }.filter { $0 <= id.count }.map { Array(id.prefix($0)) }
    }

    /// True if the record may say that a container was erased.
    var isErasure: Bool { kind == Self.erasure && containers.contains(id) }

    /// The order of kinds and ids.
    public static func < (left: SyncRecordKey, right: SyncRecordKey) -> Bool {
        left.kind == right.kind ? left.id.lexicographicallyPrecedes(right.id) : left.kind < right.kind
    }
}

/// A field of a record: its number, and the change that wins.
///
/// The rule is part of the field's encoding, so that devices merge what a newer version invented as that version does.
public struct SyncField: Sendable, Hashable, Comparable {
    /// The change of a field that wins.
    public enum Rule: Sendable {
        /// The last one: titles, flags, settings.
        case last
        /// The first one, for good: the text of a message.
        case first
    }

    /// The number and the rule: even for `last`, odd for `first`.
    let tag: UInt32

    /// A field.
    ///
    /// - Parameter number: Below 2³¹; the caller says what it means.
    public init(_ number: UInt32, _ rule: Rule) {
        precondition(number < 1 << 31, "A field's number is below 2^31.")
        tag = number << 1 | (rule == .first ? 1 : 0)
    }

    init(tag: UInt32) { self.tag = tag }

    /// The change that wins.
    public var rule: Rule { tag & 1 == 1 ? .first : .last }

    /// The order of tags.
    public static func < (left: SyncField, right: SyncField) -> Bool { left.tag < right.tag }
}

/// A change of a record: some of its fields have new values.
public struct SyncChange: Sendable, Hashable {
    /// The record.
    public let record: SyncRecordKey
    /// The new values; a field that is not named keeps its own.
    public let fields: [SyncField: [UInt8]]

    /// A change.
    public init(_ record: SyncRecordKey, _ fields: [SyncField: [UInt8]]) {
        (self.record, self.fields) = (record, fields)
    }

    /// The change that erases a container: every record whose id begins with it, on all devices, for good, whatever
    /// anybody writes to it later.
    ///
    /// - Parameter container: 16 or 32 bytes.
    public static func erasing(_ container: [UInt8]) -> SyncChange {
        SyncChange(SyncRecordKey(kind: SyncRecordKey.erasure, id: container), [SyncField(0, .first): []])
    }
}
