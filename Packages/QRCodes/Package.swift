// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "QRCodes",
    products: [
        .library(name: "QRCodes", targets: ["QRCodes"])
    ],
    dependencies: [
        .package(path: "../LazyLibraries"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
        .target(
            name: "CQRencodeCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(name: "QRCodes", dependencies: ["CQRencode", "CQRencodeCalls"], swiftSettings: settings),
        .testTarget(
            name: "QRCodesTests",
            dependencies: ["QRCodes", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
