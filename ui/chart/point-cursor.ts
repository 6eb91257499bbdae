/** The index to which a key moves among `count` points; undefined: no point. */
export function moveCursor(key: string, at: number | undefined, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7 }
  if (key === 'Escape') return undefined
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  return step === undefined ? at : Math.min(count - 1, Math.max(0, (at ?? count) + step))
}
