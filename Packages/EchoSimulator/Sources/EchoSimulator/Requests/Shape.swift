// SPDX-License-Identifier: MIT

import StructuredJSON

/// The values that a request's field may have, as the API checks it.
indirect enum Shape: Sendable {
    case any
    case string
    case boolean
    case integer(ClosedRange<Int>? = nil)
    case number(ClosedRange<Double>? = nil)
    case choice([String])
    /// An object whose members may have any name, such as metadata.
    case map(Shape)
    case array(Shape, count: ClosedRange<Int>? = nil)
    case object([Field])
    /// An object whose `type` says which fields it has; `otherwise` for one without a `type`.
    case tagged([String: [Field]], otherwise: [Field]? = nil)
    /// The value or `null`.
    case nullable(Shape)
    /// Any one of them, decided by the kind of value: a string, an array or an object.
    case either([Shape])

    /// A member of an object.
    struct Field: Sendable {
        let name: String
        let shape: Shape
        let isRequired: Bool

        init(_ name: String, _ shape: Shape, required: Bool = false) {
            self.name = name
            self.shape = shape
            isRequired = required
        }
    }

    /// The API's words for it in "expected …".
    var expectation: String {
        switch self {
        case .any: "any value"
        case .string, .choice: "a string"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a decimal"
        case .map, .object, .tagged: "an object"
        case .array: "an array"
        case .nullable(let shape): shape.expectation + " or null"
        case .either(let shapes): "one of " + shapes.map(\.expectation).joined(separator: " or ")
        }
    }
}

extension JSONValue {
    /// The API's words for it in "but got … instead".
    var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .double: "a decimal"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
