// SPDX-License-Identifier: MIT

/// An engine elsewhere that hears or speaks for a person, under a name of the person's. It has no key in it, only the
/// name of the secret that is one.
public struct SpeechEngine: Sendable, Hashable {
    /// The protocol of an engine.
    public enum Kind: String, Sendable, CaseIterable {
        /// OpenAI's: OpenAI, speaches, LocalAI.
        case openai
        /// The server of whisper.cpp.
        case whispercpp
        /// Wyoming: faster-whisper, piper, Home Assistant.
        case wyoming
        /// ElevenLabs.
        case elevenlabs

        /// The purposes that the protocol has.
        public var purposes: Set<Purpose> {
            switch self {
            case .openai, .wyoming: [.recognition, .synthesis]
            case .whispercpp: [.recognition]
            case .elevenlabs: [.synthesis]
            }
        }
    }

    /// A use of an engine.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Speech into words.
        case recognition
        /// Words into speech.
        case synthesis
    }

    /// The name in place of an engine's that stands for the engines of this machine.
    public static let local = "local"

    /// The name.
    public let name: String
    /// The protocol.
    public let kind: Kind
    /// The address: a URL, or `tcp://HOST:PORT` for Wyoming.
    public var address: String
    /// The model that recognises; nil for the protocol's usual one, or the server's.
    public var recognitionModel: String?
    /// The model that speaks; nil for the protocol's usual one, or the server's.
    public var synthesisModel: String?
    /// The voice's id; nil for the protocol's usual one, or the server's. ElevenLabs has no usual one.
    public var voice: String?
    /// The language of the speech, such as "en"; nil lets the engine find it.
    public var language: String?
    /// The evenness of the voice, 0 to 1, at ElevenLabs; nil for the voice's own.
    public var stability: Double?
    /// The closeness to the original voice, 0 to 1, at ElevenLabs; nil for the voice's own.
    public var similarity: Double?
    /// True to ask OpenAI's protocol for the words as they are found; other protocols do so by themselves.
    public var streams = false
    /// The name of the secret that is the key; nil for an engine that wants none.
    public var secret: String?
    /// True if the person has allowed an address at which anybody on the way can listen.
    public var allowsPlainText = false
    /// The rate of the voice's sound in hertz, as measured; nil for the protocol's usual one.
    public var sampleRate: Int?
    /// The time within which the engine must begin before this machine does its work, as measured; nil for the usual
    /// one.
    public var patience: [Purpose: Duration] = [:]

    /// An engine with the usual options.
    public init(name: String, kind: Kind, address: String) {
        self.name = name
        self.kind = kind
        self.address = address
    }

    /// True for a name that an engine may have: 1 to 64 letters, digits, `_` and `-` of ASCII, and not ``local``.
    public static func accepts(name: String) -> Bool {
        name != local && (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The patience with an engine that took this long to begin: twice as long, from 0.9 s, within which nobody notices
    /// that this machine took over, to 10 s, for which hardly anybody waits.
    public static func patience(afterLatency latency: Duration) -> Duration {
        min(.seconds(10), max(.milliseconds(900), latency * 2))
    }
}

/// The engines elsewhere that a person has configured, and those in use.
public struct SpeechEngineList: Sendable, Hashable {
    /// The engines, by name in the order of their UTF-8.
    public private(set) var engines: [SpeechEngine]
    /// The names of the engines in use; an engine of this machine works for a purpose that is missing.
    public private(set) var used: [SpeechEngine.Purpose: String]

    /// A list; a name in use that no engine has, or whose engine lacks the purpose, is left out.
    public init(_ engines: [SpeechEngine] = [], used: [SpeechEngine.Purpose: String] = [:]) {
        self.engines = engines.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.used = used.filter { purpose, name in
            engines.contains { $0.name == name && $0.kind.purposes.contains(purpose) }
        }
    }

    /// The engine of that name.
    public func engine(named name: String) -> SpeechEngine? { engines.first { $0.name == name } }

    /// The engine in use for a purpose; nil for this machine's.
    public func engine(for purpose: SpeechEngine.Purpose) -> SpeechEngine? {
        used[purpose].flatMap(engine(named:))
    }
}

/// The configured speech engines, which all programs of a person share. Every implementation passes
/// `SpeechEngineRepositoryContract` in `DomainTestSupport`.
///
/// Each call is one transaction, and is durable when it returns.
public protocol SpeechEngineRepository: Sendable {
    /// Every engine, and those in use.
    ///
    /// - Throws: ``DomainError/storage(_:)``, as all calls.
    func list() async throws -> SpeechEngineList

    /// Adds an engine, which is not used yet.
    ///
    /// - Throws: ``DomainError/invalidInput(_:)`` for a name that is taken, or that ``SpeechEngine/accepts(name:)``
    ///   refuses.
    func add(_ engine: SpeechEngine) async throws

    /// Stores other options of an engine.
    ///
    /// - Throws: ``DomainError/notFound(_:)``.
    func update(_ engine: SpeechEngine) async throws

    /// Removes an engine. This machine's engines work in its place.
    ///
    /// - Returns: The purposes that it was in use for.
    /// - Throws: ``DomainError/notFound(_:)``.
    @discardableResult
    func remove(_ name: String) async throws -> Set<SpeechEngine.Purpose>

    /// Uses an engine for purposes from now on.
    ///
    /// - Parameter name: The engine; ``SpeechEngine/local`` for those of this machine.
    /// - Throws: ``DomainError/notFound(_:)``; ``DomainError/invalidInput(_:)`` if its protocol lacks a purpose.
    func use(_ name: String, for purposes: Set<SpeechEngine.Purpose>) async throws
}

extension SpeechEngineRepository {
    /// The error for a name that no engine has.
    public static func missing(_ name: String) -> DomainError { .notFound("speech engine \(name)") }

    /// Refuses an engine that cannot be added to others.
    public static func check(_ engine: SpeechEngine, against others: SpeechEngineList) throws(DomainError) {
        guard SpeechEngine.accepts(name: engine.name) else {
            throw .invalidInput("The name of a speech engine has letters, digits, _ and -, and is not local.")
        }
        guard others.engine(named: engine.name) == nil else {
            throw .invalidInput(
                "There is a speech engine \(engine.name) already. Remove it first: parley speech remove \(engine.name)."
            )
        }
    }

    /// Refuses a use that the engine's protocol lacks.
    public static func check(_ engine: SpeechEngine, for purposes: Set<SpeechEngine.Purpose>) throws(DomainError) {
        guard let missing = purposes.subtracting(engine.kind.purposes).first else { return }
        throw .invalidInput(
            "\(engine.name) speaks the protocol \(engine.kind.rawValue), which has no \(missing.rawValue). Name what it "
                + "can with --for.")
    }
}
