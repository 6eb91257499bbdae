/** As much as one call may ask for (`list/limit-out-of-range`). */
const MAX_AT_ONCE = 1000

interface Piece<Row> {
  readonly total: number
  readonly nodes: readonly Row[]
}

/** Every row of a list, asked for piece by piece; an answer that is missing a piece is an error, not a shorter list. */
export async function loadAll<Row>(
  ask: (page: { limit: number; offset: number }) => Promise<Piece<Row> | null | undefined>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const piece = await ask({ limit: MAX_AT_ONCE, offset: rows.length })
    if (!piece) throw new Error('a part of the list is missing')
    rows.push(...piece.nodes)
    if (rows.length >= piece.total || piece.nodes.length === 0) return rows
  }
}
