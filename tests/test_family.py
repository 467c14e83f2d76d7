"""What people call an operator is what the dispatcher runs."""

import pytest

from bot.stages.family import related


@pytest.mark.parametrize(
    ("ran", "named"),
    [
        ("_softmax", "softmax"),
        ("_softmax_backward_data", "softmax"),
        ("_log_softmax", "log_softmax"),
        ("native_layer_norm", "layer_norm"),
        ("native_layer_norm_backward", "layer_norm"),
        ("native_group_norm", "group_norm"),
        ("native_batch_norm", "batch_norm"),
        ("_native_batch_norm_legit", "batch_norm"),
        ("batch_norm_gather_stats", "batch_norm"),
        ("convolution", "conv2d"),
        ("convolution_backward", "conv3d"),
        ("convolution", "conv_transpose2d"),
        ("max_pool2d_with_indices", "max_pool2d"),
        ("max_pool2d_with_indices_backward", "max_pool2d"),
        ("max_pool3d_with_indices", "max_pool3d"),
        ("adaptive_max_pool2d", "adaptive_max_pool2d"),
        ("_adaptive_avg_pool2d_backward", "adaptive_avg_pool2d"),
        ("grid_sampler_2d_backward", "grid_sample"),
        ("grid_sampler_3d", "grid_sampler_3d_backward"),
        ("upsample_bilinear2d", "interpolate"),
        ("upsample_nearest2d_backward", "interpolate"),
        ("nll_loss2d_backward", "nll_loss2d"),
        ("nll_loss_forward", "cross_entropy"),
        ("_log_softmax_backward_data", "cross_entropy"),
        ("embedding_dense_backward", "embedding"),
        ("_embedding_bag_forward_only", "embedding_bag"),
        ("_embedding_bag_dense_backward", "embedding_bag"),
        ("index_put_", "index_put"),
        ("_index_put_impl_", "index_put"),
        ("cumsum_", "cumsum"),
        ("addmm", "linear"),
        ("_cdist_forward", "cdist"),
        ("_cdist_backward", "cdist"),
        ("_scaled_dot_product_flash_attention", "scaled_dot_product_attention"),
        ("_foreach_add_", "add"),
        ("_ctc_loss", "ctc_loss"),
        ("reflection_pad2d_backward", "reflection_pad2d"),
        ("binary_cross_entropy_with_logits", "binary_cross_entropy_with_logits"),
        ("_unique2", "_unique2"),
    ],
)
def test_kin(ran: str, named: str) -> None:
    """A kernel is related to the public name that runs it, in either order."""
    assert related(ran, [named])
    assert related(named, [ran])


@pytest.mark.parametrize(
    ("ran", "named"),
    [
        ("add", "softmax"),
        ("softmax", "log_softmax"),
        ("max_pool2d_with_indices", "avg_pool2d"),
        ("max_unpool2d", "max_pool2d"),
        ("sort", "argsort"),
        ("index_add", "index_put"),
        ("cumsum", "cumprod"),
        ("layer_norm", "group_norm"),
        ("embedding_bag", "embedding"),
        ("nll_loss", "ctc_loss"),
        ("copy_", "add"),
        ("view", "sum"),
    ],
)
def test_strangers(ran: str, named: str) -> None:
    """Operators that only look alike are not related."""
    assert not related(ran, [named])
    assert not related(named, [ran])
