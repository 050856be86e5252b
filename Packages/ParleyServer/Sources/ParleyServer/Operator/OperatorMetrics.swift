// SPDX-License-Identifier: MIT

import HTTPServer
import Networking

/// The metrics other than those of requests, in OpenMetrics' text format.
struct OperatorMetrics: Sendable {
    /// A value with its labels.
    struct Sample: Sendable {
        var labels: [(name: String, value: String)] = []
        let value: Int
    }

    /// Samples of one name.
    struct Family: Sendable {
        enum Kind: String, Sendable {
            case counter, gauge
        }

        let name: String
        let kind: Kind
        let help: String
        let samples: [Sample]
    }

    let http: ServerMetrics
    let families: @Sendable () async throws -> [Family]

    var handler: HTTPHandler {
        { _ in
            // The families precede the mark of the end.
            let end = "# EOF\n"
            var text = String(http.openMetrics().dropLast(end.count))
            for family in try await families() { text += Self.text(of: family) }
            var response = ServerResponse.text(
                text + end, contentType: "application/openmetrics-text; version=1.0.0; charset=utf-8")
            response.headers["Cache-Control"] = "no-store"
            return response
        }
    }

    private static func text(of family: Family) -> String {
        let suffix = family.kind == .counter ? "_total" : ""
        var text = "# TYPE \(family.name) \(family.kind.rawValue)\n# HELP \(family.name) \(family.help)\n"
        for sample in family.samples {
            // Names and values are the program's own and need no escape.
            let labels = sample.labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
            text += family.name + suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
        }
        return text
    }
}
