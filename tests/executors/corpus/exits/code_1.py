# status: error
# exit_code: 1
raise SystemExit(1)
