// SPDX-License-Identifier: MIT

import Networking
import Testing

struct HTTPHeadersTests {
    @Test func namesCompareWithoutCaseAndKeepTheirOrder() {
        var headers: HTTPHeaders = ["Accept": "a", "X-One": "1", "accept": "b"]
        #expect(headers["ACCEPT"] == "a")
        #expect(headers.values(for: "Accept") == ["a", "b"])
        #expect(headers.combined(for: "accept") == "a, b")
        headers["aCCept"] = "c"
        #expect(headers.map(\.name) == ["aCCept", "X-One"])
        headers["Accept"] = nil
        #expect(headers.map(\.value) == ["1"])
        headers.add(name: "x-one", value: "2")
        #expect(headers.combined(for: "X-One") == "1, 2")
        #expect(headers == ["x-oNE": "1", "X-one": "2"])
        #expect(Set([headers]).contains(["X-One": "1", "X-One": "2"]))
    }
}
