// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with.
let package = Package(
    name: "persistence-client",
    dependencies: [.package(path: "../../../Packages/Persistence")],
    targets: [
        .target(name: "CRawSQLite", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "persistence-client",
            dependencies: ["CRawSQLite", .product(name: "Persistence", package: "Persistence")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
