// SPDX-License-Identifier: MIT

import Networking
import TerminalKit

/// The output of one request and its result.
struct ExchangeOutput: Encodable, Equatable {
    /// A part of the time that an exchange took.
    struct Phase: Encodable, Equatable {
        let name: String
        let milliseconds: Double
    }

    let number: Int
    let method: String
    let url: String
    let status: Int?
    let version: String?
    let error: String?
    let contentBytes: Int
    let wireBytes: Int
    let remoteAddress: String?
    let phases: [Phase]
    let milliseconds: Double

    /// Copies the shown parts of an exchange.
    init(_ exchange: NetworkExchange) {
        let timings = exchange.summary.timings
        number = exchange.number
        method = exchange.method.rawValue
        url = exchange.url
        status = exchange.status
        version = exchange.version?.description
        switch exchange.outcome {
        case .complete: error = nil
        case .dropped: error = "dropped"
        case .cancelled: error = "cancelled"
        case .failed(let code, _): error = code.rawValue
        }
        contentBytes = exchange.contentBytes
        wireBytes = exchange.summary.bytesReceived
        remoteAddress = exchange.summary.remoteAddress
        phases = Self.phases(of: timings)
        milliseconds = exchange.duration.tenths
    }

    /// The exchange on one line.
    var line: String {
        let result = status.map { "\($0) \(version ?? "")" } ?? "no response"
        let size = contentBytes == wireBytes ? "\(contentBytes) bytes" : "\(contentBytes) bytes (\(wireBytes) sent)"
        let parts = phases.map { "\($0.name) \($0.milliseconds)" } + ["total \(milliseconds) ms"]
        let problem = error.map { ", \($0)" } ?? ""
        return "#\(number) \(method) \(url): \(result), \(size)\(problem); \(parts.joined(separator: ", "))".printable
    }

    /// Phases that took place, each from the end of the one before it.
    private static func phases(of timings: HTTPTimings) -> [Phase] {
        let ends = [
            ("name", timings.resolved), ("connect", timings.connected), ("TLS", timings.secured),
            ("wait", timings.firstByte), ("receive", timings.total),
        ]
        var before = Duration.zero
        return ends.compactMap { name, end in
            guard end > before else { return nil }
            defer { before = end }
            return Phase(name: name, milliseconds: (end - before).tenths)
        }
    }
}

extension Duration {
    /// The duration in milliseconds, to the tenth.
    fileprivate var tenths: Double { (self / .milliseconds(0.1)).rounded() / 10 }
}
