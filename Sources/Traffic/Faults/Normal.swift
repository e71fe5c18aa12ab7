import Core
import Glibc

/// The normal distribution, for delays as they are seen in production.
enum Normal {
    /// A number of mean 0 and standard deviation 1, by Box and Muller.
    static func draw(_ draws: inout Draws) -> Double {
        // Never 0, which has no logarithm.
        let radius = (-2 * log(1 - draws.fraction())).squareRoot()
        return radius * cos(2 * .pi * draws.fraction())
    }

    static func exponential(_ exponent: Double) -> Double { exp(exponent) }
}
