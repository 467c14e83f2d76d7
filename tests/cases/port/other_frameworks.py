# leftover: 8: tensorflow that is told
# leftover: 9: jax that is told
import jax
import tensorflow as tf

import torch

with tf.device("cuda:0"):
    y = jax.device_put(1.0, jax.devices("cuda")[0])
x = torch.ones(1, device="cuda")
# output
import jax
import tensorflow as tf

import torch

with tf.device("cuda:0"):
    y = jax.device_put(1.0, jax.devices("cuda")[0])
x = torch.ones(1, device="xpu")
