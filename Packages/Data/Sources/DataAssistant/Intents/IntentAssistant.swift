// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
public import FoundationEssentials
import LocalIntents

/// Carries out the intents: time, date, calculations, units, spelling, help, what was said before, with a loudspeaker
/// volume and speed, and with an `AlarmClock` timers and alarms.
public struct IntentAssistant: Assistant {
    private final class LazyReader: Sendable {
        private let made = Guarded<IntentReader?>(nil)

        func read(_ text: String) -> IntentReading? {
            let reader = made.withLock { made in
                let reader = made ?? IntentReader()
                made = reader
                return reader
            }
            return reader.read(text)
        }
    }

    private let zones: any TimeZones
    private let voice: VoiceIntents
    private let alarms: AlarmClock?
    private let now: @Sendable () -> Date
    private let reader = LazyReader()

    /// Costs nothing: the reader of intents is made at the first question.
    ///
    /// - Parameters:
    ///   - volume: The loudspeaker's; nil refuses what is about it.
    ///   - rate: The speed of the voice; nil refuses what is about it.
    ///   - alarms: Sets timers and alarms; nil refuses what is about them.
    ///   - now: The wall clock.
    public init(
        zones: any TimeZones, volume: (any VolumeControl)? = nil, rate: (any SpeakingRate)? = nil,
        alarms: AlarmClock? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.zones = zones
        self.alarms = alarms
        voice = VoiceIntents(volume: volume, rate: rate)
        self.now = now
    }

