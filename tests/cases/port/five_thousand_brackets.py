# refused: Python does not accept it
import torch
x = torch.tensor(<U+005B*5000><U+005D*5000>, device="cuda")
