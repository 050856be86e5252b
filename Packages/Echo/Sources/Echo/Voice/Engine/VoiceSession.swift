// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// One session of a voice conversation: connects, sends in order, receives, and ends.
final class VoiceSession: Sendable {
    /// The session's reports, in order.
    enum Report: Sendable {
        case opened
        case event(ServerEvent)
        /// An event was invalid and not sent; the session continues.
        case refused(EchoError)
        /// The last report.
        case ended(SessionLifecycle.Failure, EchoError?)
    }

    let number: Int
    private let api: APIConnection
    private let configuration: RealtimeSessionConfiguration
    private let limits: VoiceConfiguration.Limits
    private let outgoing: OutgoingEvents
    private let life = Guarded<(task: Task<Void, Never>?, isEnded: Bool)>((nil, false))

    init(
        _ number: Int, api: APIConnection, configuration: RealtimeSessionConfiguration,
        limits: VoiceConfiguration.Limits
    ) {
        self.number = number
        self.api = api
        self.configuration = configuration
        self.limits = limits
        outgoing = OutgoingEvents(patience: limits.sending)
    }

    /// Sends an event after all earlier ones.
    ///
    /// - Returns: False if too much waits: the session has failed.
    func send(_ event: ClientEvent) -> Bool { outgoing.add(event, at: api.clock.now()) }

    /// The time at which the connection counts as failed, unless it accepts something before.
    var deadline: Duration? { outgoing.deadline }

    /// Runs the session; returns when the connection is closed.
    func run(_ report: @escaping @Sendable (Report) async -> Void) async {
        let task = Task { await live(report) }
        let isEnded = life.withLock { life in
            life.task = task
            return life.isEnded
        }
        if isEnded { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the session: nothing more is sent or reported.
    func end() {
        outgoing.end()
        let task = life.withLock { life in
            life.isEnded = true
            return life.task
        }
        task?.cancel()
    }

    private func live(_ report: @escaping @Sendable (Report) async -> Void) async {
        let client: RealtimeClient
        do {
            client = try await RealtimeClient.connect(
                api, session: configuration, timeout: limits.handshake, closing: limits.closing)
        } catch {
            if !(error is CancellationError), !Task.isCancelled {
                let error = error as? EchoError ?? .connectionFailed("\(error)")
                await report(.ended(error.sessionFailure, error))
            }
            return
        }
        if !Task.isCancelled {
            await report(.opened)
            await withTaskGroup(of: (SessionLifecycle.Failure, EchoError?)?.self) { group in
                group.addTask { await self.sendAll(client, report) }
                group.addTask { await self.receiveAll(client, report) }
                // Report at once: the closing handshake may take some time.
                if let ended = await group.next() ?? nil, !Task.isCancelled { await report(.ended(ended.0, ended.1)) }
                group.cancelAll()
            }
        }
        outgoing.end()
        // A cancelled task would not wait for the end.
        await Task { await client.close() }.value
    }

    private func sendAll(
        _ client: RealtimeClient, _ report: @Sendable (Report) async -> Void
    ) async -> (SessionLifecycle.Failure, EchoError?)? {
        for await event in outgoing.events {
            do {
                try await client.send(event)
            } catch let error as EchoError {
                guard case .invalidConfiguration = error else { return await ended(client, error) }
                await report(.refused(error))
            } catch {
                return nil
            }
            outgoing.sent(at: api.clock.now())
        }
        return nil
    }

    private func receiveAll(
        _ client: RealtimeClient, _ report: @Sendable (Report) async -> Void
    ) async -> (SessionLifecycle.Failure, EchoError?)? {
        while true {
            do {
                guard let event = try await client.receive() else { return await ended(client, nil) }
                if case .unknown(type: "", _) = event.detail {
                    // It replaces an event that is lost, and without it the later events would be misunderstood.
                    let error = EchoError.malformedResponse("The server sent what is no event.", requestID: nil)
                    return (error.sessionFailure, error)
                }
                await report(.event(event))
            } catch let error as EchoError {
                return await ended(client, error)
            } catch {
                return nil
            }
        }
    }

    private func ended(_ client: RealtimeClient, _ error: EchoError?) async -> (SessionLifecycle.Failure, EchoError?) {
        (await client.failure ?? .broken(retryAfter: nil), error)
    }
}
