// SPDX-License-Identifier: MIT

import StructuredJSON

/// A response that can be retrieved.
struct StoredResponse: Sendable {
    let id: String
    /// The response as it is in the end.
    var final: JSONValue
    /// All events of its stream, even those that were never sent.
    let events: [JSONValue]
    /// All items before it, which `previous_response_id` continues.
    let context: [JSONValue]
    let isBackground: Bool
    let isStreamed: Bool
    /// The number of retrievals. In the background a response advances one step at each, so that nothing depends on
    /// time.
    var questions = 0
    var isCancelled = false

    /// True once the response is complete.
    var isOver: Bool { !isBackground || isStreamed || questions >= 2 }

    /// The response as it is now.
    var current: JSONValue {
        guard isCancelled || !isOver, var object = final.object else { return final }
        object["status"] = isCancelled ? "cancelled" : questions == 0 ? "queued" : "in_progress"
        object["output"] = []
        object["usage"] = nil
        object["usage"] = .null
        object["completed_at"] = .null
        object["incomplete_details"] = .null
        object["error"] = .null
        return .object(object)
    }
}
