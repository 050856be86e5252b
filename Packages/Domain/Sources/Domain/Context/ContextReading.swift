// SPDX-License-Identifier: MIT

/// A part of a person's situation that one source reads. Each is off until the person allows it.
public enum ContextPart: String, Sendable, Hashable, CaseIterable {
    /// The time of day and the day of the week.
    case time
    /// The last questions.
    case history
    /// The next entries of the person's calendars.
    case events
    /// The machine and its battery.
    case device
    /// The person's activity at this machine.
    case activity
    /// The place, about 10 km exact.
    case location
}

/// The value of one part of a person's situation.
public enum ContextReading: Sendable, Hashable {
    case time(LocalTime)
    /// The last questions, the last one first.
    case history([String])
    case events(UpcomingEvents)
    case device(DeviceInfo)
    case activity(ActivityLevel)
    case location(CoarseLocation)

    /// The most questions of ``history(_:)``.
    public static let commandLimit = 5

    /// The part that it is a value of.
    public var part: ContextPart {
        switch self {
        case .time: .time
        case .history: .history
        case .events: .events
        case .device: .device
        case .activity: .activity
        case .location: .location
        }
    }

    /// The line that says it to a model, and to the person who wants to see that: without line feeds, at most 1,000
    /// characters.
    public var line: String {
        let text =
            switch self {
            case .time(let time): "Time: \(time.words)"
            case .history(let commands):
                "Last questions: "
                    + (commands.isEmpty
                        ? "none"
                        : commands.prefix(Self.commandLimit).map { "“\(Self.short($0))”" }.joined(separator: "; "))
            case .events(let upcoming):
                "Next calendar entries: "
                    + (upcoming.events.isEmpty
                        ? "none within a day"
                        : upcoming.events.prefix(UpcomingEvents.limit).map(\.words).joined(separator: "; "))
            case .device(let device): "Device: \(device.words)"
            case .activity(let level): "At the device: \(level.words)"
            case .location(let place): "Place, 10 km exact: \(place.words)"
            }
        return String(text.prefix(1_000))
    }

    /// One line of at most 120 characters: what a person or a calendar wrote must not look like a part of its own.
    static func short(_ text: String) -> String {
        let line = text.split { $0.isNewline || $0.isWhitespace || $0.asciiValue.map { $0 < 32 || $0 == 127 } == true }
        return String(line.joined(separator: " ").prefix(120))
    }
}

/// A time on the clock of the place where the person is.
public struct LocalTime: Sendable, Hashable {
    /// A stretch of the day.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// From 5 o'clock.
        case morning
        /// From 12 o'clock.
        case afternoon
        /// From 17 o'clock.
        case evening
        /// From 22 o'clock.
        case night
    }

    /// The minutes since midnight, from 0 to 1,439.
    public let minute: Int
    /// The day of the week (ISO 8601): 1 is Monday, 7 is Sunday.
    public let weekday: Int

    /// A time; what is out of range wraps around.
    public init(minute: Int, weekday: Int) {
        self.minute = ((minute % 1_440) + 1_440) % 1_440
        self.weekday = (((weekday - 1) % 7) + 7) % 7 + 1
    }

    /// The stretch of the day.
    public var part: Part {
        switch minute / 60 {
        case 5..<12: .morning
        case 12..<17: .afternoon
        case 17..<22: .evening
        default: .night
        }
    }

    var words: String {
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest), \(days[weekday - 1]) \(part.rawValue)"
    }
}

/// The next entries of the person's calendars, the next one first.
public struct UpcomingEvents: Sendable, Hashable {
    /// An entry.
    public struct Event: Sendable, Hashable {
        /// Its title.
        public let title: String
        /// The minutes until it begins; below 0 for one that has begun.
        public let startsIn: Int

        /// An entry.
        public init(title: String, startsIn: Int) { (self.title, self.startsIn) = (title, startsIn) }

        var words: String {
            let title = ContextReading.short(title)
            guard startsIn > 0 else { return "“\(title)”, now" }
            let (hours, minutes) = startsIn.quotientAndRemainder(dividingBy: 60)
            return "“\(title)”, in " + (hours > 0 ? "\(hours) h " : "") + "\(minutes) min"
        }
    }

    /// The most entries.
    public static let limit = 5

    /// At most ``limit`` entries.
    public let events: [Event]
    /// The reasons why entries may be missing, each a sentence for the person; none is sent to a model.
    public let gaps: [String]

    /// Entries; the first ``limit`` by their beginnings stay.
    public init(_ events: [Event], gaps: [String] = []) {
        self.events = Array(events.sorted { ($0.startsIn, $0.title) < ($1.startsIn, $1.title) }.prefix(Self.limit))
        self.gaps = gaps
    }
}

/// The machine, its system and its battery.
public struct DeviceInfo: Sendable, Hashable {
    /// A battery.
    public struct Battery: Sendable, Hashable {
        /// A battery's state.
        public enum State: String, Sendable, Hashable, CaseIterable {
            case charging, discharging, empty, full, unknown
        }

        /// The charge, from 0 to 1.
        public let level: Double
        /// The state.
        public let state: State

        /// True while nothing charges it.
        public var isEmptied: Bool { state == .discharging || state == .empty }

        /// A battery; a level out of range is clamped.
        public init(level: Double, state: State) {
            self.level = level.isFinite ? min(1, max(0, level)) : 0
            self.state = state
        }
    }

    /// The model of the machine, such as "ThinkPad X1"; nil if it tells none.
    public let model: String?
    /// The system with its version, such as "Debian GNU/Linux 12 (bookworm)"; nil if it tells none.
    public let system: String?
    /// The battery; nil for a machine without one.
    public let battery: Battery?

    /// A machine.
    public init(model: String?, system: String?, battery: Battery?) {
        (self.model, self.system, self.battery) = (model, system, battery)
    }

    var words: String {
        let battery = battery.map { "battery \(Int(($0.level * 100).rounded()))%, \($0.state.rawValue)" }
        let parts = [model, system].compactMap { $0.map(ContextReading.short) } + [battery ?? "no battery"]
        return parts.joined(separator: "; ")
    }
}

/// The person's activity at this machine.
public enum ActivityLevel: String, Sendable, Hashable, CaseIterable {
    /// There was input lately.
    case active
    /// No input for some minutes.
    case idle
    /// No input for an hour or longer.
    case away

    var words: String {
        switch self {
        case .active: "active"
        case .idle: "idle for some minutes"
        case .away: "away for an hour or longer"
        }
    }
}

/// A place, rounded to a tenth of a degree: about 10 km.
public struct CoarseLocation: Sendable, Hashable {
    /// Tenths of degrees north of the equator, from -900 to 900.
    public let latitudeTenths: Int
    /// Tenths of degrees east of Greenwich, from -1,800 to 1,800.
    public let longitudeTenths: Int

    /// Rounds a place in degrees (WGS 84); nil for degrees out of range.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        latitudeTenths = Int((latitude * 10).rounded())
        longitudeTenths = Int((longitude * 10).rounded())
    }

    var words: String { "latitude \(Self.degrees(latitudeTenths)), longitude \(Self.degrees(longitudeTenths))" }

    private static func degrees(_ tenths: Int) -> String { "\(Double(tenths) / 10)°" }
}
