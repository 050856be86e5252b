// SPDX-License-Identifier: MIT

struct Item: Sendable {
    let id: Int64
    let name: String
    let amount: Double

    static func some(_ count: Int) -> [Item] {
        (1...count).map { Item(id: Int64($0), name: "item number \($0) of the list", amount: Double($0) / 7) }
    }

    /// Keys in an order without a pattern that a cache could use; the same in every program.
    static func keys(_ count: Int, of total: Int) -> [Int64] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % Int64(total) + 1
        }
    }
}
