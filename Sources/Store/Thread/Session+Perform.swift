import Core

extension Session {
    /// Performs reads. They share one transaction, which stays open until the next write: nobody else writes the file,
    /// and without it SQLite takes and gives back the file's locks at each statement.
    func perform(_ jobs: [ReadJob]) {
        if jobs.isEmpty { return }
        beginReading()
        let answers = jobs.map { job in job.perform(self) }
        for answer in answers { answer() }
    }

    /// Performs writes as one group, in one commit; as several when one of them loses the commit for those before it.
    ///
    /// What all have changed is told to SQLite at the end. When it refuses, nothing has happened: each is performed again and
    /// told at once, so that the one that was refused is known.
    func perform(_ jobs: [WriteJob]) {
        if jobs.isEmpty || performTogether(jobs) { return }
        var rest = jobs[...]
        while !rest.isEmpty { performGroup(&rest) }
    }

    /// False when SQLite refused anything; no caller was answered then.
    private func performTogether(_ jobs: [WriteJob]) -> Bool {
        var answers: [(StoreFault?) -> Void] = []
        do throws(StoreFault) {
            endReading()
            try statements.begin.run()
            for job in jobs {
                let transaction = WriteTransaction(self, job.tenant, isBuffered: true)
                let performed = job.perform(transaction)
                if let fault = transaction.end(isKept: !performed.hasThrown) { throw fault }
                if database.isOutsideTransaction { throw .transactionLost }
                try end(transaction, isKept: !performed.hasThrown)
                answers.append(performed.finish)
            }
            try flush()
            try statements.commit.run()
        } catch {
            database.rollBack()
            pending.removeAll()
            return false
        }
        finish(answers, nil)
        return true
    }

    /// Takes writes from the front and commits them together, each behind a savepoint. No caller is answered before the commit.
    private func performGroup(_ jobs: inout ArraySlice<WriteJob>) {
        var answers: [(StoreFault?) -> Void] = []
        var lost: StoreFault?
        do {
            try statements.begin.run()
            while let job = jobs.popFirst() { try perform(job, &answers) }
            try statements.commit.run()
        } catch {
            database.rollBack()
            lost = error
            // Not even begun: the next job would fail in the same way, and must not be tried for ever.
            if answers.isEmpty, let job = jobs.popFirst() { answers.append { fault in job.refuse(fault ?? error) } }
        }
        finish(answers, lost)
    }

    private func finish(_ answers: [(StoreFault?) -> Void], _ fault: StoreFault?) {
        if mustEmptyLog, database.emptyLog() { mustEmptyLog = false }
        for answer in answers { answer(fault) }
    }

    /// Performs one write.
    ///
    /// - Throws: When the whole group is lost. The job's answer is in `answers` all the same.
    private func perform(_ job: WriteJob, _ answers: inout [(StoreFault?) -> Void]) throws(StoreFault) {
        let transaction = WriteTransaction(self, job.tenant, isBuffered: false)
        let performed = job.perform(transaction)
        let ownFault = transaction.end(isKept: true)
        answers.append { fault in performed.finish(fault ?? ownFault) }
        if database.isOutsideTransaction { throw ownFault ?? .transactionLost }
        try end(transaction, isKept: ownFault == nil && !performed.hasThrown)
    }

    /// Takes a write's savepoint away; one that told SQLite nothing has none.
    private func end(_ transaction: WriteTransaction, isKept: Bool) throws(StoreFault) {
        guard transaction.isBegun else { return }
        if !isKept { try statements.undoWrite.run() }
        try statements.keepWrite.run()
        if transaction.hasRemovedNumbers { mustEmptyLog = true }
    }
}
