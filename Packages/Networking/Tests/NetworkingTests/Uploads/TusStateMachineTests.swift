// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import Networking

@Suite("The course of a tus upload")
struct TusStateMachineTests {
    private let url = URL(filePath: "/files/1")
    private let length = 10

    private func machine(record: Bool = false, maximumFailures: Int = 3) -> TusStateMachine {
        var configuration = TusClient.Configuration()
        configuration.maximumFailures = maximumFailures
        configuration.initialDelay = .seconds(1)
        configuration.maximumDelay = .seconds(30)
        let record = record ? TusUploadRecord(key: "k", url: url, length: length) : nil
        return TusStateMachine(record: record, length: length, configuration: configuration)
    }

    /// Plays a server that confirms `taken` bytes and answers each later PATCH with a status.
    ///
    /// - Returns: The waits, the number of creations, and the failure.
    private func run(
        _ machine: TusStateMachine, taken: Int, status: Int
    ) -> (waits: [Duration], creations: Int, failure: TusStateMachine.Action?) {
        var machine = machine
        var waits: [Duration] = []
        var creations = 0
        for _ in 0..<1_000 {
            switch machine.action {
            case .create:
                creations += 1
                machine.created(at: url)
            case .ask: machine.refused(status, random: 1)
            case .send(_, let offset):
                if offset < taken {
                    machine.sent(taken - offset, from: offset, newOffset: taken)
                } else {
                    machine.refused(status, random: 1)
                }
            case .forget: machine.forgotten()
            case .wait(let delay):
                waits.append(delay)
                machine.waited()
            case .finish, .fail: return (waits, creations, machine.action)
            }
        }
        return (waits, creations, nil)
    }

    @Test(arguments: [403, 404, 410], [0, 4])
    func `an upload that vanishes at each chunk ends after waits`(status: Int, taken: Int) {
        let (waits, creations, failure) = run(machine(), taken: taken, status: status)
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(creations == 4)
        guard case .fail(.status, _, status: status)? = failure else {
            Issue.record("it did not fail with the status: \(String(describing: failure))")
            return
        }
    }

    @Test(arguments: [403, 404, 410])
    func `a stored upload that vanished begins anew at once`(status: Int) {
        var machine = machine(record: true, maximumFailures: 0)
        #expect(machine.action == .ask(url))
        machine.refused(status, random: 1)
        #expect(machine.action == .forget)
        machine.forgotten()
        #expect(machine.action == .create)
        machine.created(at: url)
        machine.refused(status, random: 1)
        guard case .fail = machine.action else {
            Issue.record("the second loss is no failure: \(machine.action)")
            return
        }
    }

    @Test func `a stored upload of another length begins anew at once`() {
        var machine = machine(record: true)
        machine.told(offset: 4, length: length + 1)
        #expect(machine.action == .forget)
        machine.forgotten()
        #expect(machine.action == .create)
    }

    @Test func `an offset out of range counts as a failure`() {
        var machine = machine(maximumFailures: 2)
        machine.created(at: url)
        for wait in [Duration.seconds(1), .seconds(2)] {
            machine.told(offset: length + 1, length: nil)
            #expect(machine.action == .forget)
            machine.forgotten()
            #expect(machine.action == .wait(wait))
            machine.waited()
            #expect(machine.action == .create)
            machine.created(at: url)
        }
        machine.told(offset: length + 1, length: nil)
        guard case .fail(.invalidResponse, _, status: nil) = machine.action else {
            Issue.record("it did not fail: \(machine.action)")
            return
        }
    }

    @Test func `new bytes forgive earlier failures`() {
        var machine = machine(maximumFailures: 1)
        machine.created(at: url)
        for offset in 0..<length - 1 {
            machine.refused(503, random: 1)
            #expect(machine.action == .wait(.seconds(1)))
            machine.waited()
            machine.told(offset: offset + 1, length: length)
            #expect(machine.action == .send(url, offset: offset + 1))
        }
    }
}
