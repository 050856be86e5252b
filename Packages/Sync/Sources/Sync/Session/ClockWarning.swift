// SPDX-License-Identifier: MIT

/// A clock of the group that is far from another one.
///
/// Nothing is lost by it: stamps order changes whatever the clocks say. But of two changes that did not know each other the
/// one with the later stamp wins, so a clock that is ahead wins over what was written later elsewhere.
public struct ClockWarning: Sendable, Hashable {
    /// The clock with which this device's one was compared.
    public enum Witness: Sendable, Hashable {
        /// The place's, in its answers.
        case place
        /// Another device's, in the last thing that it wrote.
        case device(DeviceID)
    }

    /// The other clock.
    public let witness: Witness
    /// The lead of this device's clock in milliseconds; negative if it is behind.
    public let lead: Int64

    /// Clocks that are closer count as right: 5 minutes in milliseconds.
    static let tolerance: Int64 = 300_000

    /// Compares this device's clock with others.
    ///
    /// - Parameters:
    ///   - place: The lead over the place's clock in milliseconds; nil if the place tells no time.
    ///   - stamps: The last stamp of each other device. One that a device took from its clock is never later than that clock;
    ///     any that is earlier may be old, and says nothing.
    ///   - now: The machine's clock in milliseconds since 1970.
    init?(place: Int64?, stamps: some Sequence<Stamp>, now: Int64) {
        if let place, place.magnitude > UInt64(Self.tolerance) {
            (witness, lead) = (.place, place)
            return
        }
        // A counter above 0 follows a stamp that came from elsewhere.
        let own = stamps.filter { $0.counter == 0 }
        guard let latest = own.max() else { return nil }
        let distance = now - Int64(clamping: latest.milliseconds)
        guard distance < -Self.tolerance else { return nil }
        (witness, lead) = (.device(latest.device), distance)
    }

    /// A warning.
    public init(witness: Witness, lead: Int64) { (self.witness, self.lead) = (witness, lead) }

    /// The lead over a clock that showed a time in answer to a question; 0 if it fits into the time that passed meanwhile.
    static func lead(over time: Int64, askedAt start: Int64, answeredAt end: Int64) -> Int64 {
        if time < start { start - time } else if time > end { min(0, end - time) } else { 0 }
    }
}

extension ClockWarning {
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(lead < 0 ? 1 as UInt64 : 0)
        writer.write(lead.magnitude)
        if case .device(let id) = witness { writer.write(fixed: id.bytes) }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = ByteReader(bytes)
        let isBehind = try reader.number() == 1
        let lead = Int64(clamping: try reader.number()) * (isBehind ? -1 : 1)
        guard reader.remaining > 0 else {
            self.init(witness: .place, lead: lead)
            return
        }
        guard let id = DeviceID(try reader.fixed(16)) else { throw .invalid("an id has another length") }
        self.init(witness: .device(id), lead: lead)
    }
}

extension SyncTables {
    var clockWarning: ClockWarning? { get throws { try value(.clockWarning).map { bytes in try ClockWarning(bytes) } } }
}

extension Replica {
    /// Notes what an exchange found about the clocks, in place of what the one before found.
    ///
    /// - Parameter lead: Over the place's clock, as in ``ClockWarning/init(place:stamps:now:)``.
    func noteClocks(lead: Int64?, now: Int64, _ tables: some SyncTables) throws {
        let field = SyncField(0, .last)
        let stamps = try roster.membership.active.filter { $0 != device }.compactMap { device in
            let record = SyncRecordKey(kind: SyncRecordKey.acknowledgement, id: device.bytes)
            return try tables.versions(of: record)[field]?.max { $0.sequence < $1.sequence }?.stamp
        }
        try tables.set(.clockWarning, ClockWarning(place: lead, stamps: stamps, now: now)?.encoded)
    }
}
