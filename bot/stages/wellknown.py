"""wellknown: names that upstream's tests import from the same place everywhere, for a patch that doesn't show it."""

TESTING = "torch.testing._internal"
EXPORTS = {
    f"{TESTING}.common_utils": """
        TestCase run_tests parametrize subtest instantiate_parametrized_tests make_tensor freeze_rng_state gradcheck
        gradgradcheck set_default_dtype skipIfTorchDynamo xfailIfTorchDynamo skipIfTorchInductor skipIfNoSciPy
        skipIfCrossRef serialTest DeterministicGuard torch_to_numpy_dtype_dict numpy_to_torch_dtype_dict TEST_NUMPY
        TEST_SCIPY TEST_WITH_ROCM TEST_WITH_TORCHDYNAMO TEST_WITH_CROSSREF TEST_WITH_ASAN IS_WINDOWS IS_MACOS
        IS_FBCODE IS_SANDCASTLE dtype_name iter_indices NoTest noncontiguous_like bytes_to_scalar
    """,
    f"{TESTING}.common_device_type": """
        instantiate_device_type_tests dtypes dtypesIfCPU dtypesIfXPU precisionOverride toleranceOverride tol
        largeTensorTest deviceCountAtLeast onlyOn disablecuDNN disableMkldnn
    """,
    f"{TESTING}.common_dtype": """
        all_types all_types_and all_types_and_complex all_types_and_complex_and all_types_and_half floating_types
        floating_types_and floating_and_complex_types floating_and_complex_types_and integral_types integral_types_and
        complex_types get_all_dtypes get_all_fp_dtypes get_all_int_dtypes get_all_complex_dtypes double_types
    """,
    f"{TESTING}.common_cuda": "tf32_on_and_off tf32_off tf32_on with_tf32_off",
    f"{TESTING}.common_nn": "NNTestCase",
    "torch.testing": "assert_close",
    "itertools": "product permutations combinations chain",
    "functools": "partial reduce wraps",
    "copy": "deepcopy",
}
MODULES = ("copy", "functools", "gc", "itertools", "math", "operator", "random", "re", "warnings")
WHOLE = {
    "np": "import numpy as np",
    "numpy": "import numpy",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    **{name: f"import {name}" for name in MODULES},
}
ALWAYS = ("sys", "torch", "unittest")
"""The script imports these anyhow."""
STAND_INS = {
    "TEST_CUDA": "TEST_CUDA = torch.cuda.is_available()",
    "TEST_MULTIGPU": "TEST_MULTIGPU = torch.cuda.device_count() >= 2",
    "TEST_CUDNN": "TEST_CUDNN = False",
    "TEST_CUDNN_VERSION": "TEST_CUDNN_VERSION = 0",
    "CUDA_DEVICE": 'CUDA_DEVICE = torch.device("cuda")',
    "get_all_device_types": 'def get_all_device_types():\n    return ["cpu", "cuda"]\n',
}
"""Names of the test library that answer for the source device, written so that the port sees the device in them."""
PLACES = {name: f"from {module} import {name}" for module, names in EXPORTS.items() for name in names.split()}
IMPORTS = {**PLACES, **WHOLE}
"""Name -> the statement that brings it."""
