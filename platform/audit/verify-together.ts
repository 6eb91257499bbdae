/**
 * Reading the whole log is costly: whoever asks while it is read shares the next reading with all others who ask, which
 * begins when this one has ended. Nobody gets a verdict of a reading that began before the question.
 */
export function verifyTogether<Verdict>(verify: () => Promise<Verdict>): () => Promise<Verdict> {
  let current: Promise<Verdict> | undefined
  let next: Promise<Verdict> | undefined
  const begin = () => {
    const reading = verify().finally(() => {
      if (current === reading) current = undefined
    })
    current = reading
    return reading
  }
  return () => {
    if (current === undefined) return begin()
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined
        return current ?? begin()
      })
    return next
  }
}
