/**
 * Quotients of integers as they are shown: rounded down after so many places (10: one). What binary fractions put a hair below a
 * whole number (0.55 × 1000) counts as it; how wide a hair is grows with the number.
 */
export function roundDown(value: number, places = 1): number {
  return Math.floor(value * places + Math.abs(value * places) * 1e-15)
}
