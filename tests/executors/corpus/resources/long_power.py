# status: timeout
# timeout_s: 0.5
x = 7 ** (10**8)
