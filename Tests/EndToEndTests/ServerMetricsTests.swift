// SPDX-License-Identifier: MIT

import TestKit
import Testing

/// The metrics of `parley-server`, as Prometheus reads them.
@Suite(.timeLimit(.minutes(5))) struct ServerMetricsTests {
    @Test func `the reference parser of OpenMetrics reads requests and state`() async throws {
        let fixture = try SignInFixture()
        let asked = try await fixture.run("sign-in", SignInFixture.email, "--no-wait")
        #expect(asked.code == 0, "\(asked)")
        let text = try await fixture.metrics()
        let samples = try await OpenMetricsReader.samples(of: text)
        #expect(samples["http_requests_total{method=POST,route=/otp,status=2xx}"] == 1, "\(text)")
        #expect(samples["http_request_duration_seconds_count{route=/otp}"] == 1, "\(text)")
        #expect(samples["http_request_duration_seconds_bucket{le=+Inf,route=/otp}"] == 1, "\(text)")
        #expect(samples["parley_mails_waiting{}"] != nil && samples["parley_disk_free_bytes{}"] ?? 0 > 0, "\(text)")
    }
}
