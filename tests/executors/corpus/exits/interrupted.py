# status: error
# exit_code: 130
raise KeyboardInterrupt
