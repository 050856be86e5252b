// SPDX-License-Identifier: MIT

import Diagnostics
import Testing

@Suite struct MetricFamilyTests {
    @Test func `a text has each family with its type, unit, help and samples`() {
        var histogram = MetricHistogram(bounds: [0.5, 1])
        for value in [0.25, 0.5, 0.75, 3] { histogram.add(value) }
        let text = OpenMetrics.text(of: [
            MetricFamily(
                name: "requests", kind: .counter, help: "Requests.",
                samples: [.init(labels: [("route", "a\"b\\c\nd")], value: 3)]),
            MetricFamily(
                name: "time_seconds", kind: .histogram, unit: "seconds", help: "Times.",
                samples: histogram.samples(labels: [("route", "/")])),
            MetricFamily(name: "open", help: "Open now.", samples: [.init(value: 1.5)]),
        ])
        #expect(
            text == """
                # TYPE requests counter
                # HELP requests Requests.
                requests_total{route="a\\"b\\\\c\\nd"} 3
                # TYPE time_seconds histogram
                # UNIT time_seconds seconds
                # HELP time_seconds Times.
                time_seconds_bucket{route="/",le="0.5"} 2
                time_seconds_bucket{route="/",le="1.0"} 3
                time_seconds_bucket{route="/",le="+Inf"} 4
                time_seconds_sum{route="/"} 4.5
                time_seconds_count{route="/"} 4
                # TYPE open gauge
                # HELP open Open now.
                open 1.5
                # EOF

                """)
    }
}
