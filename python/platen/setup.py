# SPDX-License-Identifier: BSD-2-Clause
from setuptools import setup

setup(cffi_modules=["ffi_build.py:ffi"])
