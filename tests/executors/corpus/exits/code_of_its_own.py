# status: error
# exit_code: 3
# observed: true
class Mine(int):
    def __and__(self, other):
        return "no number"


raise SystemExit(Mine(3))
