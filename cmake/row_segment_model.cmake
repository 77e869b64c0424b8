# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# heddle_row_segment_model(FILE HEADER): the model in FILE, as heddle-perf calibrate writes it, as a header. It has to have
# one device with both value types: the numbers that are used where nobody gives others.
function(heddle_row_segment_model file header)
  file(READ ${file} json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  string(JSON models GET "${json}" models)
  string(JSON count LENGTH "${models}")
  math(EXPR last "${count} - 1")
  foreach(n RANGE ${last})
    string(JSON model GET "${models}" ${n})
    string(JSON name GET "${model}" device)
    string(JSON type GET "${model}" value_type)
    if(DEFINED device AND NOT device STREQUAL name)
      message(FATAL_ERROR "${file}: models of ${device} and of ${name}, expected one device")
    endif()
    set(device ${name})
    heddle_row_segment_model_of_type(${type} "${model}")
  endforeach()
  foreach(type f32 f64)
    if(NOT DEFINED code_${type})
      message(FATAL_ERROR "${file}: no model for ${type}")
    endif()
  endforeach()
  file(
    CONFIGURE
    OUTPUT
    ${header}
    @ONLY
    CONTENT
    [[
// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Made by cmake/row_segment_model.cmake of core/data/row_segment_model.json.

#include <heddle/row_segment_model.hpp>

namespace heddle
{

/// What to_row_segmented and plans on row segments go by where they are given no other model.
inline RowSegmentModel const& shipped_row_segment_model()
{
  static RowSegmentModel const model{
      .device = "@device@",
      .f32 = @code_f32@,
      .f64 = @code_f64@};
  return model;
}

} // namespace heddle
]])
endfunction()

# Sets code_TYPE to an initializer of RowSegmentModel::OfType.
function(heddle_row_segment_model_of_type type model)
  string(JSON vertical GET "${model}" vertical)
  string(JSON horizontal GET "${model}" horizontal)
  set(heavy)
  foreach(coarsening 1 2 4)
    heddle_linear_cost(cost "${model}" heavy ${coarsening})
    list(APPEND heavy ${cost})
  endforeach()
  list(JOIN heavy ", " heavy)
  heddle_linear_cost(light "${model}" light)
  string(JSON tree GET "${model}" tree)
  string(JSON count LENGTH "${tree}")
  math(EXPR last "${count} - 1")
  set(nodes)
  foreach(n RANGE ${last})
    string(JSON threshold ERROR_VARIABLE is_inner GET "${tree}" ${n} threshold)
    if(is_inner)
      foreach(key feature limit at_most above)
        string(JSON ${key} GET "${tree}" ${n} ${key})
      endforeach()
      heddle_row_segment_feature(feature ${feature})
      list(APPEND nodes "{${feature}, ${limit}, ${at_most}, ${above}, 0}")
    else()
      list(APPEND nodes "{.label = ${threshold}}")
    endif()
  endforeach()
  list(JOIN nodes ", " nodes)
  set(code_${type} "{${vertical}, ${horizontal}, {{${heavy}}}, ${light}, {{${nodes}}}}" PARENT_SCOPE)
endfunction()

# Zeros where the model has no such cost.
function(heddle_linear_cost variable model)
  string(JSON accumulation ERROR_VARIABLE is_missing GET "${model}" ${ARGN} per_accumulation_ms)
  string(JSON entry ERROR_VARIABLE is_missing GET "${model}" ${ARGN} per_entry_ms)
  if(is_missing)
    set(${variable} "{}" PARENT_SCOPE)
  else()
    set(${variable} "{${accumulation}, ${entry}}" PARENT_SCOPE)
  endif()
endfunction()

# The number of a feature, by its name (RowSegmentFeatures::name).
function(heddle_row_segment_feature variable name)
  set(names
      gaps_1
      gaps_2
      gaps_4
      gaps_16
      gaps_64
      gaps_256
      gaps_1024
      gaps_4096
      gaps_16384
      gaps_65536
      gaps_262144
      accumulations)
  list(FIND names ${name} number)
  if(number LESS 0)
    message(FATAL_ERROR "row segments have no feature ${name}")
  endif()
  set(${variable} ${number} PARENT_SCOPE)
endfunction()
