// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "sync-client",
    dependencies: [
        .package(path: "../../../Packages/Persistence"), .package(path: "../../../Packages/Sync"),
        .package(path: "../../../Packages/Security"),
    ],
    targets: [
        .executableTarget(
            name: "sync-client",
            dependencies: [
                .product(name: "Persistence", package: "Persistence"), .product(name: "Security", package: "Security"),
                .product(name: "Sync", package: "Sync"), .product(name: "SyncTransports", package: "Sync"),
                .product(name: "SyncWire", package: "Sync"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
