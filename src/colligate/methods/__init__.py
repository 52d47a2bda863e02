"""The methods: one loop, and one file per method. See `base.Method` for what a method supplies.

`colligate.methods()` lists them: a package and a function cannot share a name, so the package is callable.
"""

import sys
from types import ModuleType

from colligate.registry import MethodInfo, methods


class _CallablePackage(ModuleType):
    def __call__(self) -> tuple[MethodInfo, ...]:
        return methods()


sys.modules[__name__].__class__ = _CallablePackage
