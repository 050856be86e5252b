// SPDX-License-Identifier: MIT

import Concurrency

/// The members with sockets of their own to watch. libcurl has handed these sockets over, and does not watch them.
struct CurlWatchers {
    private struct Entry {
        let member: any CurlLoopMember
        let descriptor: Int32
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var members: [Int32: any CurlLoopMember] = [:]

    /// The members to call as readable without waiting, because TLS may hold bytes already.
    private(set) var knownReadable: [any CurlLoopMember] = []

    /// Adds a member whose socket is open.
    mutating func add(_ member: any CurlLoopMember) {
        guard let socket = member.watched else { return }
        entries[ObjectIdentifier(member)] = Entry(member: member, descriptor: socket.descriptor)
        members[socket.descriptor] = member
    }

    /// Removes a member, before its socket is closed.
    mutating func remove(_ member: any CurlLoopMember, from sockets: SocketQueue) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(member)) else { return }
        members[entry.descriptor] = nil
        knownReadable.removeAll { $0 === member }
        sockets.set(entry.descriptor, reads: false, writes: false)
    }

    /// The member that a socket belongs to.
    func member(for descriptor: Int32) -> (any CurlLoopMember)? {
        members[descriptor]
    }

    /// Updates the events that every member waits for.
    mutating func update(_ sockets: SocketQueue) {
        knownReadable.removeAll(keepingCapacity: true)
        for entry in entries.values {
            guard let socket = entry.member.watched else { continue }
            if socket.isKnownReadable { knownReadable.append(entry.member) }
            sockets.set(entry.descriptor, reads: socket.reads, writes: socket.writes)
        }
    }
}
