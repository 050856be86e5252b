// SPDX-License-Identifier: MIT

import CCurl
import Glibc

/// The part of the loop that only its thread touches.
///
/// SAFETY: made before the thread starts and handed to it; every method runs on that thread.
final class CurlLoopCore: @unchecked Sendable {
    private let multi: CurlMulti
    private var members: [UnsafeMutableRawPointer: any CurlLoopMember] = [:]
    private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    private var changed: [any CurlLoopMember] = []
    private var watchers: [ObjectIdentifier: any CurlLoopMember] = [:]
    private var idle: [CurlEasy] = []
    private var nextDeadline: MonotonicTime?
    private var polled: [curl_waitfd] = []
    private var polledMembers: [any CurlLoopMember] = []
    private let maximumIdleHandles = 64

    init(multi: CurlMulti) {
        self.multi = multi
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

    /// Asks for a flush of the member at the end of this round; also after its deadline has changed.
    func noteChange(of member: any CurlLoopMember) {
        changed.append(member)
    }

    /// Watches the member's socket from now on, until it leaves.
    func watch(_ member: any CurlLoopMember) {
        watchers[ObjectIdentifier(member)] = member
    }

    /// Ends a member with an error, and closes its connection.
    func fail(_ member: any CurlLoopMember, _ error: any Error) {
        guard handles[ObjectIdentifier(member)] != nil else { return }
        member.fail(error)
        remove(member)
    }

    /// Lets libcurl work until it would block, then hands the results on.
    func work() {
        var running: Int32 = 0
        _ = curl_multi_perform(multi.handle, &running)
        readMessages()
        // A flush may let a transfer go on, which may call back at once and ask for another flush.
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

    /// Waits for sockets, a wake-up or the next deadline.
    func wait() {
        polled.removeAll(keepingCapacity: true)
        polledMembers.removeAll(keepingCapacity: true)
        var milliseconds: Int32 = 60_000
        if let nextDeadline { milliseconds = nextDeadline.milliseconds(since: .now, maximum: milliseconds) }
        for member in watchers.values {
            guard let socket = member.watched else { continue }
            if socket.isKnownReadable { milliseconds = 0 }
            let events = (socket.reads ? CURL_WAIT_POLLIN : 0) | (socket.writes ? CURL_WAIT_POLLOUT : 0)
            polled.append(curl_waitfd(fd: socket.descriptor, events: Int16(events), revents: 0))
            polledMembers.append(member)
        }
        _ = polled.withUnsafeMutableBufferPointer { sockets in
            curl_multi_poll(multi.handle, sockets.baseAddress, UInt32(sockets.count), milliseconds, nil)
        }
    }

    /// Tells the members whose sockets are ready.
    func afterWait() {
        for (member, socket) in zip(polledMembers, polled) {
            guard handles[ObjectIdentifier(member)] != nil else { continue }
            let known = member.watched?.isKnownReadable ?? false
            let readable = Int32(socket.revents) & (CURL_WAIT_POLLIN | CURL_WAIT_POLLPRI) != 0 || known
            // An error or a hang-up (which curl reports with other bits) shows itself when reading.
            let other = Int32(socket.revents) & ~(CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT) != 0
            let writable = Int32(socket.revents) & CURL_WAIT_POLLOUT != 0
            if readable || writable || other { member.socketIsReady(readable: readable || other, writable: writable) }
        }
        polledMembers.removeAll(keepingCapacity: true)
    }

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
            guard curl_multi_add_handle(multi.handle, easy.handle) == CURLM_OK else {
                throw NetworkError(code: .other, message: "libcurl did not take the request.")
            }
        } catch {
            member.fail(error)
            if let easy = member.release() { recycle(easy) }
            return
        }
        members[easy.handle] = member
        handles[ObjectIdentifier(member)] = easy.handle
        noteDeadline(member.deadline)
    }

    private func remove(_ member: any CurlLoopMember) {
        let identifier = ObjectIdentifier(member)
        watchers[identifier] = nil
        guard let handle = handles.removeValue(forKey: identifier) else { return }
        members[handle] = nil
        curl_multi_remove_handle(multi.handle, handle)
        if let easy = member.release() { recycle(easy) }
    }

    private func recycle(_ easy: CurlEasy) {
        if idle.count < maximumIdleHandles { idle.append(easy) }
    }

    private func readMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let member = members[handle]
            else { continue }
            if member.complete(ccurl_message_result(message)) {
                remove(member)
            } else {
                noteDeadline(member.deadline)
            }
        }
    }

    private func noteDeadline(_ deadline: MonotonicTime?) {
        guard let deadline else { return }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    // Activity moves a member's deadline away without a word; the loop looks again when the old one has come.
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
