// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

/// Runs one side of a pairing: carries messages to and from the place, and questions to the person.
struct PairingDriver<Time: Clock>: Sendable where Time.Duration == Duration {
    let seal: PairingSeal
    let transport: any SyncTransport
    let times: PairingTimes
    let clock: Time
    /// Asks the person, or changes the replica. It is cancelled when the pairing ends first.
    let perform: @Sendable (PairingWork) async throws -> PairingReply

    /// The events that the loop waits for.
    private struct Inbox: Sendable {
        var isWoken = false
        var replies: [Result<PairingReply, any Error>] = []
    }

    /// The messages between this side and the place.
    private struct Mail {
        var outgoing: [(step: PairingStep, sealed: [UInt8])] = []
        var seen: [PairingStep: [UInt8]] = [:]
    }

    func run<Machine: PairingMachine>(_ machine: Machine) async throws -> Machine.Success {
        var machine = machine
        let result: Result<Machine.Success, any Error>
        do { result = .success(try await loop(&machine)) } catch { result = .failure(error) }
        await remove(machine.removable)
        return try result.get()
    }

    private func loop<Machine: PairingMachine>(_ machine: inout Machine) async throws -> Machine.Success {
        let inbox = Monitor(Inbox())
        // Before the first look, so that no change falls between the two.
        let changes = transport.changes()
        let start = clock.now
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { for await _ in changes { inbox.withLock { $0.isWoken = true } } }
            group.addTask { [clock, times] in
                while true {
                    try await clock.sleep(for: times.interval)
                    inbox.withLock { $0.isWoken = true }
                }
            }
            var events = [PairingEvent.started]
            var mail = Mail()
            while true {
                let elapsed = start.duration(to: clock.now)
                for event in events + [.elapsed(elapsed)] {
                    for action in machine.handle(event) {
                        switch action {
                        case .write(let step, let sealed): mail.outgoing.append((step, sealed))
                        case .work(let work):
                            group.addTask { [perform] in
                                let reply: Result<PairingReply, any Error>
                                do { reply = .success(try await perform(work)) } catch { reply = .failure(error) }
                                inbox.withLock { $0.replies.append(reply) }
                            }
                        }
                    }
                }
                events = try await exchange(&mail, machine.awaited)
                if events.isEmpty, let result = machine.result, mail.outgoing.isEmpty || elapsed >= times.lifetime {
                    return try result.get()
                }
                guard events.isEmpty else { continue }
                try await inbox.wait { $0.isWoken || !$0.replies.isEmpty }
                events = try inbox.withLock { inbox in
                    defer { inbox = Inbox() }
                    return inbox.replies
                }.map { .done(try $0.get()) }
            }
        }
    }

    /// Writes what is to be written, then looks for a new message.
    ///
    /// A place that is out of reach may come back: nothing is lost, and the next look tries again.
    private func exchange(_ mail: inout Mail, _ awaited: [PairingStep]) async throws -> [PairingEvent] {
        do {
            while let (step, sealed) = mail.outgoing.first {
                let other = try await create(step, sealed)
                mail.outgoing.removeFirst()
                if let other { return [.taken(step, other)] }
            }
            for step in awaited {
                guard let sealed = try await read(step), sealed != mail.seen[step] else { continue }
                mail.seen[step] = sealed
                return [.read(step, sealed)]
            }
        } catch let error as SyncError where error.code == .unreachable {}
        return []
    }

    /// Writes a message; the bytes that are there in its stead.
    private func create(_ step: PairingStep, _ sealed: [UInt8]) async throws -> [UInt8]? {
        do {
            try await transport.create(seal.name(step), sealed)
            return nil
        } catch let error as SyncError where error.code == .exists {
            return try await read(step) ?? []
        }
    }

    private func read(_ step: PairingStep) async throws -> [UInt8]? {
        do {
            // A longer object is no message, and does not open.
            return Array(try await transport.read(seal.name(step)).prefix(PairingMessage.byteLimit))
        } catch let error as SyncError where error.code == .notFound {
            return nil
        }
    }

    /// Removes messages as far as the place lets it: what stays is sealed and of no use.
    private func remove(_ steps: [PairingStep]) async {
        guard !steps.isEmpty else { return }
        // In a task of its own, because this one may be cancelled; it is awaited all the same.
        let removal = Task { [transport, seal] in
            for step in steps { try? await transport.remove(seal.name(step)) }
        }
        await removal.value
    }
}
