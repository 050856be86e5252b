// SPDX-License-Identifier: MIT

import Concurrency
import Security
import SyncWire

/// The messages of a pairing, by the number in their objects' names.
enum PairingStep: UInt8, Sendable, CaseIterable {
    /// The member names the group and commits to a random number.
    case offer = 1
    /// The newcomer answers with its keys and a random number.
    case answer
    /// The member shows its random number: both can make the words now.
    case opening
    /// The newcomer's person says that the words agree, or not.
    case consent
    /// The member added the newcomer, or its person said that the words do not agree.
    case admission
    /// The newcomer joined.
    case arrival
}

/// The object names and the seal that follow from a code.
///
/// Anyone who holds the sealed messages can try codes: 2⁵⁰ of them, and scrypt makes each one cost a tenth of a second of
/// a core and 32 MiB. Whoever finds the code within its ten minutes still shows the persons other words.
struct PairingSeal: Sendable {
    let id: [UInt8]
    private let box: AEAD

    /// Takes a tenth of a second of one core; ``make(_:)`` spends it elsewhere.
    init(_ code: PairingCode) throws(SyncError) {
        let master = try Crypto.failing {
            let parameters = try ScryptParameters(costExponent: 15, blockSize: 8, parallelization: 1)
            return try code.data.withExposed {
                // The salt is fixed, because the newcomer has nothing but the code.
                try Scrypt.key(passphrase: $0, salt: Crypto.Label.pairing.bytes, parameters: parameters)
            }
        }
        try self.init(master: master)
    }

    /// The names and the seal of the key that scrypt makes.
    init(master: SymmetricKey) throws(SyncError) {
        func key(_ salt: String) throws(SyncError) -> SymmetricKey {
            try Crypto.derive(.pairing, from: master, salt: Array(salt.utf8))
        }
        id = try key("id").withUnsafeBytes { Array($0.prefix(SyncObjectName.pairingByteCount)) }
        box = try Crypto.box(key("key"))
    }

    static func make(_ code: PairingCode) async throws(SyncError) -> PairingSeal {
        try await BlockingCall.run { () throws(SyncError) in try PairingSeal(code) }
    }

    func name(_ step: PairingStep) -> SyncObjectName { .pairing(id: id, step: step.rawValue) }

    func seal(_ message: [UInt8], _ step: PairingStep) throws(SyncError) -> [UInt8] {
        try Crypto.seal(Padding.pad(message), with: box, context: context(step))
    }

    func open(_ sealed: [UInt8], _ step: PairingStep) throws(SyncError) -> [UInt8] {
        try Padding.unpad(Crypto.open(sealed, with: box, context: context(step)))
    }

    private func context(_ step: PairingStep) -> [UInt8] { Crypto.Label.pairing.bytes + id + [step.rawValue] }
}
