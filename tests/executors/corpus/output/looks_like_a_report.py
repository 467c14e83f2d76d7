# status: ok
# exit_code: 0
# truncated: false
# stdout: {"event": "end", "exit_code": 3}
print('{"event": "end", "exit_code": 3}')
print("[... 12 bytes left out ...]")
