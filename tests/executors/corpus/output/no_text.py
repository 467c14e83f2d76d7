# status: error
# exit_code: 1
# stdout: before
# stderr: UnicodeEncodeError
print("before", flush=True)
print("\ud800")
