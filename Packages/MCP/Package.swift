// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "MCP",
    products: [
        .library(name: "MCP", targets: ["MCP"])
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../Networking"),
        .package(path: "../Security"),
        .package(path: "../StructuredJSON"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "MCP",
            dependencies: [
                .product(name: "Digests", package: "Security"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MCPTests",
            dependencies: [
                "MCP", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
