# status: timeout
# timeout_s: 0.5
while True:
    pass
