// SPDX-License-Identifier: MIT

import Testing

/// The entry point of the test executable, which `Scripts/test` runs. There are no XCTests, and a package that says so by a file
/// of this name builds without the index that they are looked for in, a fifth of the build's work.
@main
struct AllTests {
    static func main() async {
        // `swift test` runs the executable once for each testing library.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
