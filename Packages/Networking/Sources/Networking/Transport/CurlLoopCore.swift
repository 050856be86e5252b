// SPDX-License-Identifier: MIT

import CCurl
import Concurrency

/// The part of the loop that only its worker touches: its thread as a rule, a task for one start of a request.
///
/// SAFETY: `CurlLoopInbox` lets one thread at a time work, and its lock orders their work; "on the loop" means so
/// everywhere.
final class CurlLoopCore: @unchecked Sendable {
    private let multi: CurlMulti
    private let sockets: SocketQueue
    private var members: [UnsafeMutableRawPointer: any CurlLoopMember] = [:]
    private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    private var changed: [any CurlLoopMember] = []
    private var watchers = CurlWatchers()
    private var idle: [CurlEasy] = []
    private var nextDeadline: MonotonicTime?
    /// The time at which libcurl wants to be called even if no socket is ready.
    private var timer: MonotonicTime?
    /// The keys of connections that were open at the end of a request, so that another request need not open one.
    private var warm: Set<Int> = []
    private let maximumIdleHandles = 64
    private let maximumWarmKeys = 1_000

    /// The time until which the thread sleeps if nothing happens.
    private(set) var threadWakes = MonotonicTime.never

    init(multi: CurlMulti, sockets: SocketQueue) {
        self.multi = multi
        self.sockets = sockets
        multi.setCallbacks(self)
    }

    func carryOut(_ commands: [CurlEventLoop.Command]) {
        for command in commands {
            switch command {
            case .start(let member): start(member)
            case .cancel(let member): remove(member)
            case .run(let body): body()
            }
        }
    }

    /// Schedules a flush of the member at the end of this round; also after its deadline has changed.
    func noteChange(of member: any CurlLoopMember) {
        changed.append(member)
    }

    /// Watches the member's socket from now on, until it leaves.
    func watch(_ member: any CurlLoopMember) {
        watchers.add(member)
    }

    /// Starts a member on its caller's thread, if that takes no new connection: making one reads files and may take
    /// long.
    ///
    /// - Returns: True if it was started.
    func startHere(_ member: any CurlLoopMember) -> Bool {
        guard let key = member.connectionKey, warm.contains(key) else { return false }
        start(member)
        work()
        return true
    }

    /// Ends a member with an error, and closes its connection.
    func fail(_ member: any CurlLoopMember, _ error: any Error) {
        guard handles[ObjectIdentifier(member)] != nil else { return }
        member.fail(error)
        remove(member)
    }

    /// Lets libcurl work until it would block, then hands the results on.
    func work() {
        if let timer, timer <= .now {
            self.timer = nil
            multi.act(on: CURL_SOCKET_TIMEOUT, events: 0)
        }
        readMessages()
        // A flush may resume a transfer, which may call back at once and ask for another flush.
        var index = 0
        while index < changed.count {
            let member = changed[index]
            index += 1
            guard handles[ObjectIdentifier(member)] != nil else { continue }
            member.flush()
            noteDeadline(member.deadline)
        }
        changed.removeAll(keepingCapacity: true)
        checkDeadlines()
    }

    /// Hands ready sockets to libcurl and to their members.
    func handle(_ ready: [SocketQueue.Readiness]) {
        for socket in ready {
            if let member = watchers.member(for: socket.descriptor) {
                member.socketIsReady(readable: socket.isReadable, writable: socket.isWritable)
            } else {
                multi.act(
                    on: socket.descriptor,
                    events: (socket.isReadable ? CURL_CSELECT_IN : 0) | (socket.isWritable ? CURL_CSELECT_OUT : 0))
            }
        }
        for member in watchers.knownReadable { member.socketIsReady(readable: true, writable: false) }
    }

    /// Sets the sockets and the time to wait for.
    func prepareSleep() {
        watchers.update(sockets)
        threadWakes = nextOccasion
    }

    /// The next time at which there is work though no socket is ready.
    var nextOccasion: MonotonicTime {
        guard watchers.knownReadable.isEmpty else { return .distantPast }
        return min(nextDeadline ?? .never, timer ?? .never)
    }

    // MARK: libcurl's callbacks

    func wants(_ events: Int32, of socket: Int32) {
        sockets.set(
            socket, reads: events & CURL_POLL_IN != 0, writes: events & CURL_POLL_OUT != 0)
    }

    func wantsCall(inMilliseconds milliseconds: Int) {
        timer =
            switch milliseconds {
            case ..<0: nil
            case 0: .distantPast
            default: MonotonicTime.now.advanced(by: .milliseconds(milliseconds))
            }
    }

    // MARK: Members

    func failAll(_ error: any Error) {
        for member in members.values { fail(member, error) }
    }

    func free() {
        idle = []
        multi.free()
    }

    private func start(_ member: any CurlLoopMember) {
        guard let easy = idle.popLast() ?? CurlEasy() else {
            return member.fail(
                NetworkError(code: .other, message: "libcurl gave no handle. The memory may be used up."))
        }
        easy.reset()
        do {
            try member.start(easy, in: self)
            guard multi.add(easy) else {
                throw NetworkError(code: .other, message: "libcurl did not take the request.")
            }
        } catch {
            member.fail(error)
            _ = member.release()
            return
        }
        members[easy.handle] = member
        handles[ObjectIdentifier(member)] = easy.handle
        noteDeadline(member.deadline)
    }

    /// - Parameter isReusable: The handle may serve the next transfer. One whose transfer failed may not: libcurl 8.14 keeps for it,
    ///   even after a reset, that the body has to be sent from its start.
    private func remove(_ member: any CurlLoopMember, isReusable: Bool = false) {
        let identifier = ObjectIdentifier(member)
        watchers.remove(member, from: sockets)
        guard let handle = handles.removeValue(forKey: identifier) else { return }
        members[handle] = nil
        multi.remove(handle)
        if let easy = member.release(), isReusable, idle.count < maximumIdleHandles { idle.append(easy) }
    }

    private func readMessages() {
        while let (handle, result) = multi.nextDone() {
            guard let member = members[handle] else { continue }
            if result == CURLE_OK { noteConnection(of: member) }
            if member.complete(result) {
                remove(member, isReusable: result == CURLE_OK)
            } else {
                noteDeadline(member.deadline)
            }
        }
    }

    private func noteConnection(of member: any CurlLoopMember) {
        guard let key = member.connectionKey, !warm.contains(key) else { return }
        if warm.count >= maximumWarmKeys { warm = [] }
        warm.insert(key)
    }

    private func noteDeadline(_ deadline: MonotonicTime?) {
        guard let deadline else { return }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    // Activity moves a member's deadline away without notice; the loop checks again at the old deadline.
    private func checkDeadlines() {
        guard let due = nextDeadline, case let now = MonotonicTime.now, due <= now else { return }
        nextDeadline = nil
        for member in members.values {
            if let error = member.expire(at: now) {
                fail(member, error)
            } else {
                noteDeadline(member.deadline)
            }
        }
    }
}
