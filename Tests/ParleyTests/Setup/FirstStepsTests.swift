// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct FirstStepsTests {
    @Test func `steps come in order, and one that failed comes again until it is skipped`() {
        var steps = FirstSteps()
        #expect(steps.next == .microphone)
        steps.take(.attempt, for: .microphone)
        steps.tried(.microphone, works: false)
        #expect(steps.next == .microphone)
        steps.take(.skip, for: .microphone)
        #expect(steps.next == .loudspeaker)
        steps.tried(.loudspeaker, works: true)
        for step in [FirstSteps.Step.voice, .assistant, .consent] {
            #expect(steps.next == step)
            steps.take(.skip, for: step)
        }
        #expect(steps.next == nil)
        #expect(steps.outcomes[.microphone] == .skipped && steps.outcomes[.loudspeaker] == .works)
    }

    @Test func `the end keeps what was tried`() {
        var steps = FirstSteps()
        steps.tried(.microphone, works: true)
        steps.take(.end, for: .loudspeaker)
        #expect(steps.next == nil && steps.outcomes == [.microphone: .works])
    }

    private static let replies: [(String?, FirstSteps.Reply?)] = [
        ("", .attempt), ("S", .skip), ("q", .end), (nil, .end), ("yes", nil),
    ]

    @Test(arguments: replies)
    func `a line is read`(line: String?, reply: FirstSteps.Reply?) { #expect(FirstSteps.Reply(line) == reply) }
}
