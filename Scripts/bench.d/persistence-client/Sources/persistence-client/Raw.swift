// SPDX-License-Identifier: MIT

import CRawSQLite
import Glibc

/// The same work on the C API.
struct Raw {
    let path: String

    func insert(_ items: [Item]) -> Duration { with(items) { raw_insert(path, $0, items.count) } }

    func transactions(_ items: [Item], full: Bool) -> Duration {
        with(items) { raw_transactions(path, $0, items.count, full ? 1 : 0) }
    }

    func handedTransactions(_ items: [Item], full: Bool) -> Duration {
        with(items) { raw_handed_transactions(path, $0, items.count, full ? 1 : 0) }
    }

    func read(_ count: Int) -> Duration { duration(raw_read(path, count)) }

    func lookUp(_ keys: [Int64]) -> Duration {
        duration(keys.map { CLongLong($0) }.withUnsafeBufferPointer { raw_look_up(path, $0.baseAddress, keys.count) })
    }

    private func with(_ items: [Item], _ body: (UnsafePointer<raw_item>?) -> Int64) -> Duration {
        let items = items.map { raw_item(id: $0.id, name: strdup($0.name), amount: $0.amount) }
        defer { for item in items { free(item.name) } }
        return duration(items.withUnsafeBufferPointer { body($0.baseAddress) })
    }

    private func duration(_ nanoseconds: Int64) -> Duration {
        precondition(nanoseconds >= 0, "the C API failed")
        return .nanoseconds(nanoseconds)
    }
}
