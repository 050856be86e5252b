// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct AppPathsTests {
    @Test(arguments: [
        (["PARLEY_HOME": "/p", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/p/data/conversations.sqlite"),
        (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/parley/conversations.sqlite"),
        (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/parley/conversations.sqlite"),
        (["XDG_DATA_HOME": "", "PARLEY_HOME": "", "HOME": "/h"], "/h/.local/share/parley/conversations.sqlite"),
    ])
    func theDatabaseIsWhereTheEnvironmentSays(_ environment: [String: String], _ expected: String) {
        #expect(AppPaths(environment: environment).conversations == expected)
    }
}
