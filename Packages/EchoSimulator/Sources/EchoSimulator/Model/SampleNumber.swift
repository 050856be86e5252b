// SPDX-License-Identifier: MIT

import StructuredJSON

/// A number within a schema's bounds, the wished one if it lies there.
struct SampleNumber {
    private let least: Double
    private let most: Double
    private let step: Double?

    init(_ schema: JSONValue) {
        let isWhole = schema["type"]?.string == "integer"
        let step = schema["multipleOf"]?.double ?? (isWhole ? 1 : nil)
        self.step = step
        let edge = step ?? 0.5
        var (least, most) = (schema["minimum"]?.double ?? -1e15, schema["maximum"]?.double ?? 1e15)
        if let above = schema["exclusiveMinimum"]?.double { least = max(least, above + edge) }
        if let below = schema["exclusiveMaximum"]?.double { most = min(most, below - edge) }
        if least > most, let above = schema["exclusiveMinimum"]?.double, let below = schema["exclusiveMaximum"]?.double
        {
            (least, most) = ((above + below) / 2, (above + below) / 2)
        }
        (self.least, self.most) = (least, most)
    }

    func integer(_ wish: Double?) -> Int { Int(exactly: value(wish).rounded()) ?? 0 }

    func number(_ wish: Double?) -> JSONValue {
        let value = value(wish)
        return Int(exactly: value).map(JSONValue.integer) ?? .double(value)
    }

    private func value(_ wish: Double?) -> Double {
        let wished = max(least, min(most, wish ?? 1))
        guard let step, step > 0 else { return wished }
        let up = (wished / step).rounded(.up) * step
        return up <= most ? up : (most / step).rounded(.down) * step
    }
}
