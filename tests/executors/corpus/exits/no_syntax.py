# status: error
# exit_code: 1
# stderr: SyntaxError
def (:
