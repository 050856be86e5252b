// SPDX-License-Identifier: MIT

/// Makes up values of any decodable type, so that a decoder under observation can continue.
final class DummyMaker {
    private var path: [any Decodable.Type] = []
    private var made: [ObjectIdentifier: Any] = [:]

    /// Lets the type decode itself, and notes its requests.
    func decode(_ type: any Decodable.Type, noting probe: Probe) throws(JSONSchemaError) {
        func run<T: Decodable>(_ type: T.Type) throws {
            _ = try T(from: ProbeDecoder(probe: probe, dummies: self))
        }
        do { try run(type) } catch let error as JSONSchemaError { throw error } catch {
            throw .notDerivable(type: "\(type)", reason: "its init(from:) threw \(error).")
        }
    }

    func value<T: Decodable>(of type: T.Type) throws -> T {
        if let made = made[ObjectIdentifier(type)] as? T { return made }
        let value = try fixed(type) ?? decoded(type)
        made[ObjectIdentifier(type)] = value
        return value
    }

    private func fixed<T: Decodable>(_ type: T.Type) -> T? {
        if let known = KnownSchemas.example(type) { return known as? T }
        if let optional = type as? any OptionalType.Type { return optional.absent as? T }
        if let list = type as? any ListType.Type { return list.none as? T }
        if let dictionary = type as? any DictionaryType.Type { return dictionary.none as? T }
        if let raw = type as? any RawRepresentable.Type { return RawCases.first(of: raw) as? T }
        return nil
    }

    /// An enumeration's first case that does not need a value of the enumeration itself.
    private func decoded<T: Decodable>(_ type: T.Type) throws -> T {
        guard !path.contains(where: { $0 == type }) else { throw JSONSchemaError.endless(type: "\(type)") }
        path.append(type)
        defer { path.removeLast() }
        var chosen = 0
        while true {
            let probe = Probe(chosenCase: chosen)
            do { return try T(from: ProbeDecoder(probe: probe, dummies: self)) } catch {
                chosen += 1
                guard chosen < probe.caseCount else { throw error }
            }
        }
    }
}
