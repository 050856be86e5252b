// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Listens to channels, on one connection of its own, which exists while there are readers.
final class NotificationHub: Sendable {
    private struct Reader {
        weak var subscription: NotificationSubscription?
        /// True once the connection of now listens to its channel.
        var isListening = false
    }

    private struct State {
        var readers: [Reader] = []
        /// Ends the wait of the task that listens.
        var change = Promise<Void>()
        var isRunning = false
        var isClosed = false
    }

    private let state = Guarded(State())
    private let configuration: PostgresConfiguration
    private let loop: PostgresLoop
    private let tasks: OwnedTasks
    private let requests: OwnedTasks
    private let logger: Logger
    private let clock: any Clock<Duration>

    init(
        _ configuration: PostgresConfiguration, loop: PostgresLoop, tasks: OwnedTasks, requests: OwnedTasks,
        logger: Logger, clock: any Clock<Duration>
    ) {
        (self.configuration, self.loop, self.tasks, self.requests) = (configuration, loop, tasks, requests)
        (self.logger, self.clock) = (logger, clock)
    }

    // MARK: Readers

    func subscribe(to channel: String) -> NotificationSubscription {
        let subscription = NotificationSubscription(channel: channel) { [weak self] in self?.announceChange() }
        guard !channel.isEmpty, channel.utf8.count < 64, !channel.utf8.contains(0) else {
            subscription.finish(
                PostgresError(
                    code: .invalidValue, message: "A channel's name has 1 to 63 bytes without a NUL. Choose another."))
            return subscription
        }
        let (starts, isClosed) = state.withLock { state in
            if state.isClosed { return (false, true) }
            state.readers.append(Reader(subscription: subscription))
            defer { state.isRunning = true }
            return (!state.isRunning, false)
        }
        if isClosed { subscription.finish(.closed) }
        announceChange()
        if starts { tasks.add { [self] in await run() } }
        return subscription
    }

    /// Ends every sequence.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.subscription?.finish(nil) }
        announceChange()
    }

    private func announceChange() {
        let promise = state.withLock { state in
            defer { state.change = Promise() }
            return state.change
        }
        promise.resolve()
    }

    /// The channels that have readers.
    private var channels: Set<String> { withReaders { _, subscriptions in Set(subscriptions.map(\.channel)) } }

    /// True until there are no readers; the next one starts a new task.
    private var goesOn: Bool {
        withReaders { state, subscriptions in
            state.isRunning = !subscriptions.isEmpty
            return state.isRunning
        }
    }

    /// Runs a closure under the lock with the subscriptions that are still there, one for each reader, in their order.
    ///
    /// They are kept beyond the lock, which the end of a subscription takes.
    private func withReaders<Value: Sendable>(_ body: (inout State, [NotificationSubscription]) -> Value) -> Value {
        let (value, subscriptions) = state.withLock { state in
            let subscriptions = state.readers.compactMap(\.subscription)
            state.readers.removeAll { $0.subscription == nil }
            return (body(&state, subscriptions), subscriptions)
        }
        return withExtendedLifetime(subscriptions) { value }
    }

    // MARK: Listening

    private func run() async {
        var failures = 0
        while goesOn, !Task.isCancelled {
            do {
                try await listen { failures = 0 }
            } catch let error as PostgresError {
                failures += 1
                logger.warning("no connection for notifications: \(error.code, privacy: .public)")
                if error.isLasting { refuse(error) }
                let delay = configuration.reconnectBackoff.delay(afterFailures: failures, chance: .random(in: 0...1))
                try? await clock.sleep(for: delay)
            } catch {
                return
            }
        }
    }

    /// Listens on one connection until it is lost, or nobody reads.
    private func listen(_ established: () -> Void) async throws {
        let loss = Promise<Void>()
        let driver = ConnectionDriver(
            try await OpenedConnection.open(configuration, loop: loop), loop: loop, requests: requests,
            statementCapacity: 0,
            statementTimeout: configuration.statementTimeout
        ) { [weak self] notice in
            self?.deliver(notice)
        }
        state.withLock { state in for index in state.readers.indices { state.readers[index].isListening = false } }
        driver.onLoss { [weak self] in
            loss.resolve()
            self?.announceChange()
        }
        defer { driver.end(.closed) }
        var current: Set<String> = []
        while driver.isUsable, !Task.isCancelled {
            let change = state.withLock { $0.change }
            let wanted = channels
            if wanted.isEmpty { return }
            for channel in wanted.subtracting(current) {
                _ = try await driver.run([PostgresStatement(text: "LISTEN \(Self.quoted(channel))")])
            }
            for channel in current.subtracting(wanted) {
                _ = try await driver.run([PostgresStatement(text: "UNLISTEN \(Self.quoted(channel))")])
            }
            current = wanted
            established()
            announceBreaks(in: current)
            // A change since the look at the channels has resolved it already.
            try await change.value()
        }
        throw PostgresError(code: .connection, message: "The connection for notifications was lost; it is made anew.")
    }

    private func deliver(_ notice: PostgresNotice) {
        for subscription in subscriptions(to: notice.channel) { subscription.add(notice.payload) }
    }

    private func announceBreaks(in channels: Set<String>) {
        let fresh = withReaders { state, subscriptions in
            subscriptions.enumerated().compactMap { index, subscription -> NotificationSubscription? in
                guard !state.readers[index].isListening, channels.contains(subscription.channel) else { return nil }
                state.readers[index].isListening = true
                return subscription
            }
        }
        for subscription in fresh { subscription.addBreak() }
    }

    private func subscriptions(to channel: String) -> [NotificationSubscription] {
        withReaders { _, subscriptions in subscriptions }.filter { $0.channel == channel }
    }

    private func refuse(_ error: PostgresError) {
        let readers = state.withLock { state in
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.subscription?.finish(error) }
    }

    static func quoted(_ channel: String) -> String {
        "\"" + channel.replacing("\"", with: "\"\"") + "\""
    }
}
