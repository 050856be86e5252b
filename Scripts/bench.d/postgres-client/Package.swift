// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product never links what a benchmark compares with.
let package = Package(
    name: "postgres-client",
    dependencies: [.package(path: "../../../Packages/Postgres")],
    targets: [
        .executableTarget(
            name: "postgres-client", dependencies: [.product(name: "Postgres", package: "Postgres")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "postgres-c", cSettings: [.unsafeFlags(["-O2", "-I/usr/include/postgresql"])],
            linkerSettings: [.linkedLibrary("pq")]),
    ],
    swiftLanguageModes: [.v6]
)
