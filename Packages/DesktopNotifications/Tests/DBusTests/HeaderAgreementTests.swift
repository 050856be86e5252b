// SPDX-License-Identifier: MIT

import TestKit
import Testing

/// GIO is declared by hand in `shim.h`; a C compiler has to find that the same as the library's own headers.
@Suite struct HeaderAgreementTests {
    private static let packages = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    private func agrees(_ assertions: [String]) throws -> Bool {
        let options = try HeaderAgreement.options(of: "gio-2.0")
        return try HeaderAgreement.holds(
            ["gio/gio.h", Self.packages + "/DesktopNotifications/Sources/CGIO/shim.h"],
            options: options + ["-I" + Self.packages + "/LazyLibraries/Sources/CLazyLibrary/include"],
            assertions: assertions)
    }

    @Test func `the declarations agree with the library's own`() throws {
        #expect(
            try agrees([
                "CGIO_CALL_FLAGS_NONE == G_DBUS_CALL_FLAGS_NONE",
                "CGIO_CALL_FLAGS_NO_AUTO_START == G_DBUS_CALL_FLAGS_NO_AUTO_START",
                "CGIO_MESSAGE_TYPE_SIGNAL == G_DBUS_MESSAGE_TYPE_SIGNAL",
                "CGIO_CLASS_BOOLEAN == G_VARIANT_CLASS_BOOLEAN", "CGIO_CLASS_STRING == G_VARIANT_CLASS_STRING",
                "CGIO_CONNECTION_FLAGS == (G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | "
                    + "G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION)",
                "CGIO_ERROR_TIMED_OUT == G_IO_ERROR_TIMED_OUT",
            ]))
    }

    @Test func `a wrong number is found`() throws {
        #expect(try !agrees(["CGIO_CLASS_STRING == G_VARIANT_CLASS_BOOLEAN"]))
    }
}
