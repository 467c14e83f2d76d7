# status: error
# exit_code: 1
# stderr: Error
eval("(" * 5000 + ")" * 5000)
