/** Page size limit of the API (`list/limit-out-of-range`). */
const MAX_AT_ONCE = 1000

export interface Piece<Row> {
  readonly total: number
  readonly nodes: readonly Row[]
}

export type AskPiece<Row> = (page: { limit: number; offset: number }) => Promise<Piece<Row> | null | undefined>

/** All rows of a list, page by page. A missing page is an error and not a shorter list. */
export async function* loadPieces<Row>(ask: AskPiece<Row>): AsyncGenerator<Piece<Row>> {
  for (let offset = 0; ; ) {
    const piece = await ask({ limit: MAX_AT_ONCE, offset })
    if (!piece) throw new Error('a part of the list is missing')
    yield piece
    offset += piece.nodes.length
    if (offset >= piece.total || piece.nodes.length === 0) return
  }
}

export async function loadAll<Row>(ask: AskPiece<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const { nodes } of loadPieces(ask)) rows.push(...nodes)
  return rows
}
