// SPDX-License-Identifier: MIT

extension JSONSchema {
    /// The schema of the values that `type` decodes from, found by decoding it from a decoder that notes its requests.
    ///
    /// Structs become objects with the properties in the order in which they are decoded; optional ones are not
    /// required. Enumerations with raw values become an `enum`, those with payloads `oneOf` objects with one property,
    /// as the compiler codes them. Dates are text by RFC 3339, `Data` is Base64, as ``decode(_:from:)`` reads them. A
    /// type that contains itself is a `$ref`. A decoder written by hand is called with made-up values.
    ///
    /// - Throws: `JSONSchemaError` if the schema cannot be derived.
    public static func of(_ type: any Decodable.Type) throws(JSONSchemaError) -> JSONSchema {
        let builder = SchemaBuilder(root: type)
        return JSONSchema(try builder.document())
    }
}

/// Derives the schema of one type and of all types in it.
final class SchemaBuilder {
    private let root: any Decodable.Type
    private var path: [ObjectIdentifier] = []
    private var names: [ObjectIdentifier: String] = [:]
    private var definitions = JSONObject()
    private let dummies = DummyMaker()

    init(root: any Decodable.Type) { self.root = root }

    func document() throws(JSONSchemaError) -> JSONValue {
        guard case .object(var keywords) = try schema(of: root), !definitions.isEmpty else {
            return try schema(of: root)
        }
        keywords["$defs"] = .object(definitions)
        return .object(keywords)
    }

    private func schema(of type: any Decodable.Type) throws(JSONSchemaError) -> JSONValue {
        if let known = type as? any JSONSchemaRepresentable.Type { return known.jsonSchema.json }
        if let known = KnownSchemas.of(type) { return known }
        if let optional = type as? any OptionalType.Type { return try schema(of: optional.wrappedType).nullableSchema }
        if let list = type as? any ListType.Type {
            var keywords: JSONObject = ["type": "array", "items": try schema(of: list.elementType)]
            if list.hasUniqueElements { keywords["uniqueItems"] = true }
            return .object(keywords)
        }
        if let dictionary = type as? any DictionaryType.Type {
            return ["type": "object", "additionalProperties": try schema(of: dictionary.valueType)]
        }
        if let raw = type as? any RawRepresentable.Type, let values = RawCases.of(raw) { return Self.choice(values) }
        return try composite(type)
    }

    /// A type of the user's: inspected once for each place where it occurs, and referred to within itself.
    private func composite(_ type: any Decodable.Type) throws(JSONSchemaError) -> JSONValue {
        let identity = ObjectIdentifier(type)
        if path.contains(identity) {
            if identity == ObjectIdentifier(root) { return ["$ref": "#"] }
            return ["$ref": .string("#/$defs/" + name(of: type))]
        }
        path.append(identity)
        defer { path.removeLast() }
        var keywords = try look(into: type)
        if let described = type as? any JSONSchemaDescribed.Type { describe(&keywords, described) }
        guard let name = names[identity] else { return keywords }
        definitions[name] = keywords
        return ["$ref": .string("#/$defs/" + name)]
    }

    private func name(of type: any Decodable.Type) -> String {
        if let name = names[ObjectIdentifier(type)] { return name }
        let plain = String(String(describing: type).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        var name = plain
        var number = 2
        while names.values.contains(name) {
            name = "\(plain)_\(number)"
            number += 1
        }
        names[ObjectIdentifier(type)] = name
        return name
    }

    private func look(into type: any Decodable.Type) throws(JSONSchemaError) -> JSONValue {
        var choices: [JSONValue] = []
        var probe = Probe()
        repeat {
            probe = Probe(chosenCase: choices.count)
            try dummies.decode(type, noting: probe)
            choices.append(try schema(of: probe))
        } while choices.count < probe.caseCount
        return choices.count == 1 ? choices[0] : ["oneOf": .array(choices)]
    }

    private func schema(of probe: Probe) throws(JSONSchemaError) -> JSONValue {
        switch probe.shape {
        case .nothing, .object: return try object(probe)
        case .array:
            var items: [JSONValue] = []
            for element in probe.elements {
                let schema = try schema(of: element)
                if !items.contains(schema) { items.append(schema) }
            }
            guard let first = items.first else { return ["type": "array"] }
            return ["type": "array", "items": items.count == 1 ? first : ["anyOf": .array(items)]]
        case .single:
            guard let element = probe.elements.first else { return ["type": "null"] }
            return try schema(of: element)
        }
    }

    private func schema(of element: Probe.Element) throws(JSONSchemaError) -> JSONValue {
        switch element {
        case .type(let type): try schema(of: type)
        case .nested(let probe): try schema(of: probe)
        }
    }

    private func object(_ probe: Probe) throws(JSONSchemaError) -> JSONValue {
        var properties = JSONObject()
        for property in probe.properties {
            let schema = try schema(of: property.element)
            properties[property.name] = property.isOptional ? schema.nullableSchema : schema
        }
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(probe.properties.filter { !$0.isOptional }.map { .string($0.name) }),
            "additionalProperties": .bool(probe.takesAnyName),
        ]
    }

    static func choice(_ values: [JSONValue]) -> JSONValue {
        let kinds = Set(values.map(\.kind))
        guard let kind = kinds.first, kinds.count == 1 else { return ["enum": .array(values)] }
        return ["type": .string(kind), "enum": .array(values)]
    }

    private func describe(_ schema: inout JSONValue, _ described: any JSONSchemaDescribed.Type) {
        guard case .object(var keywords) = schema else { return }
        if let text = described.schemaDescription { keywords["description"] = .string(text) }
        if var properties = keywords["properties"]?.object {
            for (name, text) in described.propertyDescriptions {
                guard case .object(var property) = properties[name] else { continue }
                property["description"] = .string(text)
                properties[name] = .object(property)
            }
            keywords["properties"] = .object(properties)
        }
        schema = .object(keywords)
    }
}
