// SPDX-License-Identifier: MIT

import Glibc
import Networking

/// The checked head of a request.
struct RequestHead: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let headers: HTTPHeaders
    let host: String?
    let framing: RequestFraming
    let expectsContinue: Bool

    /// Checks the head from the library, which accepts more than is safe.
    ///
    /// - Throws: The problem to answer with.
    init(_ raw: RawHead, limits: HTTPServerConfiguration) throws(ServerProblem) {
        guard HeaderRules.isToken(raw.method) else { throw .badRequest("The method is not a token.") }
        method = HTTPMethod(rawValue: String(decoding: raw.method, as: UTF8.self))
        guard raw.target.count <= limits.maximumTargetBytes else {
            throw ServerProblem(
                status: 414, detail: "The address may have at most \(limits.maximumTargetBytes) bytes.")
        }
        guard raw.size <= limits.maximumHeaderBytes, raw.fields.count <= limits.maximumHeaderFields else {
            throw ServerProblem(
                status: 431,
                detail: "The header may have at most \(limits.maximumHeaderBytes) bytes and "
                    + "\(limits.maximumHeaderFields) fields.")
        }
        if let fault = raw.lineFault { throw .badRequest(fault) }
        headers = try Self.headers(raw.fields)
        do throws(RequestTarget.Refusal) {
            target = try RequestTarget(raw.target)
        } catch {
            throw .badRequest("The address \(error.finding).")
        }
        guard !target.isAsterisk || method == .options else { throw .badRequest("Only OPTIONS asks for *.") }
        host = try Self.host(headers, target: target, isHTTP11: raw.isHTTP11)
        framing = try RequestFraming(headers, isHTTP11: raw.isHTTP11)
        switch headers.values(for: "Expect").map({ $0.lowercased() }) {
        case []: expectsContinue = false
        case ["100-continue"]: expectsContinue = raw.isHTTP11
        default: throw ServerProblem(status: 417, detail: "The only expectation that is understood is 100-continue.")
        }
    }

    private static func headers(_ fields: [RawHead.Field]) throws(ServerProblem) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in fields {
            guard HeaderRules.isToken(field.name) else { throw .badRequest("A field's name is not a token.") }
            guard field.value.allSatisfy(HeaderRules.mayStandInValue) else {
                throw .badRequest("A field's value has a control character in it.")
            }
            headers.add(name: String(decoding: field.name, as: UTF8.self), value: text(of: field.value))
        }
        return headers
    }

    /// Decodes valid UTF-8, else Latin-1: HTTP defines no encoding, and no byte may be lost.
    private static func text(of value: [UInt8]) -> String {
        var value = value[...]
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        return String(validating: value, as: UTF8.self)
            ?? String(String.UnicodeScalarView(value.map(Unicode.Scalar.init)))
    }

    private static func host(
        _ headers: HTTPHeaders, target: RequestTarget, isHTTP11: Bool
    ) throws(ServerProblem) -> String? {
        let hosts = headers.values(for: "Host")
        guard hosts.count <= 1 else { throw .badRequest("Host may occur once.") }
        guard let host = hosts.first else {
            guard !isHTTP11 else { throw .badRequest("HTTP/1.1 demands a Host field.") }
            return target.authority
        }
        guard HeaderRules.isHost(host) else { throw .badRequest("Host is malformed.") }
        // The target's authority replaces the field (RFC 9112 §3.2.2).
        return target.authority ?? host
    }
}

/// The unit of the limit on connections: a whole IPv4 address, or the first 64 bits of an IPv6 address, since a single
/// host can use all addresses of its /64 (RFC 4291 §2.5.4).
struct ClientNetwork: Sendable, Hashable {
    private let bytes: UInt64
    private let isVersion6: Bool

    /// Nil for an invalid address.
    init?(_ address: SocketAddress) {
        isVersion6 = address.isVersion6
        if address.isVersion6 {
            var six = in6_addr()
            guard inet_pton(SocketConstants.ipv6, address.host, &six) == 1 else { return nil }
            bytes = withUnsafeBytes(of: six) { $0.loadUnaligned(as: UInt64.self) }
        } else {
            var four = in_addr()
            guard inet_pton(SocketConstants.ipv4, address.host, &four) == 1 else { return nil }
            bytes = UInt64(four.s_addr)
        }
    }
}
