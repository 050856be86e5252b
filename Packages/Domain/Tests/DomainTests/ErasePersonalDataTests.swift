// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct ErasePersonalDataTests {
    private typealias Place = InMemoryPersonalDataStore

    private let receipt = DeletionReceipt(
        id: "r", place: .server, deletedAt: Date(timeIntervalSince1970: 1), counts: ["results": 2])

    @Test func `the server comes first and the counts add up`() async throws {
        let (one, two) = (Place(["a", "b"]), Place(["c"]))
        let outcome = try await ErasePersonalData(
            server: { [receipt] in
                #expect(await one.things.count == 2, "before anything here")
                return receipt
            }, places: [one, two], now: { Date(timeIntervalSince1970: 5) })()
        #expect(outcome.receipts.map(\.place) == [.server, .device])
        #expect(outcome.receipts[1].counts == ["things": 3] && outcome.problems.isEmpty)
        #expect(outcome.receipts[1].deletedAt == Date(timeIntervalSince1970: 5))
    }

    @Test func `without the server's answer nothing is deleted here`() async {
        let place = Place(["a"])
        await #expect(throws: DomainError.offline("no network")) {
            try await ErasePersonalData(server: { throw DomainError.offline("no network") }, places: [place])()
        }
        #expect(await place.things == ["a"])
    }

    @Test func `a place that fails keeps no other one`() async throws {
        let (bad, good) = (Place(["a", "b"], stopsAfter: 1, error: DomainError.file("no")), Place(["c"]))
        let outcome = try await ErasePersonalData(server: nil, places: [bad, good])()
        #expect(outcome.problems == [.file("no")])
        #expect(await good.things.isEmpty)
        #expect(await bad.things == ["b"])
    }

    @Test(arguments: 0..<6) func `stopped at any step, another run removes the rest`(_ step: Int) async throws {
        let places = [Place(["a", "b"], stopsAfter: step), Place(["c", "d"], stopsAfter: step - 2), Place(["e"])]
        let erase = ErasePersonalData(server: nil, places: places)
        _ = try? await erase()
        for place in places { await place.goOn() }
        #expect(try await erase().problems.isEmpty)
        for place in places { #expect(await place.things.isEmpty) }
        #expect(try await erase().receipts.map(\.counts) == [[:]], "a second run finds nothing")
    }
}
