# status: error
# exit_code: 1
# stderr: MemoryError
x = bytearray(1 << 46)
