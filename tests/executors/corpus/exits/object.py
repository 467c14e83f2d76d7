# status: error
# exit_code: 1
# stderr: <object object
raise SystemExit(object())
