// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Networking",
    products: [
        .library(name: "Networking", targets: ["Networking"]),
        .library(name: "NetworkingTestSupport", targets: ["NetworkingTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "Networking",
            dependencies: [
                "CCurl", "CLibCrypto", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(
            name: "NetworkingTestSupport",
            dependencies: [
                "Networking", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "Networking", "NetworkingTestSupport", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
