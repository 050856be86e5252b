// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "CommandLineArguments",
    products: [
        .library(name: "CommandLineArguments", targets: ["CommandLineArguments"])
    ],
    dependencies: [
        .package(path: "../TestKit")
    ],
    targets: [
        .target(
            name: "CommandLineArguments",
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineArgumentsTests",
            dependencies: ["CommandLineArguments", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
