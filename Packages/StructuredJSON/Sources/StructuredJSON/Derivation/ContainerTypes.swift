// SPDX-License-Identifier: MIT

/// `Optional`, seen from its metatype.
protocol OptionalType {
    static var wrappedType: any Decodable.Type { get }
    static var absent: Any { get }
}

extension Optional: OptionalType where Wrapped: Decodable {
    static var wrappedType: any Decodable.Type { Wrapped.self }
    static var absent: Any { Self.none as Any }
}

/// A type that is coded as an array of one type.
protocol ListType {
    static var elementType: any Decodable.Type { get }
    static var hasUniqueElements: Bool { get }
    static var none: Any { get }
}

extension Array: ListType where Element: Decodable {
    static var elementType: any Decodable.Type { Element.self }
    static var hasUniqueElements: Bool { false }
    static var none: Any { Self() }
}

extension Set: ListType where Element: Decodable {
    static var elementType: any Decodable.Type { Element.self }
    static var hasUniqueElements: Bool { true }
    static var none: Any { Self() }
}

/// A dictionary that is coded as an object.
protocol DictionaryType {
    static var valueType: any Decodable.Type { get }
    static var none: Any { get }
}

extension Dictionary: DictionaryType where Key == String, Value: Decodable {
    static var valueType: any Decodable.Type { Value.self }
    static var none: Any { Self() }
}
