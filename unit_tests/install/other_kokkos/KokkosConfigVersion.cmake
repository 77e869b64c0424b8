# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(PACKAGE_VERSION 5.0.2)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
