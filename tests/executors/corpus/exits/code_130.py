# status: error
# exit_code: 130
raise SystemExit(130)
