class Ledger:
    def __init__(self, rows):
        self.rows = rows

    def cuda(self, limit=None):
        return [row for row in self.rows if row.startswith("cu")][:limit]


ledger = Ledger(["cublas", "mkl", "cub"])
print(ledger.cuda(), Ledger(["curand"]).cuda(limit=1))
