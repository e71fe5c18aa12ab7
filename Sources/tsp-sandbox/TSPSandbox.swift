@main
enum TSPSandbox {
    static func main() {}
}
