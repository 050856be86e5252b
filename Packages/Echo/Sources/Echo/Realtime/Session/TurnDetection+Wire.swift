// SPDX-License-Identifier: MIT

extension TurnDetection {
    /// The form in a session's configuration: `null` if the server does not detect turns.
    var json: JSONValue {
        guard case .automatic(let configuration) = self else { return .null }
        return configuration.json
    }
}

extension VADConfiguration {
    var json: JSONValue {
        var object: JSONObject = [
            "create_response": .bool(createsResponse), "interrupt_response": .bool(interruptsResponse),
        ]
        switch detector {
        case .loudness:
            object["type"] = "server_vad"
            object["threshold"] = .double(threshold)
            object["silence_duration_ms"] = .integer(silenceDuration.wholeMilliseconds)
            object["prefix_padding_ms"] = .integer(prefixPadding.wholeMilliseconds)
            object.set("idle_timeout_ms", idleTimeout.map { .integer($0.wholeMilliseconds) })
        case .semantic(let eagerness):
            object["type"] = "semantic_vad"
            object["eagerness"] = .string(eagerness.rawValue)
        }
        return .object(object)
    }
}

extension Duration {
    /// Whole milliseconds, rounded down; the largest that fit if there are more.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooLarge else { return seconds < 0 ? .min : .max }
        let (sum, isTooLargeToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isTooLargeToo ? (seconds < 0 ? .min : .max) : Int(clamping: sum)
    }
}
