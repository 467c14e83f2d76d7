# status: ok
# exit_code: 0
raise SystemExit(0)
