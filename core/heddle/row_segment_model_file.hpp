// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/row_segment_model.hpp>

#include <string>

namespace heddle
{

// In the library heddle::row_segment_model, which is there where nlohmann-json was when heddle was
// built.

/// The model that heddle-perf calibrate wrote for this device; without a device the only one in the
/// file. What the file lacks, such as a value type, is as in the shipped model. Throws FileError
/// where the file cannot be read, ParseError where it is no model or has none of the device.
RowSegmentModel read_row_segment_model(std::string const& file, std::string const& device = "");

/// Puts the numbers of one value type, f32 or f64, of model.device into the file; what it has of
/// other devices and types stays. Throws as reading does, FileError also where the file cannot be
/// written.
void write_row_segment_model(std::string const& file, RowSegmentModel const& model,
                             std::string const& value_type);

} // namespace heddle
