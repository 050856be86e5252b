// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The values of a trace as JSON. What is read back is Codable; actions are only compared, so they are reflected.
enum TraceCoding {
    /// A century in seconds: beyond it nothing was recorded.
    static let maximumSeconds = 100 * 366 * 86_400

    /// Members with the program's own JSON.
    private static let schemas: Set<String> = ["parameters", "hosted", "variables", "metadata"]

    /// The value as JSON, without private data.
    static func json(_ value: some Encodable) -> JSONValue {
        let encoder = JSONEncoder()
        guard let data = try? encoder.encode(value), let json = try? JSONValue(parsing: Array(data)) else {
            return .null
        }
        return TraceRedaction.redacted(json)
    }

    /// A value from its JSON.
    ///
    /// - Throws: `WireError` if it is not such a value, or has numbers that nothing recorded.
    static func value<Value: Decodable>(
        _ type: Value.Type, from json: JSONValue, _ subject: String
    ) throws(WireError) -> Value {
        guard isBounded(json), let value = try? JSONDecoder().decode(type, from: Data(json.text.utf8)) else {
            throw WireError(subject, expected: "\(type) of a trace")
        }
        return value
    }

    /// The action as JSON, without private data.
    static func json(_ action: VoiceAction) -> JSONValue { reflected(action, name: "") }

    private static func reflected(_ value: Any, name: String) -> JSONValue {
        switch value {
        case let text as String: return TraceRedaction.redacted(.string(text), name: name)
        case let bytes as [UInt8]: return TraceRedaction.sound(bytes)
        case let flag as Bool: return .bool(flag)
        case let number as Int: return .integer(number)
        case let number as Double: return .double(number)
        case let duration as Duration: return .integer(duration.traceNanoseconds)
        case let event as ClientEvent: return TraceRedaction.redacted(event.json)
        case let json as JSONValue: return TraceRedaction.redacted(json)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { reflected($0.value, name: name) } ?? .null
        case .collection: return .array(mirror.children.map { reflected($0.value, name: name) })
        case .enum:
            guard let child = mirror.children.first, let label = child.label else { return .string("\(value)") }
            return [label: reflected(child.value, name: label)]
        default:
            let members = mirror.children.enumerated().map { index, child in
                let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
                return (label ?? "_\(index)", reflected(child.value, name: label ?? ""))
            }
            return .object(JSONObject(members))
        }
    }

    /// True if the machine can calculate with all numbers. A duration is a pair: 2⁶⁴ and single attoseconds.
    private static func isBounded(_ json: JSONValue, name: String = "") -> Bool {
        switch json {
        case .integer(let number): return name == "seed" || (0...1 << 40).contains(number)
        case .array(let values):
            if values.count == 2, let high = values[0].integer, values[1].double != nil {
                return (0...maximumSeconds / 18).contains(high)
            }
            return values.allSatisfy { isBounded($0) }
        case .object(let object):
            return object.allSatisfy { schemas.contains($0.name) || isBounded($0.value, name: $0.name) }
        case .double(let number): return abs(number) <= Double(1 << 40)
        case .null, .bool, .string: return true
        }
    }
}

extension Duration {
    /// Whole nanoseconds, rounded down; the largest that fit if there are more.
    var traceNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLargeToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || isTooLargeToo ? (seconds < 0 ? .min : .max) : Int(sum)
    }

    /// The rest below ``traceNanoseconds``, in attoseconds: pauses are random fractions of others.
    var traceAttoseconds: Int { Int(components.attoseconds % 1_000_000_000) }
}