    /// See `Assistant`; nothing is reported. A place without a known zone or a division by zero is answered in words.
    public func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        guard let reading = reader.read(question.text) ?? choice(in: question) else { throw DomainError.invalidQuery }
        let text: String
        do {
            if reading.requiresKnownPlace, case .time(let place?) = reading.intent {
                guard try await !zones.zones(of: place).isEmpty else { throw DomainError.invalidQuery }
            }
            text = try await self.text(for: reading.intent, question)
        } catch DomainError.file(let reason), DomainError.device(let reason), DomainError.storage(let reason) {
            throw DomainError.generationFailed(reason)
        } catch DomainError.notFound(let zone) {
            throw DomainError.generationFailed("The time zone \(zone) is missing. Install the package tzdata again.")
        }
        return AssistantAnswer(text: text, source: .intent(reading.kind.rawValue), confidence: reading.confidence)
    }

    /// See `Assistant`: the answers of intents that only tell something.
    public func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? {
        guard let intent = reader.read(question.text)?.intent, intent.onlyTells else { return nil }
        return try? await answer(question) { _ in }
    }

    /// The order that a name is after a question which timer or alarm to cancel: "the pasta timer".
    private func choice(in question: AssistantQuestion) -> IntentReading? {
        guard Self.lastAnswer(before: question)?.hasPrefix(AlarmWords.whichOne) == true,
            let reading = reader.read("cancel \(question.text)"), [.cancelTimer, .cancelAlarm].contains(reading.kind)
        else { return nil }
        return reading
    }

    private static func lastAnswer(before question: AssistantQuestion) -> String? {
        question.earlier.last { $0.role == .assistant && !$0.text.isEmpty }?.text
    }

    private func text(for intent: LocalIntent, _ question: AssistantQuestion) async throws -> String {
        switch intent {
        case .time(let place): return try await time(in: place)
        case .date(let day, let place): return try await date(day, in: place)
        case .daysUntil(let day):
            let today = try await localTime().date
            return day.resolved(on: today).map { IntentWords.daysUntil($0, from: today) } ?? IntentWords.noSuchDay
        case .calculate(let calculation):
            do { return try IntentWords.result(of: calculation, calculation.result()) } catch {
                return IntentWords.noResult(error)
            }
        case .convert(let quantity, to: let unit): return IntentWords.conversion(of: quantity, to: unit)
        case .spell(let word): return IntentWords.spelling(of: word)
        case .help: return IntentWords.help(hasLoudspeaker: voice.volume != nil, setsTimers: alarms != nil)
        case .lastQuestion: return IntentWords.lastQuestion(question.earlierQuestions.first { _ in true })
        case .repeatAnswer:
            return Self.lastAnswer(before: question) ?? IntentWords.nothingSaid
        case .stop:
            _ = try await alarms?.silence()
            return IntentWords.stopped
        case .raiseVolume, .lowerVolume, .setVolume, .tellVolume, .mute, .unmute, .speakSlower, .speakFaster:
            guard let text = try await voice.answer(to: intent) else { throw DomainError.invalidQuery }
            return text
        case .setTimer, .timeLeft, .listTimers, .cancelTimer, .setAlarm, .listAlarms, .cancelAlarm:
            guard let alarms else { throw DomainError.invalidQuery }
            return try await TimerIntents(
                clock: alarms, zones: zones, lastAnswer: Self.lastAnswer(before: question),
                read: { [reader] in reader.read($0)?.intent }, now: now
            ).text(for: intent)
        }
    }

    private func localTime(in zone: String? = nil) async throws -> WallTime {
        let now = now()
        return try await WallTime(now, zones.offset(in: zone, at: now))
    }

    private func time(in place: String?) async throws -> String {
        let here = try await localTime()
        guard let place else { return IntentWords.time(here) }
        return try await elsewhere(place) { IntentWords.time($0, day: $0.date == here.date ? nil : $0.date) }
    }

    private func date(_ day: DateReference, in place: String?) async throws -> String {
        guard let place else {
            let today = try await localTime().date
            return day.resolved(on: today).map { IntentWords.date($0, meant: day, today: today) }
                ?? IntentWords.noSuchDay
        }
        return try await elsewhere(place) { time in
            day.resolved(on: time.date).map { IntentWords.date($0) } ?? IntentWords.noSuchDay
        }
    }

    /// A sentence about one place, or about each zone of it in which the clocks differ.
    private func elsewhere(_ place: String, _ words: (WallTime) -> String) async throws -> String {
        var found: [(place: ZonedPlace, time: WallTime)] = []
        for zoned in try await zones.zones(of: place) {
            let time = try await localTime(in: zoned.zone)
            if !found.contains(where: { $0.time.seconds == time.seconds }) { found.append((zoned, time)) }
        }
        if found.isEmpty { return IntentWords.unknownPlace(place) }
        if found.count == 1 { return IntentWords.sentence("\(words(found[0].time)) in", place) }
        return IntentWords.several(place, found.map { ($0.place.name, words($0.time)) })
    }
}

extension LocalIntent {
    /// True if the answer changes nothing, and looks neither at a device nor at what is stored.
    fileprivate var onlyTells: Bool {
        switch self {
        case .time, .date, .daysUntil, .calculate, .convert, .spell, .help, .lastQuestion, .repeatAnswer: true
        case .stop, .raiseVolume, .lowerVolume, .setVolume, .tellVolume, .mute, .unmute, .speakSlower, .speakFaster,
            .setTimer, .timeLeft, .listTimers, .cancelTimer, .setAlarm, .listAlarms, .cancelAlarm:
            false
        }
    }
}

/// A date and a time of day on a clock.
struct WallTime: Hashable {
    /// Seconds since 1970 of the clock on the wall.
    let seconds: Int
    let date: CalendarDate
    var hour: Int { ((seconds % 86400) + 86400) % 86400 / 3600 }
    var minute: Int { ((seconds % 3600) + 3600) % 3600 / 60 }

    /// A time outside of the years 0 to 9999 is the first of 1970.
    init(_ time: Date, _ offset: ZoneOffset) {
        let whole = Int(exactly: time.timeIntervalSince1970.rounded(.down)) ?? 0
        let (sum, overflow) = whole.addingReportingOverflow(offset.seconds)
        let day = CalendarDate(dayNumber: Int((Double(sum) / 86400).rounded(.down)))
        seconds = overflow || day == nil ? 0 : sum
        date = day ?? .epoch
    }
}
