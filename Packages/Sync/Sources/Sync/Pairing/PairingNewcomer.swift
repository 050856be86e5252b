// SPDX-License-Identifier: MIT

/// The group that this device joined.
struct PairedGroup: Sendable, Hashable {
    let group: Hash
    /// The device that added this one.
    let sponsor: DeviceID
    let name: String
    /// The record that added this device.
    let record: Hash
}

/// The side of the new device. Run again with the same code and keys, it goes on where it was cut off.
struct PairingNewcomer: PairingMachine {
    private enum Stage { case searching, answered, asking, waiting, joining, over }

    private let keys: SecretKeys
    private let name: String
    private let seal: PairingSeal
    private let times: PairingTimes
    private let random: [UInt8]
    private var stage = Stage.searching
    private var offer: (value: PairingOffer, bytes: [UInt8])?
    private var answer: PairingAnswer?
    private var digest: Hash?
    private var record: Hash?
    private(set) var result: Result<PairedGroup, SyncError>?
    private(set) var removable: [PairingStep] = []

    init(_ keys: SecretKeys, name: String, seal: PairingSeal, times: PairingTimes, random: [UInt8]) {
        (self.keys, self.name, self.seal, self.times, self.random) = (keys, name, seal, times, random)
    }

    var awaited: [PairingStep] {
        switch stage {
        case .searching: [.offer]
        case .answered: [.opening]
        case .asking, .waiting: record == nil ? [.admission] : []
        case .joining, .over: []
        }
    }

    mutating func handle(_ event: PairingEvent) -> [PairingAction] {
        do throws(SyncError) {
            return try act(on: event)
        } catch {
            return finish(.failure(.unfitting(error)))
        }
    }

    private mutating func act(on event: PairingEvent) throws(SyncError) -> [PairingAction] {
        switch (event, stage) {
        case (.elapsed(let time), _): return look(at: time)
        case (.read(.offer, let sealed), .searching): return try take(sealed)
        case (.taken(.answer, let sealed), .answered): return try adopt(sealed)
        case (.read(.opening, let sealed), .answered): return try meet(sealed)
        case (.done(.agreed(let isYes)), .asking):
            guard isYes else {
                return [.write(.consent, try sealedDecision(false, .consent))]
                    + finish(.failure(.pairing(.declined, "The words do not agree. This device did not join.")))
            }
            stage = .waiting
            return [.write(.consent, try sealedDecision(true, .consent))] + joinIfAdmitted()
        case (.read(.admission, let sealed), .asking), (.read(.admission, let sealed), .waiting):
            return try hear(sealed)
        case (.done(.joined), .joining): return try arrive()
        case (.taken(.consent, let sealed), _): return try compare(sealed)
        // It said so before it was cut off.
        case (.taken(.arrival, _), _): return []
        case (.taken, _): throw .invalid("somebody else writes in the name of this device")
        default: return []
        }
    }

    private mutating func look(at time: Duration) -> [PairingAction] {
        switch stage {
        case .searching where time >= times.patience:
            return finish(
                .failure(
                    .pairing(
                        .expired,
                        "No device offers this code at this place. It may be over, or at another place. Ask for a new one."
                    )
                ))
        case .answered, .asking, .waiting:
            guard time >= times.lifetime else { return [] }
            return finish(
                .failure(.pairing(.expired, "The other device did not finish in time. Start again with a new code.")))
        case .searching, .joining, .over: return []
        }
    }

    private mutating func take(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        let bytes = try seal.open(sealed, .offer)
        offer = (try PairingOffer(bytes), bytes)
        let answer = try PairingAnswer(keys, name: name, offer: bytes, random: random)
        self.answer = answer
        stage = .answered
        return [.write(.answer, try seal.seal(answer.encoded, .answer))]
    }

    /// Goes on with the answer that this device gave before it was cut off.
    ///
    /// Nobody else can have made it: it is signed. An answer to another offer is no use even then, for that offer may have
    /// been chosen to fit the answer.
    private mutating func adopt(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        let found = try? PairingAnswer(seal.open(sealed, .answer))
        guard let found, let offer, found.keys == keys.publicKeys, found.offer == (try Hash(of: offer.bytes)) else {
            throw .pairing(.exists, "Another device answered with this code. Start again with a new one.")
        }
        answer = found
        return []
    }

    private mutating func meet(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        guard let offer, let answer else { return [] }
        let opening = try seal.open(sealed, .opening)
        guard opening.count == PairingMessage.randomByteCount,
            try PairingOffer.commitment(to: opening) == offer.value.commitment
        else { throw .invalid("the other device committed to another number") }
        let digest = try PairingMessage.digest(offer: offer.bytes, answer: answer.encoded, random: opening)
        self.digest = digest
        stage = .asking
        let question = PairingQuestion(
            words: PairingMessage.words(of: digest), device: offer.value.device, name: offer.value.name)
        return [.work(.ask(question))]
    }

    private mutating func hear(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        let decision = try decision(sealed, .admission)
        guard decision.isYes, let record = decision.record else {
            removable = PairingStep.allCases
            return finish(.failure(.pairing(.declined, "The other device was told no. This device did not join.")))
        }
        self.record = record
        return joinIfAdmitted()
    }

    private mutating func joinIfAdmitted() -> [PairingAction] {
        guard case .waiting = stage, record != nil, let offer = offer?.value else { return [] }
        stage = .joining
        return [.work(.join(group: offer.group, founding: offer.founding))]
    }

    private mutating func arrive() throws(SyncError) -> [PairingAction] {
        guard let offer = offer?.value, let record else { return [] }
        let paired = PairedGroup(group: offer.group, sponsor: offer.device, name: offer.name, record: record)
        return [.write(.arrival, try sealedDecision(true, .arrival))] + finish(.success(paired))
    }

    /// A decision from before this device was cut off stands.
    private mutating func compare(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        let isYes = try decision(sealed, .consent).isYes
        guard isYes == (result == nil) else {
            let now = "Something else was said before. Start again with a new code"
            let remedy = isYes ? ", and remove this device at the other one if it is there." : "."
            result = nil
            return finish(.failure(.pairing(.declined, now + remedy)))
        }
        return []
    }

    private mutating func finish(_ result: Result<PairedGroup, SyncError>) -> [PairingAction] {
        guard self.result == nil else { return [] }
        self.result = result
        stage = .over
        return []
    }

    private func decision(_ sealed: [UInt8], _ step: PairingStep) throws(SyncError) -> PairingDecision {
        guard let digest else { throw .invalid("an answer to nothing") }
        return try PairingDecision(seal.open(sealed, step), digest: digest)
    }

    private func sealedDecision(_ isYes: Bool, _ step: PairingStep) throws(SyncError) -> [UInt8] {
        guard let digest else { throw .invalid("an answer to nothing") }
        return try seal.seal(PairingDecision(digest: digest, isYes: isYes).encoded, step)
    }
}
