# status: ok
# stdout: gone
import subprocess

subprocess.Popen(["sleep", "600"], start_new_session=True)
subprocess.Popen(["sleep", "600"], start_new_session=True, close_fds=True, stdout=subprocess.DEVNULL)
print("gone")
