# status: error
# exit_code: 255
raise SystemExit(255)
