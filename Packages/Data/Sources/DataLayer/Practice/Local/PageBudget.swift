// SPDX-License-Identifier: MIT

/// The limit of one page: items up to a limit, and bytes up to ``bytes``, but at least one item.
public struct PageBudget {
    /// The most bytes of a page, if it has more than one item; 768 KiB, so that its JSON stays below 1 MiB.
    public static let bytes = 768 << 10

    private struct Full: Error {}

    /// The most items.
    public let limit: Int

    /// A budget of so many items.
    public init(limit: Int) { self.limit = limit }

    /// Runs a closure, which calls its argument with the size of each item before it adds the item; a full page ends
    /// the closure.
    ///
    /// - Returns: True if an item was left out.
    public func fill(_ body: ((_ size: Int) throws -> Void) throws -> Void) throws -> Bool {
        do {
            var (items, used) = (0, 0)
            try body { size in
                guard items < limit, items == 0 || used + size <= Self.bytes else { throw Full() }
                items += 1
                used += size
            }
            return false
        } catch is Full {
            return true
        }
    }
}
