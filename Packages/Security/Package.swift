// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Security",
    products: [
        .library(name: "Security", targets: ["Security"])
    ],
    dependencies: [
        .package(path: "../Diagnostics")
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "Security", dependencies: ["COpenSSL"], swiftSettings: settings),
        .testTarget(
            name: "SecurityTests",
            dependencies: ["Security", .product(name: "Diagnostics", package: "Diagnostics")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
