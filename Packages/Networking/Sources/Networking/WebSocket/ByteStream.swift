// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A connected stream of bytes in both directions: TCP, TLS, or an end of a pair in a test.
public protocol ByteStream: Sendable {
    /// Waits for bytes and returns those that are there, at most some hundred kilobytes; empty at the end, when the
    /// other side will send nothing more. One reader at a time; a second gets an error.
    ///
    /// - Throws: `NetworkError` when the connection is broken or closed. Cancelling the task does not lose bytes: it
    ///   throws `CancellationError`, and the next call continues.
    func read() async throws -> [UInt8]

    /// Returns when the system has taken all the bytes. One writer at a time.
    ///
    /// - Throws: `NetworkError` when the connection is broken or closed; it is then unknown how much was sent.
    func write(_ bytes: [UInt8]) async throws

    /// Closes both directions. Waiting calls of `read` or `write` throw `NetworkError` with the code `closed`. A second
    /// call does nothing.
    func close()
}

/// Opens byte streams.
public protocol ByteStreamConnector: Sendable {
    /// Connects to the host and port of an address, with TLS for `https`, through a configured proxy. No request is
    /// sent.
    ///
    /// - Throws: `NetworkError` as `HTTPTransport.send` does, `CancellationError` when the task is cancelled.
    func connect(to url: URL) async throws -> any ByteStream
}
