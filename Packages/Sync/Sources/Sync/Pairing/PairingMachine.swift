// SPDX-License-Identifier: MIT

/// One side of a pairing: events in, actions out. ``PairingDriver`` does what takes time.
protocol PairingMachine: Sendable {
    associatedtype Success: Sendable
    /// The end of the pairing; nil until then. What was to be written before it is still written.
    var result: Result<Success, SyncError>? { get }
    /// The messages to look for now.
    var awaited: [PairingStep] { get }
    /// The messages that this side removes once it is over.
    var removable: [PairingStep] { get }
    mutating func handle(_ event: PairingEvent) -> [PairingAction]
}

enum PairingEvent: Sendable {
    case started
    /// The time since the start, whenever it is looked at.
    case elapsed(Duration)
    /// A sealed message of the other side. It may come again.
    case read(PairingStep, [UInt8])
    /// The place has another sealed message under the name of one that this side wanted to write.
    case taken(PairingStep, [UInt8])
    case done(PairingReply)
}

enum PairingAction: Sendable, Hashable {
    case write(PairingStep, [UInt8])
    case work(PairingWork)
}

/// Something for the person or the replica. The answer is a ``PairingReply``.
enum PairingWork: Sendable, Hashable {
    case ask(PairingQuestion)
    case admit(PublicKeys, name: String)
    case join(group: Hash, founding: [UInt8])
}

enum PairingReply: Sendable, Hashable {
    case agreed(Bool)
    case admitted(Hash)
    case joined
}

/// The times of a pairing.
public struct PairingTimes: Sendable, Hashable {
    /// The time after which a code is worth nothing.
    public let lifetime: Duration
    /// The time for which a new device looks for the other one.
    public let patience: Duration
    /// The time between two looks at the place, for places that do not tell of changes.
    public let interval: Duration

    /// Ten minutes, two minutes, two seconds.
    public static let standard = PairingTimes()

    /// Times.
    public init(
        lifetime: Duration = .seconds(600), patience: Duration = .seconds(120), interval: Duration = .seconds(2)
    ) {
        (self.lifetime, self.patience, self.interval) = (lifetime, patience, interval)
    }
}

/// The question to the person at each device: are these words the same on the other one?
public struct PairingQuestion: Sendable, Hashable {
    /// Six words, 66 bits.
    public let words: [String]
    /// The other device.
    public let device: DeviceID
    /// The name that the other device gives itself, fit for a terminal.
    public let name: String
}

extension SyncError.Code {
    /// A person said that the words do not agree.
    public static let declined = SyncError.Code(rawValue: "declined")
    /// A pairing was not finished in time.
    public static let expired = SyncError.Code(rawValue: "expired")
}

extension SyncError {
    static func pairing(_ code: Code, _ message: String) -> SyncError { SyncError(code: code, message: message) }

    /// A message that the other side cannot have sent, unless it or the place is up to no good.
    static func unfitting(_ error: SyncError) -> SyncError {
        guard error.code == .invalid else { return error }
        return SyncError(
            code: .invalid,
            message: "A message of the other device does not fit: the place was tampered with, or two devices use one "
                + "code. Nothing was added. Start again with a new code.", underlying: error)
    }
}
