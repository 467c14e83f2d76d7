"""How operators, dtypes and devices are written."""

from typing import Annotated

from pydantic import StringConstraints

OpName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][\w:.]{0,199}$")]
"""An operator without namespace where it is aten's: `grid_sampler_2d_backward`, `torchvision::nms`."""
DtypeName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
DeviceName = Annotated[str, StringConstraints(pattern=r"^[a-z]{1,40}(:\d{1,4})?$")]
