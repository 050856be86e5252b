// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Persistence

@Suite struct PoolStateTests {
    /// Random takes, returns, failures and cancellations, against what must always hold.
    @Test(arguments: 0..<20)
    func keepsItsPromisesInAnyOrder(round: UInt64) {
        var generator = SeededGenerator(seed: round)
        let limit = Int.random(in: 1...4, using: &generator)
        var pool = PoolState<Int, UInt64>(limit: limit)
        var inUse: Set<Int> = []
        var queue: [UInt64] = []
        var making = 0
        var made = 0
        var nextID: UInt64 = 0

        func serve(_ waiter: UInt64?, with member: Int?) {
            guard let waiter else { return }
            #expect(queue.first == waiter, "seed \(round): out of order")
            queue.removeFirst()
            if let member { inUse.insert(member) } else { making += 1 }
        }

        for _ in 0..<500 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                nextID += 1
                switch pool.take(id: nextID, nextID) {
                case .use(let member): #expect(inUse.insert(member).inserted, "seed \(round): given twice")
                case .make: making += 1
                case .wait: queue.append(nextID)
                case .closed: Issue.record("seed \(round): closed")
                }
            case 2 where making > 0:
                making -= 1
                if Bool.random(using: &generator) {
                    made += 1
                    pool.made(made)
                    inUse.insert(made)
                } else {
                    serve(pool.couldNotMake(), with: nil)
                }
            case 3:
                guard let member = inUse.randomElement(using: &generator) else { continue }
                inUse.remove(member)
                serve(pool.put(member), with: member)
            default:
                guard let id = queue.randomElement(using: &generator) else { continue }
                #expect(pool.cancel(id: id) == id)
                #expect(pool.cancel(id: id) == nil)
                queue.removeAll { $0 == id }
            }
            #expect(inUse.count + making <= limit, "seed \(round): over the limit")
            #expect(queue.isEmpty || inUse.count + making == limit, "seed \(round): someone waits for nothing")
        }
        let (waiters, members) = pool.close()
        #expect(waiters == queue)
        #expect(Set(members).isSuperset(of: inUse))
        if case .closed = pool.take() {} else { Issue.record("seed \(round): open after the close") }
    }
}
