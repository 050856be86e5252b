// SPDX-License-Identifier: MIT

import CLazyLibraryTestSupport
import Glibc
import Testing

/// One at a time: a child that is forked while another thread loads a library would wait for that thread's lock for ever.
@Suite(.serialized) struct LazyLibraryTests {
    @Test func `the first call loads and keeps every argument`() {
        #expect(csamples_is_loaded() == 0)
        var text = [CChar](repeating: 0, count: 200)
        let count = csamples_format(&text, 200)
        let formatted = String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(formatted == "1 0.5 2 1.5 3 2.5 4 3.5 5 4.5 6 5.5 7 6.5 8 7.5 8.5")
        #expect(csamples_is_loaded() == 1)
        #expect(csamples_fma(2, 3, 4) == 10)
        #expect(csample_load() == nil)
    }

    @Test func `a missing library's package is named`() throws {
        let reason = String(cString: try #require(cabsent_load()))
        #expect(reason.contains("libparley-absent.so.1"))
        #expect(reason.hasSuffix("Install the package libparley-absent1."))
        #expect(cabsent_load() != nil)
    }

    @Test func `a missing function is a reason, too`() throws {
        let reason = String(cString: try #require(clacking_load()))
        #expect(reason.contains("parley_lacking"))
        // What the library has was found before.
        #expect(clacking_uses_what_is_there() == 1)
    }

    @Test func `a call without its library ends the process`() {
        #expect(cabsent_signal_of_call() == SIGABRT)
    }
}
