"""marks: what gives away in code what it needs and how it tells right from wrong: patterns and tables."""

import re

OF_THEIR_OWN = {"triton": "Triton"}
"""Packages whose need has a word of its own."""
OPENS = r"\bopen\((?![^()\n]{0,200}[\"'][wax]b?\+?[\"'])"
NEEDS = (
    ("several devices", re.compile(r"\btorch\.distributed\b|\bcuda:[1-9]|\bcuda:(?:\{|%d)|\.cuda\([1-9]|\.to\([1-9]\)|set_device\([1-9]|\bdevice=[1-9]\b|device_ids=\[\d+, ?\d|DataParallel\b|init_process_group|mp\.spawn\(|device_count\(\) ?(?:>=? ?[1-9]|== ?[2-9])|\b(?:xpu|mps|hip):[1-9]")),
    ("a C++ or CUDA compiler", re.compile(r"cpp_extension|load_inline|CUDAExtension|CppExtension|BuildExtension|\bnvcc\b|_compile_kernel\(|NVRTC|nvrtc|\bcupy\.RawKernel|\bSourceModule\(")),
    ("Triton", re.compile(r"@triton\.|\btriton\.(?:jit|language|testing)|\btl\.(?:load|store|program_id)\(")),
    ("a compiled graph", re.compile(r"\btorch\.compile\b|torch\._inductor|torch\._dynamo|torch\.jit\.|torch\.export\b|torch\.fx\b|make_fx\(|aot_function|\bjit\.script\b|@torch\.compile|torch\.onnx\b|onnxruntime")),
    ("the network", re.compile(r"\btorch\.hub\b|from_pretrained|urlopen|urlretrieve|urllib\.request|requests\.get|download=True|load_dataset\(|hf_hub_download|\bwget\b|pretrained=True|load_state_dict_from_url|\bweights=(?:[\"'](?:DEFAULT|IMAGENET)|\w+_Weights)|snapshot_download")),
    ("a checkpoint that is not in the thread", re.compile(r"load_state_dict\(\s*torch\.load\(|load_from_checkpoint\(|torch\.load\([^()\n]{0,200}\.(?:ckpt|pth|safetensors|pth\.tar)\b|safetensors\.torch\.load|load_file\(")),
)  # fmt: skip
READS = re.compile(
    rf"\btorch\.load\(|np\.load\(|np\.loadtxt\(|np\.genfromtxt\(|{OPENS}|read_csv\(|imread\(|ImageFolder\(|loadmat\(|h5py\.File\(|pickle\.load\(|torchaudio\.load\(|read_image\(|\binput\(\)|fromfile\(|from_file\(|\bCIFAR10?0?\(|\bMNIST\("
)
WRITES = re.compile(
    r"\btorch\.save\(|np\.save\(|np\.savez|BytesIO|NamedTemporaryFile|TemporaryDirectory|mkstemp|imwrite\(|\.tofile\(|pickle\.dump\(|\.savefig\("
)
FACTORIES = frozenset({"zeros", "ones", "empty", "full", "rand", "randn", "randint", "empty_strided", "FloatTensor", "HalfTensor", "Tensor"})  # fmt: skip
BYTES = {
    **dict.fromkeys(("float64", "double", "int64", "long", "complex64", "cfloat"), 8),
    **dict.fromkeys(("float16", "half", "bfloat16", "int16", "short"), 2),
    **dict.fromkeys(("int8", "uint8", "bool", "float8_e4m3fn", "float8_e5m2"), 1),
    "complex128": 16,
}
LARGE_TEST = re.compile(r"largeTensorTest\(\s*[\"']?(?P<amount>\d+(?:\.\d+)?) ?(?P<unit>GB|MB|\* ?1024 ?\*\* ?3)")
ASSERTS = re.compile(
    r"assert_(?:close|allclose|equal|array_\w+|almost_equal|array_equal|approx_equal)$|assert[A-Z]\w+$|^_assert$|^gradcheck$|^gradgradcheck$|^opcheck$"
)
SETTING = re.compile(
    r"is_available\(|device_count\(|__version__|isinstance\(|\.is_cuda\b|is_built\(|get_device_capability|hasattr\(|callable\(|torch\.version"
)
"""What an assertion about the surroundings asks: it says nothing of a result."""
COMPARES = re.compile(
    r"\ballclose\(|\btorch\.equal\(|\bisclose\(|array_equal\(|(?:abs\(\)|\.norm\(\)|abs\(|norm\(|max\(|mean\(|sum\()|!=|==|\s-\s|\.eq\(|\.ne\(|dist\(|testing\."
)
ON_CPU = re.compile(
    r"\.cpu\(\)|[\"']cpu[\"']|\bcpu\b|_cpu\b|cpu_|\bref(?:erence)?\b|_ref\b|ref_|\bexpected\b|numpy\(\)|\bnp\.|float64|\.double\(\)|golden|host",
    re.I,
)
BOUND = re.compile(r"\d(?:\.\d*)?e-\d+|0?\.00\d+", re.IGNORECASE)
"""What a difference may come to; a script that prints one does not print this."""
NARROW = re.compile(r"\.half\(\)|\.bfloat16\(\)")
"""One side of a difference in less precision: the other one is the reference."""
TIMERS = re.compile(
    r"perf_counter|time\.time\(\)|\btime\(\)|monotonic\(\)|elapsed_time\(|\btimeit\b|benchmark\.Timer|\bTimer\(|do_bench\(|blocked_autorange|process_time\(|default_timer\(|enable_timing|torch\.profiler|bench_fn\(|time_ns\("
)
PRINTS = re.compile(r"^(?:->|=>|=+|(?:prints?|outputs?|returns?|gives?|results?)\b:?|>+)\s*", re.I)
MADE_FOR_IT = re.compile(r"Timer\(|timeit|do_bench|elapsed_time|blocked_autorange|profiler")
MAGIC_TIMERS = re.compile(r"^[ \t]*(?:>>> ?|In ?\[\d+\]: ?)?%{1,2}(?:timeit|time)\b", re.M)
CRASH = re.compile(
    r"[Ss]egmentation fault|core dumped|\b[Ss]egfault(?:s|ed|ing)?\b|illegal memory access|device-side assert|misaligned address|CUDA error:|CUDNN_STATUS_\w+|HIP error|Floating point exception|Aborted\b|Bus error|SIG(?:SEGV|ABRT|FPE)|COMPUTE-SANITIZER|RACECHECK SUMMARY|Race reported|Memory access fault|Invalid __(?:global|shared|local)__|double free|heap-buffer-overflow|INTERNAL ASSERT FAILED|Assertion `[^`\n]{1,200}` failed"
)
MEASURES = frozenset({"abs", "norm", "dist", "abs_", "amax"})
"""What is asked of a difference."""
OF_TORCH = frozenset(
    ["tensor", "zeros", "ones", "empty", "full", "rand", "randn", "randint", "arange", "linspace", "eye", "cuda", "float32", "float16", "bfloat16", "float64", "int64", "int32", "half", "float", "double", "long", "device", "manual_seed", "no_grad", "nn", "cat", "stack", "sum", "matmul", "mm", "bmm", "sort", "topk", "allclose", "equal", "autograd", "backends", "Tensor", "FloatTensor", "from_numpy", "as_tensor", "ops", "linalg", "fft", "isnan", "isinf", "where", "nonzero", "unique"]
)  # fmt: skip
ELSEWHERE = (
    ("a gist", re.compile(r"https://gist\.github\.com/\w+/\w+")),
    ("a notebook in Colab", re.compile(r"https://colab\.research\.google\.com/\S+")),
    ("an attached file", re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/files/\d+/\S+")),
    ("a picture", re.compile(r"!\[[^\]\n]{0,200}\]\(https://(?:user-images|private-user-images|github)\.\S+|<img [^<>\n]{0,400}src=")),
)  # fmt: skip
"""Where code may be that can't be read."""
