// SPDX-License-Identifier: MIT

extension ServerMetrics {
    /// Everything in OpenMetrics' text format, version 1.0.0.
    public func openMetrics() -> String {
        let counts = snapshot
        var text = ""
        func family(_ name: String, _ type: String, _ help: String, unit: String? = nil) {
            text += "# TYPE \(name) \(type)\n"
            if let unit { text += "# UNIT \(name) \(unit)\n" }
            text += "# HELP \(name) \(help)\n"
        }
        family("http_requests", "counter", "Requests that were answered.")
        for (key, count) in counts.requests.sorted(by: { $0.key < $1.key }) {
            text += "http_requests_total{route=\"\(Self.escaped(key.route))\",method=\"\(key.method)\","
            text += "status=\"\(key.statusClass)xx\"} \(count)\n"
        }
        family(
            "http_request_duration_seconds", "histogram", "From the request line to the handler's answer.",
            unit: "seconds")
        for (route, histogram) in counts.durations.sorted(by: { $0.key < $1.key }) {
            let label = "route=\"\(Self.escaped(route))\""
            for (bound, count) in zip(Histogram.bounds, histogram.cumulative) {
                text += "http_request_duration_seconds_bucket{\(label),le=\"\(bound)\"} \(count)\n"
            }
            text += "http_request_duration_seconds_bucket{\(label),le=\"+Inf\"} \(histogram.total)\n"
            text += "http_request_duration_seconds_sum{\(label)} \(histogram.sum)\n"
            text += "http_request_duration_seconds_count{\(label)} \(histogram.total)\n"
        }
        family("http_requests_in_flight", "gauge", "Requests that are being read, worked at or answered.")
        text += "http_requests_in_flight \(counts.inFlight)\n"
        family("http_connections_open", "gauge", "Connections that are open.")
        text += "http_connections_open \(counts.openConnections)\n"
        family("http_connections", "counter", "Connections that were accepted.")
        text += "http_connections_total \(counts.acceptedConnections)\n"
        family("http_connections_cut", "counter", "Connections that were cut off at a deadline.")
        for kind in DeadlineKind.allCases {
            let count = counts.cutConnections[kind, default: 0]
            text += "http_connections_cut_total{deadline=\"\(kind.name)\"} \(count)\n"
        }
        return text + "# EOF\n"
    }

    private static func escaped(_ label: String) -> String {
        var text = ""
        for character in label.unicodeScalars {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
