// SPDX-License-Identifier: MIT

import Synchronization

/// A number that several tasks read and add to.
final class EventCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
