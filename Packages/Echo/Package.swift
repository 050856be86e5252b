// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Echo",
    products: [
        .library(name: "Echo", targets: ["Echo"]),
        .library(name: "EchoSimulator", targets: ["EchoSimulator"]),
        .library(name: "MCP", targets: ["MCP"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../AudioKitLinux"),
        .package(path: "../Diagnostics"),
        .package(path: "../HTTPServer"),
        .package(path: "../Networking"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(name: "StructuredJSON", swiftSettings: settings),
        .testTarget(
            name: "StructuredJSONTests",
            dependencies: ["StructuredJSON", .product(name: "TestKit", package: "TestKit")], swiftSettings: settings),
        .target(
            name: "MCP",
            dependencies: [
                "StructuredJSON", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MCPTests",
            dependencies: [
                "MCP", "StructuredJSON", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .target(
            name: "Echo",
            dependencies: [
                "MCP", "StructuredJSON", .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(
            name: "EchoSimulator",
            dependencies: [
                "StructuredJSON", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EchoSimulatorTests",
            dependencies: [
                "EchoSimulator", "StructuredJSON", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "EchoTests",
            dependencies: [
                "Echo", "EchoSimulator", "MCP", "StructuredJSON",
                .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "AudioKitLinuxTestSupport", package: "AudioKitLinux"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "VoiceDeviceTests",
            dependencies: [
                "Echo", .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "AudioKitLinuxTestSupport", package: "AudioKitLinux"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
