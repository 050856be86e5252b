// SPDX-License-Identifier: MIT

import Foundation
import SealedRecordings
import TestKit
import Testing

@Suite struct RetentionRuleTests {
    private static let day = 86_400.0
    private let now = Date(timeIntervalSince1970: 1_750_000_000)

    private func item(_ id: String, days: Double, bytes: Int = 10, uploaded: Bool = true) -> RetentionRule.Item {
        RetentionRule.Item(
            id: id, recordedAt: now.addingTimeInterval(-days * Self.day), byteCount: bytes, isUploaded: uploaded)
    }

    @Test func withoutLimitsEverythingStays() {
        #expect(RetentionRule().deletions(among: [item("a", days: 9_000)], now: now).isEmpty)
    }

    @Test func whatIsTooOldGoes() {
        let items = [
            item("a", days: 30), item("b", days: 30.01), item("c", days: 31, uploaded: false), item("d", days: -5),
        ]
        let rule = RetentionRule(maximumAge: .seconds(30 * 86_400))
        #expect(rule.deletions(among: items, now: now) == ["b"])
        #expect(
            RetentionRule(maximumAge: .seconds(30 * 86_400), deletesUnsent: true).deletions(among: items, now: now)
                == ["c", "b"])
    }

    @Test func theOldestGoUntilTheRestFits() {
        let items = [item("a", days: 1), item("b", days: 3), item("c", days: 2), item("d", days: 4, uploaded: false)]
        #expect(RetentionRule(maximumCount: 2).deletions(among: items, now: now) == ["b", "c"])
        #expect(RetentionRule(maximumByteCount: 35).deletions(among: items, now: now) == ["b"])
        #expect(RetentionRule(maximumByteCount: 40).deletions(among: items, now: now).isEmpty)
        #expect(RetentionRule(maximumCount: 0).deletions(among: items, now: now) == ["b", "c", "a"])
        #expect(
            RetentionRule(maximumCount: 0, deletesUnsent: true).deletions(among: items, now: now) == [
                "d", "b", "c", "a",
            ])
    }

    /// Over random recordings and rules, what the rule promises.
    @Test(arguments: 1...200) func whatTheRulePromises(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let items = (0..<Int.random(in: 0...30, using: &random)).map {
            item(
                "\($0)", days: Double(Int.random(in: -2...20, using: &random)),
                bytes: Int.random(in: 0...100, using: &random), uploaded: Bool.random(using: &random))
        }
        let days = Int.random(in: 0...25, using: &random)
        let rule = RetentionRule(
            maximumAge: Bool.random(using: &random) ? .seconds(days * 86_400) : nil,
            maximumByteCount: Bool.random(using: &random) ? Int.random(in: 0...1_500, using: &random) : nil,
            maximumCount: Bool.random(using: &random) ? Int.random(in: 0...30, using: &random) : nil,
            deletesUnsent: Bool.random(using: &random))
        let deletions = rule.deletions(among: items, now: now)
        let deleted = items.filter { deletions.contains($0.id) }
        let kept = items.filter { !deletions.contains($0.id) }
        func mayGo(_ item: RetentionRule.Item) -> Bool { rule.deletesUnsent || item.isUploaded }
        func isTooOld(_ item: RetentionRule.Item) -> Bool {
            rule.maximumAge.map { now.timeIntervalSince(item.recordedAt) > Double($0.components.seconds) } ?? false
        }
        func fits(_ items: [RetentionRule.Item]) -> Bool {
            items.reduce(0) { $0 + $1.byteCount } <= rule.maximumByteCount ?? .max
                && items.count <= rule.maximumCount ?? .max
        }
        #expect(Set(deletions).count == deletions.count && deleted.count == deletions.count, "each once, none unknown")
        #expect(deleted.allSatisfy(mayGo))
        #expect(kept.allSatisfy { !(mayGo($0) && isTooOld($0)) })
        #expect(fits(kept) || kept.allSatisfy { !mayGo($0) }, "a limit is broken only by what may not go")
        let youngest = deleted.max { ($0.recordedAt, $0.id) < ($1.recordedAt, $1.id) }
        if let youngest {
            #expect(isTooOld(youngest) || !fits(kept + [youngest]), "not one more than it takes")
            #expect(kept.filter(mayGo).allSatisfy { ($0.recordedAt, $0.id) > (youngest.recordedAt, youngest.id) })
        }
        #expect(rule.deletions(among: items.shuffled(using: &random), now: now) == deletions, "whatever their order")
        #expect(rule.deletions(among: kept, now: now).isEmpty, "a second time nothing is left to do")
    }
}
