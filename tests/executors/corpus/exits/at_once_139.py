# status: killed
# signal: 11
# observed: false
import os

os._exit(139)
