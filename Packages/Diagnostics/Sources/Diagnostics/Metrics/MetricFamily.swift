// SPDX-License-Identifier: MIT

/// The samples of one metric.
public struct MetricFamily: Sendable {
    /// The type of a metric.
    public enum Kind: String, Sendable {
        /// A count that only grows. Its samples are written with `_total` behind the name.
        case counter
        /// A value that rises and falls.
        case gauge
        /// Counts by bounds: ``MetricHistogram/samples(labels:)``.
        case histogram
        /// Percentiles; their samples have the label `quantile`.
        case summary
    }

    /// A value with its labels.
    public struct Sample: Sendable {
        /// The labels, in the order in which they are written. A name is of letters, digits and `_`; a value is any text.
        public let labels: [(name: String, value: String)]
        let suffix: String
        let text: String

        /// A whole number.
        public init(labels: [(name: String, value: String)] = [], value: Int) {
            self.init(labels, "", "\(value)")
        }

        /// A number.
        public init(labels: [(name: String, value: String)] = [], value: Double) {
            self.init(labels, "", "\(value)")
        }

        init(_ labels: [(name: String, value: String)], _ suffix: String, _ text: String) {
            (self.labels, self.suffix, self.text) = (labels, suffix, text)
        }
    }

    /// The name, which ends in the unit, if there is one.
    public let name: String
    /// The type.
    public let kind: Kind
    /// The unit, such as `seconds`.
    public let unit: String?
    /// The description: one line, without quotation marks and backslashes.
    public let help: String
    /// The values, in the order in which they are written.
    public let samples: [Sample]

    /// A metric.
    public init(name: String, kind: Kind = .gauge, unit: String? = nil, help: String, samples: [Sample]) {
        (self.name, self.kind, self.unit, self.help, self.samples) = (name, kind, unit, help, samples)
    }
}

/// The text format of OpenMetrics 1.0, which Prometheus and its like read.
public enum OpenMetrics {
    /// The `Content-Type` of the text.
    public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// The text of some metrics, each name at most once.
    public static func text(of families: [MetricFamily]) -> String {
        var text = ""
        for family in families {
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            if let unit = family.unit { text += "# UNIT \(family.name) \(unit)\n" }
            text += "# HELP \(family.name) \(family.help)\n"
            let suffix = family.kind == .counter ? "_total" : ""
            for sample in family.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
                text += family.name + suffix + sample.suffix + (labels.isEmpty ? "" : "{\(labels)}")
                text += " \(sample.text)\n"
            }
        }
        return text + "# EOF\n"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
