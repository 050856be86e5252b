// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// The reference parser of OpenMetrics in Python (`prometheus_client`), which refuses a text that breaks the format.
enum OpenMetricsReader {
    private static let python = URL(filePath: #filePath).appending(path: "../../../.venv-peers/bin/python").standardized
        .path

    /// The samples of a text: "name{a=b}" and the value.
    static func samples(of text: String) async throws -> [String: Double] {
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        let script = """
            import json, sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families
            samples = {}
            for family in text_string_to_metric_families(sys.stdin.read()):
                for sample in family.samples:
                    labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()) if v)
                    samples[sample.name + "{" + labels + "}"] = sample.value
            print(json.dumps(samples))
            """
        let process = try ChildProcess(python, ["-c", script], input: .pipe, errors: .captured)
        process.write(text)
        let result = await process.finished()
        try #require(result.code == 0, "\(result.errors)\n\(text)")
        let samples = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return try #require(samples as? [String: Double])
    }
}
