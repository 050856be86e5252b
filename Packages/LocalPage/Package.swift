// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "LocalPage",
    products: [
        .library(name: "LocalPage", targets: ["LocalPage"])
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../HTTPServer"),
        .package(path: "../Networking"),
        .package(path: "../Security"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "LocalPage",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LocalPageTests",
            dependencies: [
                "LocalPage", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Networking", package: "Networking"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
