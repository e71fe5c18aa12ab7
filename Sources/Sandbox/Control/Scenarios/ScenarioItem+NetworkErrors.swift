import Networks

extension ScenarioItem {
    /// The errors that a fault can order of each face; two faces of one name know some of the same.
    static func networkErrors(_ faces: [any Face]) -> [ScenarioItem] {
        var seen: Set<String> = []
        return faces.flatMap { face in
            face.networkErrors.map { error in
                ScenarioItem("\(face.name).\(error.name)", .networkError, error.name, error.description)
            }
        }.filter { seen.insert($0.name).inserted }
    }
}
