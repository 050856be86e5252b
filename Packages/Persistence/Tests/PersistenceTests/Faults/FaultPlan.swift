// SPDX-License-Identifier: MIT

import CSQLite

/// What the disk has been asked, what it fails at, and what of it would survive a power cut.
struct FaultPlan {
    enum Operation {
        case read, write, sync, truncate, open, delete, shared
    }

    enum Fault {
        /// Any operation fails as by a bad disk.
        case error
        /// Half of what is to be written is, and the write fails.
        case shortWrite
        /// There is no room to write.
        case full
        /// The machine is off: nothing happens any more.
        case powerCut
    }

    /// What a file holds for certain, and what was written since its last sync.
    struct Image {
        enum Change {
            case write(offset: Int, bytes: [UInt8])
            case truncate(size: Int)
        }

        var durable: [UInt8]
        var pending: [Change] = []

        mutating func sync() {
            for change in pending { Self.apply(change, to: &durable) }
            pending = []
        }

        static func apply(_ change: Change, to bytes: inout [UInt8]) {
            switch change {
            case .write(let offset, let written):
                if bytes.count < offset + written.count {
                    bytes += [UInt8](repeating: 0, count: offset + written.count - bytes.count)
                }
                bytes.replaceSubrange(offset..<offset + written.count, with: written)
            case .truncate(let size): bytes.removeLast(max(0, bytes.count - size))
            }
        }

        /// What a power cut leaves: of each write since the last sync, any of its sectors.
        func afterPowerCut(using generator: inout some RandomNumberGenerator) -> [UInt8] {
            var bytes = durable
            // A disk that lost most, or little: a subset of one kind alone would miss the other's faults.
            let chance = Int.random(in: 0...100, using: &generator)
            for change in pending {
                guard case .write(let offset, let written) = change else {
                    if Int.random(in: 0..<100, using: &generator) < chance { Self.apply(change, to: &bytes) }
                    continue
                }
                for start in stride(from: 0, to: written.count, by: 512)
                where Int.random(in: 0..<100, using: &generator) < chance {
                    let sector = Array(written[start..<min(start + 512, written.count)])
                    Self.apply(.write(offset: offset + start, bytes: sector), to: &bytes)
                }
            }
            return bytes
        }
    }

    /// Called with a file's path while it is being synced.
    var duringSync: (@Sendable (_ path: String) -> Void)?
    private(set) var syncs: [String: Int] = [:]
    private(set) var hasFailed = false
    var images: [String: Image] = [:]
    private var fault: Fault?
    private var countdown = 0
    private var isLasting = false

    /// Fails at the operation number `count` of those that the fault concerns, and at the ones after it if it lasts.
    mutating func arm(_ fault: Fault, after count: Int, isLasting: Bool) {
        (self.fault, self.isLasting, countdown, hasFailed) = (fault, isLasting || fault == .powerCut, count, false)
    }

    mutating func disarm() {
        fault = nil
    }

    /// The fault that an operation meets, if any.
    mutating func meets(_ operation: Operation, _ path: String) -> Fault? {
        guard let fault, concerns(fault, operation) else {
            if operation == .sync { syncs[String(path.suffix(4)), default: 0] += 1 }
            return nil
        }
        countdown -= 1
        if countdown == 0 || (countdown < 0 && isLasting) {
            hasFailed = true
            return fault
        }
        if operation == .sync { syncs[String(path.suffix(4)), default: 0] += 1 }
        return nil
    }

    private func concerns(_ fault: Fault, _ operation: Operation) -> Bool {
        switch fault {
        case .error, .powerCut: true
        case .shortWrite, .full: operation == .write
        }
    }

    static func result(_ operation: Operation, _ fault: Fault) -> Int32 {
        if fault == .full { return SQLITE_FULL }
        if operation == .open { return SQLITE_CANTOPEN }
        let kind: Int32 =
            switch operation {
            case .read: 1
            case .write: 3
            case .sync: 4
            case .truncate: 6
            case .delete: 10
            case .shared: 19
            case .open: 0
            }
        // SQLITE_IOERR_READ and its like are macros that Swift does not import.
        return SQLITE_IOERR | kind << 8
    }
}
