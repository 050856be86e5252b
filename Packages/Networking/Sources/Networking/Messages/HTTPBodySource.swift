// SPDX-License-Identifier: MIT

/// Where a response's body comes from. For transports and stages that wrap a body.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// What is known about the transfer by now.
    var summary: HTTPTransferSummary { get }
    /// The next chunk, never empty, or `nil` at the end, for ever after.
    ///
    /// - Throws: `NetworkError` when the transfer fails, `CancellationError` when the reading task is cancelled.
    func next() async throws -> [UInt8]?
}
