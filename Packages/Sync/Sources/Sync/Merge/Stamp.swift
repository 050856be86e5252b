// SPDX-License-Identifier: MIT

/// The position of a change in the one order of all changes of a group: a hybrid logical clock (Kulkarni et al., 2014)
/// and, among equals, the device.
///
/// It orders and is never shown: a clock that is a year ahead makes stamps that are a year ahead, and everybody follows.
public struct Stamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970.
    public let milliseconds: UInt64
    /// Counts changes within a millisecond, and while the clock stands still.
    public let counter: UInt32
    /// The device that made the change.
    public let device: DeviceID

    /// Stamps of the year 2200 and after are invalid. It is the only bound: what is valid must not depend on whose clock
    /// is asked.
    static let millisecondLimit: UInt64 = 7_258_118_400_000

    /// The order of changes.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        (left.milliseconds, left.counter, left.device) < (right.milliseconds, right.counter, right.device)
    }
}

/// The clock of a device: it follows the machine's clock and never falls behind anything that the device has seen.
struct HybridClock: Sendable, Hashable {
    private(set) var milliseconds: UInt64 = 0
    private(set) var counter: UInt32 = 0

    init() {}

    init(milliseconds: UInt64, counter: UInt32) {
        (self.milliseconds, self.counter) = (milliseconds, counter)
    }

    /// Stamps of the last day before ``Stamp/millisecondLimit`` are valid and not followed, or one of them would leave
    /// none for anybody else.
    static let followedLimit = Stamp.millisecondLimit - 86_400_000

    /// Follows another device's stamp.
    mutating func observe(_ stamp: Stamp) {
        guard (milliseconds, counter) < (stamp.milliseconds, stamp.counter), stamp.milliseconds < Self.followedLimit
        else { return }
        (milliseconds, counter) = (stamp.milliseconds, stamp.counter)
    }

    /// The stamp of a change that is made now.
    ///
    /// - Parameter now: The machine's clock in milliseconds since 1970, however wrong.
    /// - Throws: ``SyncError`` with the code `store` at the end of the stamps.
    mutating func tick(now: Int64, device: DeviceID) throws(SyncError) -> Stamp {
        let now = min(UInt64(max(0, now)), Stamp.millisecondLimit - 1)
        if now > milliseconds {
            (milliseconds, counter) = (now, 0)
        } else if counter < .max {
            counter += 1
        } else {
            guard milliseconds + 1 < Stamp.millisecondLimit else {
                throw SyncError(code: .store, message: "There are no stamps left. Set up sync anew.")
            }
            (milliseconds, counter) = (milliseconds + 1, 0)
        }
        return Stamp(milliseconds: milliseconds, counter: counter, device: device)
    }
}
