# status: error
# exit_code: 1
# stderr: RecursionError
def deep():
    deep()


deep()
