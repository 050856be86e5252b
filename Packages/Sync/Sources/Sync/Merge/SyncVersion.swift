// SPDX-License-Identifier: MIT

/// A value that a field got, and the change that gave it.
///
/// A field is the set of its versions; merging two devices' is the union of the sets. So it depends on the changes alone
/// and not on the order in which they arrived.
public struct SyncVersion: Sendable, Hashable {
    /// The change's position in the order of all changes.
    public let stamp: Stamp
    /// The number of the entry in its device's log.
    public let sequence: UInt64
    /// The value.
    public let value: [UInt8]

    /// The versions of a field that are kept once all devices have them, the present one included.
    public static let limit = 8
}

extension SyncField {
    /// The versions that count, the winner first: at most ``SyncVersion/limit`` where the last change wins, one where the
    /// first does.
    func ranked(_ versions: some Sequence<SyncVersion>) -> [SyncVersion] {
        Array(sorted(versions).prefix(limit))
    }

    /// The versions that a snapshot keeps: as many of each device, so that those of the others are there if one of them
    /// turns out not to count.
    func kept(_ versions: some Sequence<SyncVersion>) -> [SyncVersion] {
        var counts: [DeviceID: Int] = [:]
        return sorted(versions).filter { version in
            counts[version.stamp.device, default: 0] += 1
            return counts[version.stamp.device, default: 0] <= limit
        }
    }

    private var limit: Int { rule == .first ? 1 : SyncVersion.limit }

    private func sorted(_ versions: some Sequence<SyncVersion>) -> [SyncVersion] {
        versions.sorted { left, right in
            guard left.stamp == right.stamp else { return (left.stamp < right.stamp) == (rule == .first) }
            // Only a device that does not keep to the format gives two values one stamp.
            return left.sequence == right.sequence
                ? left.value.lexicographicallyPrecedes(right.value) : left.sequence < right.sequence
        }
    }
}
