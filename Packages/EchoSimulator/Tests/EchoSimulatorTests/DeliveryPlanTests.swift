// SPDX-License-Identifier: MIT

import Testing

@testable import EchoSimulator

@Suite struct DeliveryPlanTests {
    private static let frames = (0..<4).map { Frame(data: "\($0)") }

    private static func bytes(_ plan: DeliveryPlan) -> [UInt8] {
        plan.steps.flatMap { if case .write(let bytes) = $0 { bytes } else { [UInt8]() } }
    }

    @Test func withoutFaultsEverythingIsWritten() {
        let plan = DeliveryPlan(Self.frames)
        #expect(plan.steps == Self.frames.map { .write($0.bytes) })
    }

    @Test func aPaceWaitsBeforeEachEvent() {
        let plan = DeliveryPlan(Self.frames, pace: .init(delay: .milliseconds(3)))
        #expect(plan.steps.count == 8)
        #expect(plan.steps[0] == .wait(.milliseconds(3)))
    }

    @Test func bytesAreCutAtEveryPlace() {
        let whole = Self.bytes(DeliveryPlan(Self.frames))
        for count in 0..<whole.count {
            let plan = DeliveryPlan(Self.frames, faults: [.cutBytes(count)])
            #expect(Self.bytes(plan) == Array(whole.prefix(count)))
            #expect(plan.steps.last == .cut)
        }
        #expect(DeliveryPlan(Self.frames, faults: [.cutBytes(whole.count + 1)]).steps.last != .cut)
    }

    @Test func eventsAreCutAtEveryPlace() {
        for count in 0...Self.frames.count {
            let plan = DeliveryPlan(Self.frames, faults: [.cut(afterEvents: count)])
            #expect(plan.steps == Self.frames.prefix(count).map { .write($0.bytes) } + [.cut])
            let end = DeliveryPlan(Self.frames, faults: [.end(afterEvents: count)])
            #expect(end.steps == Self.frames.prefix(count).map { .write($0.bytes) })
        }
    }

    @Test func aStallIsBetweenEvents() {
        let plan = DeliveryPlan(Self.frames, faults: [.stall(afterEvents: 1), .stall(afterEvents: 2, .seconds(1))])
        #expect(plan.steps[1] == .stall)
        #expect(plan.steps[3] == .wait(.seconds(1)))
    }

    @Test func textIsCutIntoWordsOrCharactersWithoutLoss() {
        let text = "  Two words,\n\nand  🇨🇭 more "
        for size in [nil, 1, 2, 5, 100] { #expect(TextChunks.split(text, size: size).joined() == text) }
        #expect(TextChunks.split("One two", size: nil) == ["One", " two"])
        #expect(TextChunks.split("abcde", size: 2) == ["ab", "cd", "e"])
        #expect(TextChunks.split("", size: nil).isEmpty)
    }
}
