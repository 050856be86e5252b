// SPDX-License-Identifier: MIT

/// The group's part of the offer.
struct PairingGroup: Sendable, Hashable {
    let group: Hash
    /// The bytes of its founding record.
    let founding: [UInt8]
    /// The device that adds the other one.
    let device: DeviceID
    let name: String
}

/// A device that was added.
public struct PairedDevice: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// Its name.
    public let name: String
    /// The record that added it.
    public let record: Hash
    /// False if the device has not said that it joined. It can still do so with a new code.
    public let hasJoined: Bool
}

/// The side of the device that belongs to the group.
struct PairingMember: PairingMachine {
    private enum Stage { case waiting, asking, admitting, admitted(Hash), over }

    private struct Met {
        let answer: PairingAnswer
        let sealed: [UInt8]
        let digest: Hash
        var isAgreedHere = false
        var isAgreedThere = false
    }

    private let seal: PairingSeal
    private let times: PairingTimes
    private let offer: [UInt8]
    private let random: [UInt8]
    private var stage = Stage.waiting
    private var met: Met?
    private var elapsed = Duration.zero
    private var end = Duration.zero
    private(set) var result: Result<PairedDevice, SyncError>?
    private(set) var removable: [PairingStep] = PairingStep.allCases

    init(_ group: PairingGroup, seal: PairingSeal, times: PairingTimes, random: [UInt8]) throws(SyncError) {
        (self.seal, self.times, self.random) = (seal, times, random)
        offer =
            PairingOffer(
                group: group.group, founding: group.founding, device: group.device, name: group.name,
                commitment: try PairingOffer.commitment(to: random)
            ).encoded
    }

    var awaited: [PairingStep] {
        switch stage {
        case .waiting: [.answer]
        // The answer is looked at again: its object is written once, so another one under its name is a forgery.
        case .asking: met?.isAgreedThere == true ? [.answer] : [.answer, .consent]
        case .admitted: [.arrival]
        case .admitting, .over: []
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
        case (.started, _): return [.write(.offer, try seal.seal(offer, .offer))]
        case (.elapsed(let time), _): return look(at: time)
        case (.read(.answer, let sealed), .waiting): return try meet(sealed)
        case (.read(.answer, let sealed), .asking):
            guard sealed == met?.sealed else {
                throw .pairing(.exists, "Two devices answered with this code. Start again with a new one.")
            }
            return []
        case (.read(.consent, let sealed), .asking): return try consent(sealed)
        case (.read(.arrival, let sealed), .admitted(let record)):
            _ = try decision(sealed, .arrival)
            return admit(record, hasJoined: true)
        case (.done(.agreed(let isYes)), .asking): return try answer(isYes)
        case (.done(.admitted(let record)), .admitting):
            stage = .admitted(record)
            end = max(times.lifetime, elapsed + times.patience)
            return [.write(.admission, try sealedDecision(true, record: record))]
        case (.taken(.offer, _), _):
            throw .pairing(.exists, "This code was used before. Start again with a new one.")
        case (.taken, _): throw .invalid("somebody else writes in the name of this device")
        default: return []
        }
    }

    private mutating func look(at time: Duration) -> [PairingAction] {
        elapsed = time
        switch stage {
        case .waiting, .asking:
            guard time >= times.lifetime else { return [] }
            return finish(.failure(.pairing(.expired, "The code is no longer valid. Start again with a new one.")))
        case .admitted(let record): return time >= end ? admit(record, hasJoined: false) : []
        case .admitting, .over: return []
        }
    }

    private mutating func meet(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        let answer = try PairingAnswer(seal.open(sealed, .answer))
        guard answer.offer == (try Hash(of: offer)) else { throw .invalid("the answer is to another offer") }
        let digest = try PairingMessage.digest(offer: offer, answer: answer.encoded, random: random)
        met = Met(answer: answer, sealed: sealed, digest: digest)
        stage = .asking
        let question = PairingQuestion(
            words: PairingMessage.words(of: digest), device: try answer.keys.device, name: answer.name)
        return [.write(.opening, try seal.seal(random, .opening)), .work(.ask(question))]
    }

    private mutating func consent(_ sealed: [UInt8]) throws(SyncError) -> [PairingAction] {
        guard try decision(sealed, .consent).isYes else {
            return finish(.failure(.pairing(.declined, "The other device was told no. Nothing was added.")))
        }
        met?.isAgreedThere = true
        return admitIfAgreed()
    }

    private mutating func answer(_ isYes: Bool) throws(SyncError) -> [PairingAction] {
        guard isYes else {
            // The other device reads it and removes it.
            removable = removable.filter { $0 != .admission }
            return [.write(.admission, try sealedDecision(false))]
                + finish(.failure(.pairing(.declined, "The words do not agree. Nothing was added.")))
        }
        met?.isAgreedHere = true
        return admitIfAgreed()
    }

    private mutating func admitIfAgreed() -> [PairingAction] {
        guard let met, met.isAgreedHere, met.isAgreedThere else { return [] }
        stage = .admitting
        return [.work(.admit(met.answer.keys, name: met.answer.name))]
    }

    private mutating func admit(_ record: Hash, hasJoined: Bool) -> [PairingAction] {
        guard let answer = met?.answer, let device = try? answer.keys.device else { return [] }
        let paired = PairedDevice(device: device, name: answer.name, record: record, hasJoined: hasJoined)
        return finish(.success(paired))
    }

    private mutating func finish(_ result: Result<PairedDevice, SyncError>) -> [PairingAction] {
        guard self.result == nil else { return [] }
        self.result = result
        stage = .over
        return []
    }

    private func decision(_ sealed: [UInt8], _ step: PairingStep) throws(SyncError) -> PairingDecision {
        guard let met else { throw .invalid("an answer to nothing") }
        return try PairingDecision(seal.open(sealed, step), digest: met.digest)
    }

    private func sealedDecision(_ isYes: Bool, record: Hash? = nil) throws(SyncError) -> [UInt8] {
        guard let met else { throw .invalid("an answer to nothing") }
        return try seal.seal(
            PairingDecision(digest: met.digest, isYes: isYes, record: record).encoded, .admission)
    }
}
