// SPDX-License-Identifier: MIT

/// Reviews and what `fsrs` 6.3.2 (PyPI, without fuzzing) makes of them: twelve cards, seeded waits and ratings.
enum FSRSTable {
    /// A review: seconds since the one before, 1 (again) to 4 (easy), then the state after it; the interval is in seconds.
    struct Row {
        let wait: Double
        let rating: Int
        let stability: Double
        let difficulty: Double
        let interval: Double
        let phase: String
    }

    static let cards: [[Row]] = [
        [
            Row(wait: 0, rating: 3, stability: 2.3065, difficulty: 2.118104, interval: 600, phase: "learning"),
            Row(wait: 90, rating: 3, stability: 2.3065, difficulty: 2.111214, interval: 172_800, phase: "review"),
            Row(
                wait: 3_456_000, rating: 2, stability: 25.426554, difficulty: 4.748285, interval: 2_160_000,
                phase: "review"),
            Row(
                wait: 3_456_000, rating: 3, stability: 93.292683, difficulty: 4.738765, interval: 8_035_200,
                phase: "review"),
            Row(
                wait: 86_399, rating: 3, stability: 93.292683, difficulty: 4.729254, interval: 8_035_200,
                phase: "review"),
        ],
        [
            Row(wait: 0, rating: 3, stability: 2.3065, difficulty: 2.118104, interval: 600, phase: "learning"),
            Row(wait: 950_400, rating: 4, stability: 46.930363, difficulty: 1.0, interval: 4_060_800, phase: "review"),
            Row(wait: 0, rating: 3, stability: 46.930363, difficulty: 1.0, interval: 4_060_800, phase: "review"),
            Row(wait: 86_400, rating: 3, stability: 51.007545, difficulty: 1.0, interval: 4_406_400, phase: "review"),
        ],
        [
            Row(wait: 0, rating: 3, stability: 2.3065, difficulty: 2.118104, interval: 600, phase: "learning"),
            Row(wait: 90, rating: 3, stability: 2.3065, difficulty: 2.111214, interval: 172_800, phase: "review"),
            Row(wait: 0, rating: 4, stability: 3.946054, difficulty: 1.0, interval: 345_600, phase: "review"),
            Row(
                wait: 17_280_000, rating: 1, stability: 1.638103, difficulty: 7.02699, interval: 600,
                phase: "relearning"),
            Row(wait: 950_400, rating: 1, stability: 0.594989, difficulty: 9.00802, interval: 600, phase: "relearning"),
            Row(wait: 950_400, rating: 3, stability: 3.433294, difficulty: 8.99424, interval: 259_200, phase: "review"),
            Row(
                wait: 17_280_000, rating: 3, stability: 19.786122, difficulty: 8.980475, interval: 1_728_000,
                phase: "review"),
            Row(
                wait: 3_456_000, rating: 2, stability: 32.269508, difficulty: 9.30842, interval: 2_764_800,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 4, stability: 118.125238, difficulty: 9.062554, interval: 10_195_200,
                phase: "review"),
        ],
        [
            Row(wait: 0, rating: 2, stability: 1.2931, difficulty: 5.112171, interval: 330, phase: "learning"),
            Row(
                wait: 3_456_000, rating: 3, stability: 19.705866, difficulty: 5.102287, interval: 600, phase: "learning"
            ),
            Row(wait: 0, rating: 4, stability: 29.275415, difficulty: 3.450928, interval: 2_505_600, phase: "review"),
            Row(
                wait: 17_280_000, rating: 3, stability: 225.582714, difficulty: 3.442705, interval: 19_526_400,
                phase: "review"),
            Row(
                wait: 90, rating: 4, stability: 285.463249, difficulty: 1.236791, interval: 24_624_000, phase: "review"),
        ],
        [
            Row(wait: 0, rating: 3, stability: 2.3065, difficulty: 2.118104, interval: 600, phase: "learning"),
            Row(wait: 86_400, rating: 3, stability: 7.315301, difficulty: 2.111214, interval: 604_800, phase: "review"),
            Row(
                wait: 259_207, rating: 1, stability: 1.148045, difficulty: 7.392238, interval: 600, phase: "relearning"),
            Row(
                wait: 17_280_000, rating: 4, stability: 28.09007, difficulty: 6.506074, interval: 2_419_200,
                phase: "review"),
            Row(
                wait: 950_400, rating: 4, stability: 63.072215, difficulty: 5.323795, interval: 5_443_200,
                phase: "review"),
        ],
        [
            Row(wait: 0, rating: 4, stability: 8.2956, difficulty: 1.0, interval: 691_200, phase: "review"),
            Row(wait: 86_400, rating: 3, stability: 13.485063, difficulty: 1.0, interval: 1_123_200, phase: "review"),
            Row(
                wait: 3_456_000, rating: 2, stability: 69.165557, difficulty: 4.010609, interval: 5_961_600,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 4, stability: 536.218377, difficulty: 1.994462, interval: 46_310_400,
                phase: "review"),
            Row(wait: 0, rating: 3, stability: 536.218377, difficulty: 1.987696, interval: 46_310_400, phase: "review"),
            Row(
                wait: 950_400, rating: 3, stability: 563.165721, difficulty: 1.980937, interval: 48_643_200,
                phase: "review"),
            Row(
                wait: 600, rating: 3, stability: 563.165721, difficulty: 1.974184, interval: 48_643_200, phase: "review"
            ),
            Row(
                wait: 259_207, rating: 3, stability: 570.521823, difficulty: 1.967438, interval: 49_334_400,
                phase: "review"),
        ],
        [
            Row(wait: 0, rating: 3, stability: 2.3065, difficulty: 2.118104, interval: 600, phase: "learning"),
            Row(wait: 600, rating: 3, stability: 2.3065, difficulty: 2.111214, interval: 172_800, phase: "review"),
            Row(
                wait: 950_400, rating: 3, stability: 26.151061, difficulty: 2.104331, interval: 2_246_400,
                phase: "review"),
            Row(wait: 0, rating: 3, stability: 26.151061, difficulty: 2.097455, interval: 2_246_400, phase: "review"),
        ],
        [
            Row(wait: 0, rating: 1, stability: 0.212, difficulty: 6.4133, interval: 60, phase: "learning"),
            Row(wait: 950_400, rating: 3, stability: 3.795302, difficulty: 6.402115, interval: 600, phase: "learning"),
            Row(wait: 600, rating: 3, stability: 3.795302, difficulty: 6.390941, interval: 345_600, phase: "review"),
            Row(wait: 0, rating: 3, stability: 3.795302, difficulty: 6.379779, interval: 345_600, phase: "review"),
            Row(
                wait: 17_280_000, rating: 3, stability: 43.887997, difficulty: 6.368627, interval: 3_801_600,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 4, stability: 309.340513, difficulty: 5.14042, interval: 26_697_600,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 2, stability: 472.265843, difficulty: 6.759213, interval: 40_780_800,
                phase: "review"),
        ],
        [
            Row(wait: 0, rating: 4, stability: 8.2956, difficulty: 1.0, interval: 691_200, phase: "review"),
            Row(
                wait: 3_456_000, rating: 3, stability: 86.636916, difficulty: 1.0, interval: 7_516_800, phase: "review"),
            Row(
                wait: 17_280_000, rating: 4, stability: 798.640591, difficulty: 1.0, interval: 69_033_600,
                phase: "review"),
            Row(wait: 0, rating: 3, stability: 798.640591, difficulty: 1.0, interval: 69_033_600, phase: "review"),
            Row(
                wait: 17_280_000, rating: 3, stability: 1256.627388, difficulty: 1.0, interval: 108_604_800,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 3, stability: 1698.484839, difficulty: 1.0, interval: 146_707_200,
                phase: "review"),
        ],
        [
            Row(wait: 0, rating: 2, stability: 1.2931, difficulty: 5.112171, interval: 330, phase: "learning"),
            Row(
                wait: 3_456_000, rating: 4, stability: 35.77837, difficulty: 3.464114, interval: 3_110_400,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 4, stability: 434.793301, difficulty: 1.265354, interval: 37_584_000,
                phase: "review"),
            Row(
                wait: 17_280_000, rating: 2, stability: 707.93128, difficulty: 4.186763, interval: 61_171_200,
                phase: "review"),
            Row(
                wait: 259_207, rating: 3, stability: 713.279392, difficulty: 4.177805, interval: 61_603_200,
                phase: "review"),
            Row(wait: 0, rating: 3, stability: 713.279392, difficulty: 4.168856, interval: 61_603_200, phase: "review"),
            Row(
                wait: 259_207, rating: 3, stability: 718.634927, difficulty: 4.159915, interval: 62_121_600,
                phase: "review"),
            Row(wait: 0, rating: 3, stability: 718.634927, difficulty: 4.150984, interval: 62_121_600, phase: "review"),
        ],
        [
            Row(wait: 0, rating: 3, stability: 2.3065, difficulty: 2.118104, interval: 600, phase: "learning"),
            Row(wait: 600, rating: 3, stability: 2.3065, difficulty: 2.111214, interval: 172_800, phase: "review"),
            Row(
                wait: 17_280_000, rating: 4, stability: 107.691121, difficulty: 1.0, interval: 9_331_200,
                phase: "review"),
            Row(wait: 86_400, rating: 3, stability: 111.262785, difficulty: 1.0, interval: 9_590_400, phase: "review"),
            Row(wait: 90, rating: 1, stability: 28.971951, difficulty: 7.02699, interval: 600, phase: "relearning"),
        ],
        [
            Row(wait: 0, rating: 4, stability: 8.2956, difficulty: 1.0, interval: 691_200, phase: "review"),
            Row(wait: 86_400, rating: 3, stability: 13.485063, difficulty: 1.0, interval: 1_123_200, phase: "review"),
            Row(wait: 90, rating: 2, stability: 13.485063, difficulty: 4.010609, interval: 1_123_200, phase: "review"),
            Row(wait: 600, rating: 3, stability: 13.485063, difficulty: 4.001827, interval: 1_123_200, phase: "review"),
        ],
    ]
}
