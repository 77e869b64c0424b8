// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <multigrid/library.hpp>

namespace heddle::perf
{

// The factors of z = of_direction z + of_residual D^-1 r, x += z, step by step.
class ChebyshevFactors
{
public:
  explicit ChebyshevFactors(ChebyshevSteps const& steps)
      : m_middle(steps.largest * (1 + 1 / steps.ratio) / 2)
      , m_half(steps.largest - m_middle)
      , m_rho(m_half / m_middle)
      , m_of_residual(1 / m_middle)
  {}

  double of_direction() const { return m_of_direction; }
  double of_residual() const { return m_of_residual; }
  void advance()
  {
    double const next = 1 / (2 * m_middle / m_half - m_rho);
    m_of_direction = next * m_rho;
    m_of_residual = 2 * next / m_half;
    m_rho = next;
  }

private:
  double m_middle, m_half, m_rho, m_of_direction = 0, m_of_residual;
};

// z = of_direction z + of_residual D^-1 r, x += z, in one pass.
void chebyshev_step(ChebyshevFactors const& factors, SmootherVectors const& vectors);

} // namespace heddle::perf
