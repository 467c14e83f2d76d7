# status: error
# exit_code: 1
# observed: true
# stderr: Mute
class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")


raise Mute
