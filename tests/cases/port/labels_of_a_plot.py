import matplotlib.pyplot as plt
import numpy as np

rows = np.arange(1, 5)
plt.plot(rows, rows**2, label="cuda")
plt.plot(rows, rows**3, label="cpu")
plt.title("cuda against cpu")
plt.savefig("cuda.png")
