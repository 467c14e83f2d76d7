import numpy as np
import torch

x = np.linspace(-3, 3, 7, dtype=np.float32)
wanted = np.log1p(np.exp(x.astype(np.float64)))
found = torch.nn.functional.softplus(torch.from_numpy(x)).numpy()
np.testing.assert_allclose(found, wanted, rtol=1e-6, err_msg="cuda and numpy differ")
