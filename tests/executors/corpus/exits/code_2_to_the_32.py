# status: ok
# exit_code: 0
# observed: true
raise SystemExit(2**32)
