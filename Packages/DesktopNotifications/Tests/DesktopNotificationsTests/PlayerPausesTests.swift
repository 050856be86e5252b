// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopNotifications

@Suite struct PlayerPausesTests {
    typealias Status = PlayerPauses.Status

    /// One player through a recording: its status before, its answer to `Pause`, its status after, and what we do.
    struct Case: CustomTestStringConvertible {
        let before: Status?
        let answer: PlayerPauses.Answer
        let after: Status?
        let isPaused: Bool
        let isResumed: Bool

        var testDescription: String {
            "\(before.map(\.rawValue) ?? "silent"), \(answer), \(after.map(\.rawValue) ?? "gone")"
        }
    }

    private static let cases = [
        Case(before: .playing, answer: .done, after: .paused, isPaused: true, isResumed: true),
        // A person has pressed play, or stop, or has closed it.
        Case(before: .playing, answer: .done, after: .playing, isPaused: true, isResumed: false),
        Case(before: .playing, answer: .done, after: .stopped, isPaused: true, isResumed: false),
        Case(before: .playing, answer: .done, after: nil, isPaused: true, isResumed: false),
        // It did not answer in time, and paused later all the same.
        Case(before: .playing, answer: .unanswered, after: .paused, isPaused: true, isResumed: true),
        Case(before: .playing, answer: .unanswered, after: .playing, isPaused: true, isResumed: false),
        // It cannot be paused; that somebody did is not our doing.
        Case(before: .playing, answer: .refused, after: .paused, isPaused: true, isResumed: false),
        Case(before: .paused, answer: .done, after: .paused, isPaused: false, isResumed: false),
        Case(before: .stopped, answer: .done, after: .paused, isPaused: false, isResumed: false),
        Case(before: nil, answer: .done, after: .paused, isPaused: false, isResumed: false),
    ]

    @Test(arguments: cases) func `only a player that we paused is resumed`(_ one: Case) {
        var pauses = PlayerPauses()
        let asked = pauses.recordingStarts([(":1.7", one.before)])
        #expect(asked == (one.isPaused ? [":1.7"] : []))
        for player in asked { pauses.paused(player, one.answer) }
        #expect(pauses.recordingEnds { _ in one.after } == (one.isResumed ? [":1.7"] : []))
        #expect(pauses.recordingEnds { _ in .paused }.isEmpty, "once is enough")
    }

    @Test func `players are decided on one by one`() {
        var pauses = PlayerPauses()
        #expect(
            pauses.recordingStarts([("a", .playing), ("b", .paused), ("c", .playing)]) == ["a", "c"])
        pauses.paused("a", .done)
        pauses.paused("c", .refused)
        pauses.paused("b", .done)
        #expect(pauses.ours == ["a"])
        #expect(pauses.recordingEnds { _ in .paused } == ["a"])
    }

    @Test func `a player that was not asked is never resumed`() {
        var pauses = PlayerPauses()
        _ = pauses.recordingStarts([("a", .playing)])
        // The program was interrupted before the call was made.
        #expect(pauses.recordingEnds { _ in .paused }.isEmpty)
    }
}
