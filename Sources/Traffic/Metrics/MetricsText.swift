/// Writes the Prometheus text format, version 0.0.4.
package struct MetricsText {
    package enum Kind: String {
        case counter, gauge, histogram
    }

    package typealias Labels = [(name: String, value: String)]

    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// One metric: help and type once, then its samples.
    package mutating func family(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ samples: [(labels: Labels, value: String)]
    ) {
        begin(name, kind, help)
        for sample in samples { line(name, sample.labels, sample.value) }
    }

    /// A metric of a single value.
    package mutating func value(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        family(name, kind, help, [(labels: [], value: String(value))])
    }

    /// A histogram in seconds: cumulative buckets, the last without a bound, sum and count.
    package mutating func histograms(_ name: String, _ help: String, _ series: [(labels: Labels, value: Histogram)]) {
        begin(name, .histogram, help)
        for (labels, histogram) in series {
            for (bound, count) in zip(histogram.bounds, histogram.cumulative) {
                line(name + "_bucket", labels + [(name: "le", value: Self.seconds(bound))], String(count))
            }
            let count = String(histogram.count)
            line(name + "_bucket", labels + [(name: "le", value: "+Inf")], count)
            line(name + "_sum", labels, Self.seconds(histogram.sum))
            line(name + "_count", labels, count)
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.name)=\"\(Self.escape($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func escape(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// Microseconds as seconds, exactly.
    package static func seconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        let trimmed = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return trimmed.isEmpty ? String(microseconds / 1_000_000) : "\(microseconds / 1_000_000).\(trimmed)"
    }
}
