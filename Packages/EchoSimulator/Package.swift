// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "EchoSimulator",
    products: [
        .library(name: "EchoSimulator", targets: ["EchoSimulator"])
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../HTTPServer"),
        .package(path: "../Networking"),
        .package(path: "../StructuredJSON"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "EchoSimulator",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EchoSimulatorTests",
            dependencies: [
                "EchoSimulator", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
