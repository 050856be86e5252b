// SPDX-License-Identifier: MIT

/// Reads all sources at once. One that fails, or is not ready in time, costs its own part, and nothing else.
public struct GatherContext: Sendable {
    /// The readings and the failures.
    public struct Outcome: Sendable {
        /// The situation.
        public let context: UserContext
        /// The parts that could not be read.
        public let failures: [ContextPart: DomainError]
    }

    private let sources: [any ContextSource]
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - sources: A source for each part that the person allows.
    ///   - deadline: The longest wait for all of them together.
    ///   - clock: Measures it.
    public init(
        _ sources: [any ContextSource], deadline: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.sources, self.deadline, self.clock) = (sources, deadline, clock)
    }

    /// Reads them. A source that does not heed its cancellation is left behind at the deadline.
    public func callAsFunction() async -> Outcome {
        let (results, feed) = AsyncStream.makeStream(of: (ContextPart, Result<ContextReading, any Error>).self)
        // Not in the caller's own group, which would wait for a source that blocks its thread.
        let reading = Task { [sources, clock, deadline] in
            await withTaskGroup { group in
                for source in sources {
                    group.addTask {
                        do { feed.yield((source.part, .success(try await source.read()))) } catch {
                            feed.yield((source.part, .failure(error)))
                        }
                    }
                }
                group.addTask { if (try? await clock.sleep(for: deadline)) != nil { feed.finish() } }
            }
        }
        feed.onTermination = { _ in reading.cancel() }
        var readings: [ContextReading] = []
        var failures: [ContextPart: DomainError] = [:]
        var missing = sources.map(\.part)
        if !missing.isEmpty {
            for await (part, result) in results {
                missing.removeAll { $0 == part }
                switch result {
                case .success(let reading): readings.append(reading)
                case .failure(let error as DomainError): failures[part] = error
                case .failure: break
                }
                if missing.isEmpty { break }
            }
        }
        feed.finish()
        if !Task.isCancelled {
            for part in missing { failures[part] = .device("It was not read in time. Try it again.") }
        }
        return Outcome(context: UserContext(readings), failures: failures)
    }
}
