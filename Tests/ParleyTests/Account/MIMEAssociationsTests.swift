// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct MIMEAssociationsTests {
    @Test func `the program goes and everything else stays`() {
        let before = """
            [Default Applications]
            text/html=firefox.desktop
            x-scheme-handler/parley=parley-sign-in.desktop

            [Added Associations]
            x-scheme-handler/parley=parley-sign-in.desktop;other.desktop;
            text/plain=parley-sign-in.desktop;

            """
        let after = """
            [Default Applications]
            text/html=firefox.desktop

            [Added Associations]
            x-scheme-handler/parley=other.desktop;
            text/plain=parley-sign-in.desktop;

            """
        let type = "x-scheme-handler/parley"
        #expect(MIMEAssociations.removing("parley-sign-in.desktop", for: type, from: before) == after)
        #expect(MIMEAssociations.removing("parley-sign-in.desktop", for: type, from: after) == after)
        #expect(MIMEAssociations.removing("x", for: type, from: "no=\nlist\n") == "no=\nlist\n")
    }

    @Test func `both services find the home that was set`() {
        let home = #"ExecStart="/usr/bin/env" "PARLEY_HOME=/srv/ada" "/usr/bin/parley""#
        #expect(UserUnit.listen(program: "/usr/bin/parley", arguments: ["listen"], home: "/srv/ada").contains(home))
        let service = UserUnit.sync(program: "/usr/bin/parley", home: "/srv/ada")
        #expect(service.contains(home) && service.contains("\nSuccessExitStatus=130\n"), "a stop is no failure")
        #expect(
            UserUnit.listen(program: "/usr/bin/parley", arguments: ["listen"], home: nil)
                .contains(#"ExecStart="/usr/bin/parley" "listen""#))
    }
}
