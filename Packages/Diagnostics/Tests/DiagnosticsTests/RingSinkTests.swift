// SPDX-License-Identifier: MIT

import Diagnostics
import Testing

@Suite struct RingSinkTests {
    @Test(arguments: [1, 2, 3, 7, 10, 11])
    func keepsTheNewestOldestFirst(capacity: Int) {
        let ring = RingSink(capacity: capacity)
        let logger = Logger(category: "test", sink: ring)
        for count in 1...10 {
            logger.info("\(count, privacy: .public)")
            let expected = (max(1, count - capacity + 1)...count).map(String.init)
            #expect(ring.snapshot().map(\.message.text) == expected)
        }
        #expect(ring.dropped == max(0, 10 - capacity))
    }

    @Test func capacityIsAtLeastOne() {
        let ring = RingSink(capacity: -3)
        Logger(category: "test", sink: ring).info("kept")
        #expect(ring.capacity == 1)
        #expect(ring.snapshot().count == 1)
    }

    @Test func losesAndDoublesNothingUnderConcurrentWriters() async {
        let ring = RingSink(capacity: 4_000)
        let logger = Logger(category: "test", sink: ring)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<16 {
                group.addTask {
                    for count in 0..<500 {
                        logger.info("\(writer * 500 + count, privacy: .public)")
                        if count % 100 == 0 { _ = ring.snapshot() }
                    }
                }
            }
        }
        let numbers = ring.snapshot().compactMap { Int($0.message.text) }
        #expect(numbers.count == 4_000)
        #expect(Set(numbers).count == 4_000)
        #expect(ring.dropped == 4_000)
        // One writer's records stay in the order in which it wrote them.
        for writer in 0..<16 {
            let own = numbers.filter { $0 / 500 == writer }
            #expect(own == own.sorted())
        }
    }
}
