// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "memory-client",
    dependencies: [
        .package(path: "../../../Packages/Data"), .package(path: "../../../Packages/Domain"),
        .package(path: "../../../Packages/Persistence"),
    ],
    targets: [
        .executableTarget(
            name: "memory-client",
            dependencies: [
                .product(name: "DataLayer", package: "Data"), .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "Persistence", package: "Persistence"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
