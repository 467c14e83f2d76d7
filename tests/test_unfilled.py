"""Memory that one file allocates and another file's kernel adds into: told only where nobody filled it on the way."""

import pytest

from bot.registry import rules
from bot.stages.analyse import examine, findings
from bot.stages.web import Web

KERNEL = """\
struct AddFunctor {
  void operator()(sycl::nd_item<1> item) const {
    atomicAdd(out_, in_[item.get_global_id(0)]);
  }
  AddFunctor(float* out, const float* in) : out_(out), in_(in) {}
  float* out_;
  const float* in_;
};
void add_kernel(Tensor& out, const Tensor& in) {
  AddFunctor kfn = AddFunctor(out.data_ptr<float>(), in.data_ptr<float>());
  sycl_kernel_submit(in.numel(), queue, kfn);
}
"""
HOST = """\
Tensor add_xpu(const Tensor& in) {{
  auto out = {made};
  {then}
  add_kernel(out, in);
  return out;
}}
"""


@pytest.mark.parametrize(
    ("made", "then", "told"),
    [
        ("at::empty_like(in)", "", True),
        ("in.new_empty(in.sizes())", "", True),
        ("at::empty({0}, in.options())", "out.resize_(in.sizes());", True),
        ("at::empty_like(in)", "out.zero_();", False),
        ("at::zeros_like(in)", "", False),
        ("at::empty({0}, in.options())", "", False),
        ("at::empty_like(in)", "first_kernel(out, in);", False),
    ],
)
def test_who_allocates_decides(made: str, then: str, told: bool) -> None:
    """The kernel's file alone does not say whether the sum begins at nothing; the host's does."""
    host = HOST.format(made=made, then=then)
    examined = [examine("a.cpp", KERNEL, rules("kernel")), examine("b.cpp", host, rules("kernel"))]
    found = findings(examined, Web(one.facts for one in examined), {})
    assert [(one.path, one.line) for one in found if one.rule == "uninitialised-output"] == [("a.cpp", 3)] * told
