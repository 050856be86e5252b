// SPDX-License-Identifier: MIT

public import Domain
public import Networking

/// The way to a model's server, by the kernel's view of the network and the circuit breaker of its requests.
///
/// The network counts only for a server whose name must be resolved elsewhere: the kernel refuses an address without a
/// route at once, and this machine itself needs none. A network that cannot be observed counts as present.
public struct ServerConnectivity: Connectivity {
    /// The states of the network, from the present one on.
    public typealias Network = any AsyncSequence<NetworkState, any Error> & Sendable

    private let network: Network?
    private let pause: @Sendable () -> Duration?
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - host: The server's host.
    ///   - network: The states of the network; nil for a server that is reached by a proxy, which may be anywhere.
    ///   - pause: The time for which the circuit breaker fails each request; nil for none.
    public init(
        host: String, network: Network? = Reachability(), clock: any Clock<Duration> = ContinuousClock(),
        pause: @escaping @Sendable () -> Duration? = { nil }
    ) {
        self.network = Self.isResolvedElsewhere(host.lowercased()) ? network : nil
        (self.pause, self.clock) = (pause, clock)
    }

    /// See `Connectivity`.
    public func obstacle() async -> ConnectivityObstacle? {
        if let network, await Self.isCutOff(network) { return .noNetwork }
        return pause().map { .failing(for: $0) }
    }

    /// See `Connectivity`.
    public func untilBack() async throws {
        while let obstacle = await obstacle() {
            try Task.checkCancellation()
            switch obstacle {
            case .failing(let wait): try await clock.sleep(for: wait)
            case .noNetwork:
                // A network that can no longer be observed counts as present.
                guard let network, await Self.isRestored(network) else { return try Task.checkCancellation() }
            }
        }
    }

    private static func isCutOff(_ network: Network) async -> Bool {
        do { for try await state in network { return !state.isReachable } } catch {}
        return false
    }

    /// Waits for a network; false if it cannot be observed, or the task is cancelled.
    private static func isRestored(_ network: Network) async -> Bool {
        do { for try await state in network where state.isReachable { return true } } catch {}
        return false
    }

    /// True for a name that a server outside of this machine and its own network resolves.
    private static func isResolvedElsewhere(_ host: String) -> Bool {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host.contains(".") && ![".localhost", ".local"].contains { host.hasSuffix($0) }
    }
}

extension DomainError {
    /// The error of a question that is not sent, since it would be in vain.
    init(_ obstacle: ConnectivityObstacle) {
        switch obstacle {
        case .noNetwork: self = .server("The model's server cannot be reached: this machine has no network.")
        case .failing(let wait):
            self = .server(
                "The model's server has failed several times of late. It is tried again in "
                    + "\(max(1, wait.components.seconds)) s.")
        }
    }
}
