# status: error
# exit_code: 139
raise SystemExit(139)
