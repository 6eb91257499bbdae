/**
 * A choice of columns that began with `opened`, after `now` was chosen elsewhere meanwhile: what the person changed is
 * changed there too, and nothing else. All are ids in the order in which they are shown.
 */
export function mergedColumns(
  opened: readonly string[],
  chosen: readonly string[],
  now: readonly string[],
): readonly string[] {
  if (isSameOrder(opened, now)) return chosen
  const common = (of: readonly string[], and: readonly string[]) => of.filter(id => and.includes(id))
  const hasMoved = !isSameOrder(common(opened, chosen), common(chosen, opened))
  const kept = now.filter(id => chosen.includes(id) || !opened.includes(id))
  const added = chosen.filter(id => !opened.includes(id) && !kept.includes(id))
  // A person who moved columns has said where they stand; what came meanwhile follows.
  if (hasMoved) {
    const own = chosen.filter(id => kept.includes(id) || added.includes(id))
    return [...own, ...kept.filter(id => !own.includes(id))]
  }
  const merged = [...kept]
  for (const id of added) {
    const before = chosen.slice(0, chosen.indexOf(id)).findLast(other => merged.includes(other))
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id)
  }
  return merged
}

export function isSameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at])
}
