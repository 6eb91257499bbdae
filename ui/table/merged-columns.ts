/**
 * Three-way merge of a column choice: what the person changed from `opened` to `chosen` is applied to `now`, the choice
 * that another tab has stored meanwhile. All are ids in display order.
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
  // The person's order wins if columns were moved; columns that were added elsewhere follow.
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
