// SPDX-License-Identifier: MIT

public import Domain
import Synchronization
import TestKit

/// A way to a server, and the hands that cut and restore it.
public struct ConnectivitySubject: Sendable {
    let connectivity: any Connectivity
    let cut: @Sendable () async throws -> Void
    let restore: @Sendable () async throws -> Void

    /// A subject without an obstacle.
    ///
    /// - Parameters:
    ///   - cut: Brings an obstacle about.
    ///   - restore: Takes it away; may be called only while tasks wait.
    public init(
        _ connectivity: any Connectivity, cut: @escaping @Sendable () async throws -> Void,
        restore: @escaping @Sendable () async throws -> Void
    ) {
        (self.connectivity, self.cut, self.restore) = (connectivity, cut, restore)
    }
}

/// The contract of `Connectivity`.
public enum ConnectivityContract {
    /// Every promise.
    public static let checks: [ContractCheck<ConnectivitySubject>] = [
        .init("a server that can be tried has no obstacle, and nobody waits for it") { subject in
            try await require(subject.connectivity.obstacle() == nil, "an obstacle on a free way")
            try await subject.connectivity.untilBack()
        },
        .init("an obstacle lasts until it is taken away, and then all waits end") { subject in
            try await subject.cut()
            try await require(subject.connectivity.obstacle() != nil, "no obstacle on a way that was cut")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await subject.connectivity.untilBack() } }
                try await subject.restore()
                try await group.waitForAll()
            }
            try await require(subject.connectivity.obstacle() == nil, "an obstacle on a restored way")
        },
        .init("it can be cut again") { subject in
            for _ in 0..<3 {
                try await subject.cut()
                try await require(subject.connectivity.obstacle() != nil, "no obstacle on a way that was cut")
                async let back: Void = subject.connectivity.untilBack()
                try await subject.restore()
                try await back
            }
        },
        .init("a cancelled wait throws CancellationError") { subject in
            try await subject.cut()
            try await requireCancelled { try await subject.connectivity.untilBack() }
        },
    ]
}

/// A `Connectivity` whose obstacle a test sets.
public final class ScriptedConnectivity: Connectivity {
    private struct State {
        var obstacle: ConnectivityObstacle?
        var waits: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// A free way.
    public init() {}

    /// Sets the obstacle, or takes it away.
    public func set(_ obstacle: ConnectivityObstacle?) {
        let ended = state.withLock { state in
            state.obstacle = obstacle
            guard obstacle == nil else { return [AsyncStream<Void>.Continuation]() }
            defer { state.waits = [] }
            return state.waits
        }
        for wait in ended { wait.finish() }
    }

    /// See `Connectivity`.
    public func obstacle() async -> ConnectivityObstacle? { state.withLock { $0.obstacle } }

    /// See `Connectivity`.
    public func untilBack() async throws {
        let (stream, wait) = AsyncStream.makeStream(of: Void.self)
        let isFree = state.withLock { state in
            if state.obstacle != nil { state.waits.append(wait) }
            return state.obstacle == nil
        }
        if isFree { return }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
