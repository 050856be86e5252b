// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// Polls a child's pipes on a thread of its own until the child is gone and all is read.
struct ServerPipeLoop: Sendable {
    private let process: ServerProcess
    private var pipes: ServerPipes
    private var shutdown = ShutdownStages()

    init(process: ServerProcess, pipes: ServerPipes) {
        self.process = process
        self.pipes = pipes
    }

    /// Runs until the child is gone and all is read.
    mutating func run() {
        while !isOver {
            let wants = process.state.withLock { state in
                (read: state.reader != nil, write: !state.writings.isEmpty, end: state.wantsShutdown)
            }
            if wants.end, let step = shutdown.begin(now: Self.now, grace: process.grace) { take(step) }
            // A descriptor that is not wanted is left out: poll would always report its hang-up.
            var sockets = [
                pollfd(fd: pipes.alarm, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.errors, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wants.read ? pipes.output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.input, events: wants.write ? Int16(POLLOUT) : 0, revents: 0),
            ]
            _ = poll(&sockets, nfds_t(sockets.count), timeout)
            if sockets[0].revents != 0 { drainAlarm() }
            if sockets[1].revents != 0 { readErrors() }
            if sockets[2].revents != 0 { readOutput() }
            if sockets[3].revents & Int16(POLLERR) != 0 {
                inputWasRefused()
            } else if sockets[3].revents != 0 {
                writeInput()
            }
            if let step = shutdown.step(now: Self.now, grace: process.grace) { take(step) }
            if hasExited { readRest() }
        }
        closeAll()
    }

    private var hasExited: Bool { process.state.withLock { $0.exit != nil } }

    private var isOver: Bool { hasExited && pipes.output < 0 && pipes.errors < 0 }

    private var timeout: Int32 {
        guard let deadline = shutdown.deadline else { return -1 }
        return Int32(max(0, min((deadline - Self.now) / .milliseconds(1) + 1, 60_000)))
    }

    private mutating func take(_ step: ShutdownStages.Step) {
        switch step {
        case .closeInput: closeInput()
        case .terminate: process.signal(SIGTERM)
        case .kill: process.signal(SIGKILL)
        }
    }

    /// Reads the pipes after the child's end, without waiting for another process that holds them.
    private mutating func readRest() {
        closeInput()
        // A full pipe is 64 KiB; another process that still writes is not the server.
        for _ in 0..<4 where pipes.errors >= 0 { if !readErrors() { break } }
        ServerPipes.close(&pipes.errors)
        let (wants, isDropped) = process.state.withLock { ($0.reader != nil, $0.wantsShutdown) }
        if isDropped { return closeOutput() }
        // The reader's next calls read the rest.
        if wants, pipes.output >= 0, !readOutput(), process.state.withLock({ $0.reader != nil }) { closeOutput() }
    }

    /// A program that closes its input will not answer the requests in it. It has a shutdown's usual time for its
    /// output.
    private mutating func inputWasRefused() {
        closeInput()
        if let step = shutdown.begin(now: Self.now, grace: process.grace) { take(step) }
    }

    private mutating func closeInput() {
        ServerPipes.close(&pipes.input)
        let waiting = process.state.withLock { state -> [ServerProcess.Writing] in
            state.inputIsOpen = false
            defer { state.writings = [] }
            return state.writings
        }
        for writing in waiting { writing.done.resolve(.failure(ServerProcess.inputClosed)) }
    }

    private mutating func closeOutput() {
        ServerPipes.close(&pipes.output)
        let reader = process.state.withLock { state -> Promise<[UInt8]?>? in
            state.outputIsOpen = false
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resolve(.success(nil))
    }

    private mutating func drainAlarm() {
        while case .bytes = Self.read(pipes.alarm) {}
    }

    /// - Returns: True if bytes were read.
    @discardableResult
    private mutating func readErrors() -> Bool {
        switch Self.read(pipes.errors) {
        case .bytes(let bytes):
            process.state.withLock { $0.log.append(bytes) }
            return true
        case .nothing: return false
        case .end:
            ServerPipes.close(&pipes.errors)
            return true
        }
    }

    /// - Returns: True if bytes were read, or the end.
    @discardableResult
    private mutating func readOutput() -> Bool {
        switch Self.read(pipes.output) {
        case .bytes(let bytes):
            let reader = process.state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resolve(.success(bytes))
            return true
        case .nothing: return false
        case .end:
            closeOutput()
            return true
        }
    }

    private mutating func writeInput() {
        guard let writing = process.state.withLock({ $0.writings.first }) else { return }
        let count = writing.bytes[writing.offset...].withUnsafeBytes {
            Glibc.write(pipes.input, $0.baseAddress, $0.count)
        }
        if count < 0 {
            if errno != EAGAIN && errno != EINTR { inputWasRefused() }
            return
        }
        let finished = process.state.withLock { state -> Promise<Void>? in
            state.writings[0].offset += count
            guard state.writings[0].offset == state.writings[0].bytes.count else { return nil }
            return state.writings.removeFirst().done
        }
        finished?.resolve(.success(()))
    }

    private mutating func closeAll() {
        closeInput()
        closeOutput()
        let exit = process.state.withLock { state in
            state.bell = -1
            return state.exit
        }
        pipes.closeAll()
        process.end.resolve(.success(exit ?? .killed(signal: SIGKILL)))
    }

    private enum Reading { case bytes([UInt8]), nothing, end }

    private static func read(_ descriptor: Int32) -> Reading {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0
                && errno == EINTR
            count = max(0, result)
        }
        if result < 0 { return errno == EAGAIN ? .nothing : .end }
        return result == 0 ? .end : .bytes(bytes)
    }

    private static var now: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }
}
