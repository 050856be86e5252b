// SPDX-License-Identifier: MIT

import AuthServer

/// The figures of `/metrics` that are sums over all accounts. They are taken at most once a minute, however many ask.
actor OperatorTotals {
    /// The sums at one time.
    struct Figures: Sendable {
        let evaluations: [String: Int]
        let recordingBytes: Int
        let objects: Int
        let objectBytes: Int
    }

    /// The age up to which figures are given again.
    static let lifetime: Duration = .seconds(60)

    private let clock: AuthClock
    private let take: @Sendable () async throws -> Figures
    private var taken: (figures: Figures, at: AuthTime)?
    private var taking: Task<Figures, any Error>?

    /// - Parameters:
    ///   - clock: A monotonic clock.
    ///   - take: Reads the figures.
    init(clock: AuthClock, take: @escaping @Sendable () async throws -> Figures) {
        (self.clock, self.take) = (clock, take)
    }

    /// The figures with their age in whole seconds. Callers at the same time wait for one reading.
    func current() async throws -> (figures: Figures, age: Int) {
        let now = clock.now()
        if let taken, now - taken.at < Self.lifetime {
            return (taken.figures, Int((now - taken.at).components.seconds))
        }
        let reading = taking ?? Task { [take] in try await take() }
        taking = reading
        defer { taking = nil }
        let figures = try await reading.value
        taken = (figures, now)
        return (figures, 0)
    }
}
