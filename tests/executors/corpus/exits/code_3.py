# status: error
# exit_code: 3
raise SystemExit(3)
