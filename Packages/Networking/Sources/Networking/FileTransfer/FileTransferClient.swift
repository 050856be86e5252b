// SPDX-License-Identifier: MIT

import CCurl
import Concurrency

/// Files on a server of SFTP, over one connection that is kept between calls.
///
/// Calls may be made from any number of tasks; they run one after another. A path that begins with `/` is the server's,
/// any other one is below the user's home. Cancelling the task ends the call within a second; it is then unknown if the
/// server did it. The server's key must be in the file of known hosts.
public actor FileTransferClient {
    private nonisolated let executor = QueueExecutor(label: "parley.file-transfer")
    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let configuration: Configuration
    private nonisolated let clock: ClientClock
    private var easy: CurlEasy?
    private var isClosed = false

    /// A client that connects with its first call.
    ///
    /// - Parameter clock: The clock of the time-outs.
    /// - Throws: ``NetworkError`` with the code `invalidRequest` if host, port or user is invalid, and `libraryMissing`
    ///   without libcurl.
    public init(_ configuration: Configuration, clock: ClientClock = .system) throws(NetworkError) {
        try CurlLibrary.start()
        let host = configuration.host
        guard !host.isEmpty, (1...65_535).contains(configuration.port), !configuration.user.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !host.contains(where: { "/@?#[]".contains($0) }),
            Self.isPlain(configuration.user)
        else { throw .invalidRequest("Check the server's name, its port and the user's name.") }
        self.configuration = configuration
        self.clock = clock
    }

    deinit {
        // Saying good-bye to the server takes a moment.
        executor.run { [easy] in withExtendedLifetime(easy) {} }
    }

    /// The names in a folder, without `.` and `..`.
    ///
    /// - Parameter limit: The most bytes of the listing; a name takes some hundred.
    /// - Throws: ``NetworkError`` with the code `remoteFileMissing` if there is no such folder.
    public func list(_ folder: String, upTo limit: Int = 16 << 20) async throws -> [RemoteFile] {
        let text = String(
            decoding: try await perform(exchange(folder, isListing: true, upTo: limit)), as: UTF8.self)
        return try text.split(separator: "\n").compactMap { line in
            guard let file = RemoteFile(listingLine: line.last == "\r" ? line.dropLast() : line) else {
                throw NetworkError(
                    code: .invalidResponse, message: "The server lists files in a form that is not known: \(line)")
            }
            return file.name == "." || file.name == ".." ? nil : file
        }
    }

    /// True if there is a folder of that path.
    public func hasFolder(_ folder: String) async throws -> Bool {
        do {
            // A folder lists at least itself, so that the first byte is an answer.
            _ = try await perform(exchange(folder, isListing: true))
            return true
        } catch let error as NetworkError where error.code == .responseTooLarge {
            return true
        } catch let error as NetworkError where error.code == .remoteFileMissing {
            return false
        }
    }

    /// A file's bytes.
    ///
    /// - Throws: ``NetworkError`` with the code `remoteFileMissing`, or `responseTooLarge` for more than `limit` bytes.
    public func read(_ path: String, upTo limit: Int = 64 << 20) async throws -> [UInt8] {
        try await perform(exchange(path, upTo: limit))
    }

    /// Writes a file, or replaces its content bit by bit: others see it half written. Rename it when it is whole.
    ///
    /// The server decides when it is on its disk.
    public func write(_ bytes: [UInt8], to path: String) async throws {
        _ = try await perform(exchange(path, upload: bytes))
    }

    /// Renames a file. OpenSSH's server does not replace an existing one, and says no more than that it failed: the code
    /// is `remoteFailure`.
    public func rename(_ path: String, to target: String) async throws {
        try await command("rename \(Self.quoted(path)) \(Self.quoted(target))")
    }

    /// Removes a file.
    ///
    /// - Throws: ``NetworkError`` with the code `remoteFileMissing` if it does not exist.
    public func remove(_ path: String) async throws {
        try await command("rm \(Self.quoted(path))")
    }

    /// Makes a folder in an existing one. An existing folder is the error `remoteFailure`.
    public func makeFolder(_ path: String) async throws {
        try await command("mkdir \(Self.quoted(path))")
    }

    /// Closes the connection. Later calls fail with the code `closed`.
    public func close() {
        isClosed = true
        easy = nil
    }

    // MARK: Exchanges

    private nonisolated func exchange(
        _ path: String, isListing: Bool = false, upload: [UInt8]? = nil, commands: [String] = [], upTo limit: Int = 0
    ) throws -> FileExchange {
        guard ([path] + commands).allSatisfy(Self.isPlain) else {
            throw NetworkError.invalidRequest("A path has no control characters.")
        }
        return FileExchange(
            path, isListing: isListing, upload: upload, commands: commands, upTo: limit,
            idleTimeout: configuration.idleTimeout, clock: clock)
    }

    private func command(_ words: String) async throws {
        _ = try await perform(exchange("", commands: [words]))
    }

    private func perform(_ exchange: FileExchange) async throws -> [UInt8] {
        try await withTaskCancellationHandler {
            guard !isClosed else {
                throw NetworkError(code: .closed, message: "The connection was closed. Make another client.")
            }
            try Task.checkCancellation()
            let (first, easy) = try run(exchange)
            if first == CURLE_OK { return exchange.received }
            // A server ends a connection that it waited on for too long, and the news may come after the next call.
            guard exchange.isRepeatable, easy.long(CURLINFO_NUM_CONNECTS) == 0,
                [CURLE_SSH, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_TOO_MANY_REDIRECTS]
                    .contains(first),
                !exchange.isCancelled
            else { throw failure(first, easy, exchange) }
            self.easy = nil
            let (second, fresh) = try run(exchange)
            if second == CURLE_OK { return exchange.received }
            throw failure(second, fresh, exchange)
        } onCancel: {
            exchange.cancel()
        }
    }

    private func run(_ exchange: FileExchange) throws -> (CURLcode, CurlEasy) {
        guard let easy = easy ?? CurlEasy() else {
            throw NetworkError(
                code: .outOfMemory, message: "No memory is left for a connection. Close other connections.")
        }
        self.easy = easy
        try easy.setFileTransfer(exchange, configuration)
        exchange.begin()
        let result = withExtendedLifetime(exchange) {
            BrokenPipeSignal.blocked { curl_easy_perform(easy.handle) }
        }
        return (result, easy)
    }

    private func failure(_ result: CURLcode, _ easy: CurlEasy, _ exchange: FileExchange) -> any Error {
        exchange.isCancelled
            ? CancellationError() : NetworkError(files: result, on: easy, exchange, configuration)
    }

    /// A path in libcurl's commands.
    private static func quoted(_ path: String) -> String {
        "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
