# status: error
# exit_code: 1
# stderr: (1, 2)
raise SystemExit((1, 2))
