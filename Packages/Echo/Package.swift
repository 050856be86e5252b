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
        .library(name: "EchoObservation", targets: ["EchoObservation"]),
        .library(name: "EchoText", targets: ["EchoText"]),
    ],
    dependencies: [
        .package(path: "../AudioKitLinux"),
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../EchoSimulator"),
        .package(path: "../HTTPServer"),
        .package(path: "../MCP"),
        .package(path: "../Networking"),
        .package(path: "../Security"),
        .package(path: "../StructuredJSON"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "EchoText",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Digests", package: "Security"),
                .product(name: "MCP", package: "MCP"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
            ],
            swiftSettings: settings),
        .target(
            name: "Echo",
            dependencies: [
                "EchoText", .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Digests", package: "Security"),
                .product(name: "Networking", package: "Networking"),
            ],
            swiftSettings: settings),
        .target(name: "EchoObservation", dependencies: ["EchoText"], swiftSettings: settings),
        .testTarget(
            name: "EchoTests",
            dependencies: [
                "Echo", "EchoObservation", "EchoText", .product(name: "AudioDSP", package: "AudioKitLinux"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "AudioKitLinuxTestSupport", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "EchoSimulator", package: "EchoSimulator"),
                .product(name: "HTTPServer", package: "HTTPServer"), .product(name: "MCP", package: "MCP"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
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
