# status: error
# exit_code: 1
raise SystemExit(True)
