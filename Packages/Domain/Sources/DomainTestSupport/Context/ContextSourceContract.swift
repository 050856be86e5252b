// SPDX-License-Identifier: MIT

public import Domain

/// A source under test.
public struct ContextSourceSubject: Sendable {
    let source: any ContextSource
    let failing: Failing<any ContextSource>

    /// - Parameter failing: Sources that fail, by the codes of their errors.
    public init(_ source: any ContextSource, failing: Failing<any ContextSource>) {
        (self.source, self.failing) = (source, failing)
    }
}

/// The promises of every `ContextSource`.
public enum ContextSourceContract {
    /// Every promise.
    public static let checks: [ContractCheck<ContextSourceSubject>] = [
        .init("a reading is of the source's part") { subject in
            let reading = try await subject.source.read()
            try require(reading.part == subject.source.part, "\(reading) is of another part")
        },
        .init("a reading is one short line, without control characters") { subject in
            let line = try await subject.source.read().line
            try require(line.count <= 1_000, "\(line.count) characters")
            let isClean = line.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
            try require(isClean, "not a line: \(line)")
        },
        .init("readings at the same time are all there") { subject in
            try await concurrently(8) { _ in
                let reading = try await subject.source.read()
                try require(reading.part == subject.source.part, "\(reading)")
            }
        },
        .init("a failure is a documented error") { subject in
            try await requireErrors(of: subject.failing, documented: ["device", "file", "storage"]) { source in
                _ = try await source.read()
            }
        },
    ]
}

/// A source with a given reading or failure.
public struct ScriptedContextSource: ContextSource {
    /// See `ContextSource`.
    public let part: ContextPart
    private let result: Result<ContextReading, DomainError>

    /// A source with that reading.
    public init(_ reading: ContextReading) { (part, result) = (reading.part, .success(reading)) }

    /// A source that fails.
    public init(_ part: ContextPart, failure: DomainError) { (self.part, result) = (part, .failure(failure)) }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading { try result.get() }
}
