# status: error
# exit_code: 97
raise SystemExit(97)
