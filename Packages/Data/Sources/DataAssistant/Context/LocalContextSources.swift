// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// The time on this machine's clock.
public struct ClockContextSource: ContextSource {
    private let now: @Sendable () -> Date
    private let offset: ZoneSeconds

    /// - Parameter now: The wall clock.
    public init(now: @escaping @Sendable () -> Date = { Date() }, offset: @escaping ZoneSeconds) {
        (self.now, self.offset) = (now, offset)
    }

    /// See `ContextSource`.
    public var part: ContextPart { .time }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading {
        let time = CalendarTime(now(), in: .local(offset))
        return .time(LocalTime(minute: time.second / 60, weekday: CalendarTime.weekday(of: time.day)))
    }
}

/// The last questions of the stored conversations.
public struct HistoryContextSource: ContextSource {
    private let messages: @Sendable () async throws -> [Message]

    /// - Parameter messages: The last messages, the last one at the end.
    public init(messages: @escaping @Sendable () async throws -> [Message]) { self.messages = messages }

    /// See `ContextSource`.
    public var part: ContextPart { .history }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading {
        let questions = try await messages().filter { $0.role == .user }.map(\.text)
        return .history(Array(questions.suffix(ContextReading.commandLimit).reversed()))
    }
}
