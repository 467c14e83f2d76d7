# status: error
# exit_code: 1
# observed: true
class Mute:
    def __str__(self):
        raise ValueError("no words")


raise SystemExit(Mute())
