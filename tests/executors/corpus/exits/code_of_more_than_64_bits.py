# status: error
# exit_code: 255
# observed: true
raise SystemExit(10**30)
