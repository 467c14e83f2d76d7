# status: timeout
# timeout_s: 1
x = 7 ** (10**8)
