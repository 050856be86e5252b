// SPDX-License-Identifier: MIT

import CPostgres
import CPostgresCalls
import Concurrency
import Glibc

/// A connection that is established and belongs to nobody yet; closed with its last reference unless it was taken.
// SAFETY: one task opens it, in calls that follow one another, and hands it over.
final class OpenedConnection: @unchecked Sendable {
    private var handle: OpaquePointer?

    private init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { if let handle { PQfinish(handle) } }

    fileprivate var pointer: OpaquePointer? { handle }

    /// Hands the handle over to its driver.
    func take() -> OpaquePointer {
        guard let handle = handle.take() else { preconditionFailure("A connection is taken once.") }
        return handle
    }

    /// Establishes a connection to the first host, and its first address, that allows it. Looking up names, and the
    /// arithmetic of passwords, happen off Swift's pool.
    ///
    /// - Parameter resolve: The addresses of a host's name; none leaves it to libpq, which has the words for its errors.
    /// - Throws: ``PostgresError`` of the last address that was tried, with the words of all; `CancellationError`.
    static func open(
        _ configuration: PostgresConfiguration, loop: PostgresLoop,
        resolve: @escaping @Sendable (String) -> [String] = OpenedConnection.addresses
    ) async throws -> OpenedConnection {
        if let reason = cpostgres_load() {
            throw PostgresError(code: .libraryMissing, message: String(cString: reason))
        }
        var failure = PostgresError(code: .other, message: "The database has no host. Add one.")
        var words: [String] = []
        // Not one call of libpq with all of them: which would wait for a silent one without end.
        search: for host in configuration.hosts {
            let addresses = host.isSocket ? [] : await BlockingCall.run { resolve(host.name) }
            for address in addresses.isEmpty ? [nil] : addresses.map(Optional.some) {
                do {
                    return try await open(
                        configuration.keywords(for: host, at: address),
                        by: .now.advanced(by: configuration.connectTimeout), loop: loop)
                } catch let error as PostgresError {
                    failure = error
                    words.append(error.message)
                    // As with libpq: the others have the same users and databases, and a full server is a server.
                    if error.isLasting || error.code == .busy { break search }
                }
            }
        }
        guard words.count > 1 else { throw failure }
        throw PostgresError(
            code: failure.code, message: words.joined(separator: " "), sqlState: failure.sqlState)
    }

    /// The addresses that a host's name stands for, in the order of RFC 6724; none if it is not known.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0, let found else { return [] }
        defer { freeaddrinfo(found) }
        return sequence(first: found) { $0.pointee.ai_next }.compactMap { entry in
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let failed = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard failed == 0 else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    private static func open(
        _ keywords: [(String, String)], by deadline: MonotonicTime, loop: PostgresLoop
    ) async throws -> OpenedConnection {
        let opened = try await BlockingCall.run { () throws(PostgresError) -> OpenedConnection in
            guard let handle = start(keywords) else {
                throw PostgresError(code: .other, message: "The memory is used up. Close programs and try again.")
            }
            return OpenedConnection(handle)
        }
        try await opened.establish(by: deadline, loop: loop)
        return opened
    }

    private static func start(_ keywords: [(String, String)]) -> OpaquePointer? {
        var names: [UnsafePointer<CChar>?] = keywords.map { UnsafePointer(strdup($0.0)) } + [nil]
        var values: [UnsafePointer<CChar>?] = keywords.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { for text in names + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let handle = PQconnectStartParams(&names, &values, 0) else { return nil }
        // The code of an error is in its verbose text alone.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        cpostgres_ignore_notices(handle)
        return handle
    }

    private func establish(by deadline: MonotonicTime, loop: PostgresLoop) async throws {
        guard let handle, PQstatus(handle) != CONNECTION_BAD else { throw failure }
        // As libpq demands, the first wait is for writing.
        var status = PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED, PQsocket(handle) >= 0 else { throw failure }
            let wait = SocketWait(PQsocket(handle), writes: status == PGRES_POLLING_WRITING, deadline: deadline)
            try await wait.wait(on: loop)
            status = await BlockingCall.run { [self] in
                self.handle.map { PQconnectPoll($0) } ?? PGRES_POLLING_FAILED
            }
        }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw failure }
    }

    private var failure: PostgresError {
        guard let handle else { return .closed }
        return PostgresError(
            opening: String(cString: PQerrorMessage(handle)), needsPassword: PQconnectionNeedsPassword(handle) == 1)
    }
}

/// One wait for a socket that is not a driver's yet.
private final class SocketWait: LoopMember {
    private let socket: Int32
    private let writes: Bool
    private let deadline: MonotonicTime
    private let promise = Promise<Void>()

    init(_ socket: Int32, writes: Bool, deadline: MonotonicTime) {
        (self.socket, self.writes, self.deadline) = (socket, writes, deadline)
    }

    func wait(on loop: PostgresLoop) async throws {
        loop.add(self)
        loop.watch(socket, for: self, reads: !writes, writes: writes)
        loop.check(by: deadline)
        defer {
            loop.watch(socket, for: self, reads: false, writes: false)
            loop.remove(self)
        }
        try await promise.value()
    }

    func ready(_ readiness: SocketQueue.Readiness) { promise.resolve() }

    func expire(at now: MonotonicTime) -> MonotonicTime {
        guard deadline <= now else { return deadline }
        promise.resolve(
            .failure(
                PostgresError(
                    code: .connection,
                    message: "The server did not answer within connectTimeout. Check its address, or raise the limit."))
        )
        return .never
    }
}
