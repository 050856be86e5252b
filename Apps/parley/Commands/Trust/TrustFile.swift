// SPDX-License-Identifier: MIT

import Domain
import Networking
import StructuredJSON

/// The keys that servers must present: `trust.json` in the configuration folder.
///
/// ```
/// {"pins": {"example.org": ["lPfpVhK3kd2tB5F6vXk6N5hN3Bz0o1h2l9d8Yw3q1aE="]}}
/// ```
/// A file that cannot be read as a whole is an error for every connection: otherwise damage would turn pins off.
struct TrustFile: Sendable {
    private static let member = "pins"

    let file: SettingsFile

    init(path: String) {
        file = SettingsFile(
            path: path,
            remedy: "Correct it, or move it away and pin the servers again with parley trust pin HOST.")
    }

    /// The pins by host.
    func load() throws -> [String: [PublicKeyPin]] { try pins(in: try file.load()) }

    /// Adds a key to the pins of a host.
    ///
    /// - Returns: False if the key is pinned already.
    func add(_ pin: PublicKeyPin, for host: String) throws -> Bool {
        try file.update { object in
            var pins = try pins(in: object)
            guard !pins[host, default: []].contains(pin) else { return false }
            pins[host, default: []].append(pin)
            object[Self.member] = Self.json(pins)
            return true
        }
    }

    /// Removes one key of a host, or all of them.
    ///
    /// - Returns: False if there was no such pin.
    func remove(_ pin: PublicKeyPin?, of host: String) throws -> Bool {
        try file.update { object in
            var pins = try pins(in: object)
            let rest = (pins[host] ?? []).filter { pin != nil && $0 != pin }
            guard let known = pins[host], rest.count < known.count else { return false }
            pins[host] = rest.isEmpty ? nil : rest
            object[Self.member] = Self.json(pins)
            return true
        }
    }

    private func pins(in object: JSONObject) throws -> [String: [PublicKeyPin]] {
        guard let value = object[Self.member] else { return [:] }
        guard let hosts = value.object else {
            throw file.damaged("\(Self.member): an object was expected")
        }
        var pins: [String: [PublicKeyPin]] = [:]
        for (host, value) in hosts {
            let keys = value.array?.map { $0.string.flatMap { PublicKeyPin(base64: $0) } } ?? []
            guard !keys.isEmpty, keys.allSatisfy({ $0 != nil }) else {
                throw file.damaged("\(Self.member).\(host): keys of 44 characters in base64 were expected")
            }
            guard !host.isEmpty, host == host.lowercased() else {
                throw file.damaged("\(Self.member).\(host): a host's name in lower case was expected")
            }
            pins[host] = keys.compactMap { $0 }
        }
        return pins
    }

    private static func json(_ pins: [String: [PublicKeyPin]]) -> JSONValue {
        .object(
            JSONObject(
                pins.sorted { $0.key < $1.key }.map {
                    ($0.key, .array($0.value.map { .string($0.base64) }))
                }))
    }
}
