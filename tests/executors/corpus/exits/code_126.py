# status: error
# exit_code: 126
raise SystemExit(126)
