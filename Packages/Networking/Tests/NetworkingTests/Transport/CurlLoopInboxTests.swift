// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Networking

struct CurlLoopInboxTests {
    private let command = CurlEventLoop.Command.run {}

    // The macro takes no call that changes the inbox.
    private func check(_ isTrue: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(isTrue, sourceLocation: location)
    }

    private func sleeping() -> CurlLoopInbox {
        var inbox = CurlLoopInbox()
        _ = inbox.threadTakes()
        check(inbox.threadSleeps())
        return inbox
    }

    @Test func aStartIsCarriedOutByItsCallerWhileTheThreadSleeps() {
        var inbox = sleeping()
        check(inbox.submit(command, mayCarryOut: true) == .carryOut)
        // What comes meanwhile waits for the thread, which the caller wakes when it is done.
        check(inbox.submit(command, mayCarryOut: true) == .taken)
        check(inbox.callerEnded(leaving: nil, isThreadLate: false))
        check(inbox.submit(command, mayCarryOut: true) == .taken)
        check(inbox.threadTakes()?.count == 2)
        check(inbox.threadSleeps())
    }

    @Test func nothingIsWokenThatNeedNot() {
        var inbox = sleeping()
        check(inbox.submit(command, mayCarryOut: true) == .carryOut)
        check(!inbox.callerEnded(leaving: nil, isThreadLate: false))
        check(inbox.submit(command, mayCarryOut: false) == .takenAndWake)
        check(inbox.submit(command, mayCarryOut: false) == .taken)
        check(inbox.threadTakes()?.count == 2)
        check(inbox.submit(command, mayCarryOut: true) == .taken)
        check(!inbox.threadSleeps())
    }

    @Test func theThreadIsWokenForAnEarlierDeadlineAndForWhatTheCallerLeaves() {
        var inbox = sleeping()
        check(inbox.submit(command, mayCarryOut: true) == .carryOut)
        check(inbox.callerEnded(leaving: nil, isThreadLate: true))
        inbox = sleeping()
        check(inbox.submit(command, mayCarryOut: true) == .carryOut)
        check(inbox.callerEnded(leaving: command, isThreadLate: false))
        check(inbox.threadTakes()?.count == 1)
    }

    @Test func theThreadWaitsForTheCallersEnd() {
        var inbox = sleeping()
        check(inbox.submit(command, mayCarryOut: true) == .carryOut)
        check(inbox.threadTakes() == nil)
        check(inbox.callerEnded(leaving: nil, isThreadLate: false))
        check(inbox.threadTakes()?.isEmpty == true)
    }

    @Test func closingWakesTheThreadOnceNobodyWorks() {
        var inbox = sleeping()
        check(inbox.submit(command, mayCarryOut: true) == .carryOut)
        check(!inbox.close())
        check(inbox.callerEnded(leaving: nil, isThreadLate: false))
        check(inbox.submit(command, mayCarryOut: true) == .refused)
        inbox = sleeping()
        check(inbox.close())
    }

    /// Any order of events: one worker at a time, every command carried out once, and no command before a sleeping
    /// thread that nobody wakes.
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func noOrderLosesACommandOrAWakeUp(seed: UInt64) {
        enum Thread { case working, sleeping, waitingForCaller }
        var random = SeededGenerator(seed: seed)
        var inbox = CurlLoopInbox()
        var (thread, isCallerWorking, isWakeSent) = (Thread.working, false, false)
        var (submitted, done) = (0, 0)
        done += inbox.threadTakes()?.count ?? 0
        for step in 0..<2_000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                submitted += 1
                switch inbox.submit(command, mayCarryOut: Bool.random(using: &random)) {
                case .carryOut:
                    #expect(!isCallerWorking && thread != .working, "seed \(seed), step \(step)")
                    isCallerWorking = true
                case .takenAndWake: isWakeSent = true
                case .taken: break
                case .refused: Issue.record("refused, seed \(seed)")
                }
            case 2 where isCallerWorking:
                isCallerWorking = false
                let leaves = Bool.random(using: &random)
                if !leaves { done += 1 }
                if inbox.callerEnded(leaving: leaves ? command : nil, isThreadLate: Bool.random(using: &random)) {
                    isWakeSent = true
                }
            case 3 where thread == .working:
                if inbox.threadSleeps() { thread = .sleeping } else { done += inbox.threadTakes()?.count ?? 0 }
            case 4 where isWakeSent || thread == .sleeping:
                // A wake-up, or a socket that is ready; only the first ends a wait for the caller.
                guard thread != .working, isWakeSent || thread == .sleeping else { continue }
                isWakeSent = false
                if let commands = inbox.threadTakes() {
                    #expect(!isCallerWorking, "seed \(seed), step \(step)")
                    done += commands.count
                    thread = .working
                } else {
                    thread = .waitingForCaller
                }
            default: break
            }
            let isStuck = thread != .working && !isCallerWorking && !isWakeSent
            #expect(!isStuck || (done == submitted && thread == .sleeping), "seed \(seed), step \(step)")
        }
    }

    @Test func `a start that waits when the loop is closed ends as closed`() async throws {
        let configuration = CurlTransport.Configuration()
        let loop = try CurlEventLoop(maximumConnectionsPerHost: 1, maximumIdleConnections: 1)
        let transfer = try CurlTransfer(
            HTTPRequest(.get, try #require(URL(string: "https://127.0.0.1:1/"))), configuration: configuration,
            route: .direct, timeouts: configuration.timeouts, loop: loop, wholeDeadline: nil)
        // The thread's function runs here, so that it takes its first turn after the close.
        let sockets = try #require(SocketQueue())
        let core = CurlLoopCore(multi: try #require(CurlMulti()), sockets: sockets)
        let mailbox = CurlLoopMailbox(core: core, sockets: sockets)
        let hasRun = Guarded(false)
        #expect(mailbox.submit(.start(transfer)))
        #expect(mailbox.submit(.run { hasRun.withLock { $0 = true } }))
        mailbox.close()
        #expect(!mailbox.submit(.run {}))
        mailbox.run()
        #expect(hasRun.withLock { $0 })
        try #require(transfer.channel.isOver)
        await expectError(.closed) { _ = try await transfer.channel.waitForHead() }
        await loop.close()
    }

    @Test func aBrokenPipeDoesNotEndTheProcess() {
        let count = BrokenPipeSignal.blocked {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            defer { close(ends[1]) }
            return write(ends[1], "x", 1)
        }
        #expect(count == -1)
    }
}
