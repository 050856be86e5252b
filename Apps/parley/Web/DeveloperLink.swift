// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Glibc
import Networking

#if DEBUG
    /// The settings of the developer's page for this person's programs.
    struct DeveloperSwitches: Codable, Sendable {
        /// The condition of the network.
        enum Network: String, Codable, Sendable {
            /// As it is.
            case normal
            /// Nothing can be reached.
            case offline
            /// Each request waits for ``DeveloperTransport/delay`` first.
            case slow
            /// Each server answers with 503; connections that are not for HTTP break.
            case failing
        }

        var network = Network.normal
        /// The overridden flags, as a person writes their values.
        var flags: [String: String] = [:]

        /// The overridden flags that the program knows.
        var flagValues: [String: FlagValue] {
            let known = Dictionary(Flags.all.map { ($0.name, $0.fallback) }) { first, _ in first }
            return Dictionary(
                flags.compactMap { name, text in
                    known[name].flatMap { FlagValue(text, as: $0) }.map { (name, $0) }
                }
            ) { first, _ in first }
        }
    }

    /// A request and its end, for the developer's page: no content, no secret, no text of a person.
    struct DeveloperRequest: Codable, Sendable, Equatable {
        /// ISO 8601.
        let time: String
        /// The command, such as `listen`.
        let program: String
        let method, url: String
        /// nil without a response.
        let status: Int?
        let milliseconds: Double
        let requestBytes: Int
        let responseBytes: Int?

        /// The scheme, host and path of an address. A part of the path that may be an id, a secret or a text is left out.
        static func route(_ address: String) -> String {
            guard let url = URL(string: address), let scheme = url.scheme, let host = url.host() else { return "?" }
            let parts = url.path().split(separator: "/", omittingEmptySubsequences: false).map { part in
                let isWord = part.utf8.count <= 24 && part.utf8.allSatisfy { $0.isWordByte }
                // Digits are in ids and secrets; a version such as v1 is short.
                return isWord && (part.utf8.count <= 3 || !part.contains(where: \.isNumber)) ? String(part) : "{}"
            }
            return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")\(parts.joined(separator: "/"))"
        }
    }

    /// A line to the developer's page: a request, or without one the question for the switches.
    struct DeveloperMessage: Codable {
        var request: DeveloperRequest?
    }

    /// The way to the developer's page; without that page nothing happens.
    struct DeveloperLink: Sendable {
        let path: String
        /// This program's command.
        let program: String
        /// The time limit for the page's answer, in seconds.
        var patience = OwnSocket.patience

        init(_ path: String, program: String? = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") }) {
            (self.path, self.program) = (path, program ?? "parley")
        }

        /// The switches of the page; nil without a page.
        func switches() async -> DeveloperSwitches? {
            guard !AppPaths.isMissing(path) else { return nil }
            return await BlockingCall.run { [path, patience] in
                try? OwnSocket.exchange(DeveloperMessage(), at: path, patience: patience)
            }
        }

        /// Tells the page of a request; never waits: should the page be slow, the request is missing there.
        func tell(_ request: DeveloperRequest) {
            guard !AppPaths.isMissing(path), let descriptor = try? OwnSocket.connect(to: path) else { return }
            defer { close(descriptor) }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            OwnSocket.send(DeveloperMessage(request: request), on: descriptor)
        }
    }

    extension FlagValue {
        /// A value that a person has written, of the type of another one; nil for a text of another type.
        init?(_ text: String, as other: FlagValue) {
            let value: FlagValue? =
                switch other {
                case .boolean: Bool(text).map { .boolean($0) }
                case .integer: Int(text).map { .integer($0) }
                case .number: Double(text).map { .number($0) }
                case .text: .text(text)
                }
            guard let value else { return nil }
            self = value
        }
    }

    extension UInt8 {
        /// True for ASCII letters and digits, `-`, `_` and `.`.
        fileprivate var isWordByte: Bool {
            switch self {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
#endif
