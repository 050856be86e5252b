// SPDX-License-Identifier: MIT

/// A type that states its schema, since it cannot be derived, or to say more than can be derived.
public protocol JSONSchemaRepresentable {
    /// What the type's encoded form looks like.
    static var jsonSchema: JSONSchema { get }
}

/// A type that explains its properties to the model.
public protocol JSONSchemaDescribed {
    /// What the type is, in a sentence.
    static var schemaDescription: String? { get }
    /// What its properties mean, by their coding keys.
    static var propertyDescriptions: [String: String] { get }
}

extension JSONSchemaDescribed {
    /// None, unless the type has one.
    public static var schemaDescription: String? { nil }
    /// None, unless the type has some.
    public static var propertyDescriptions: [String: String] { [:] }
}
