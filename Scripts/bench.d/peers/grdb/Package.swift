// swift-tools-version: 6.2
import PackageDescription

// A package of its own that nothing else depends on: what Packages/Persistence is compared with.
let package = Package(
    name: "grdb-client",
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
    targets: [
        .executableTarget(
            name: "grdb-client", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
