import type { Day } from '@pc/domain/month/day.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { type CellOwner, type ContentQuery, contentDemographics, watchTimes } from '../../core/server/content-sql.ts'
import { memoize } from '../../core/server/memoize.ts'

/** Clicks, and for videos watches of three seconds, of people whose gender and age are known. */
export interface PersonCell {
  readonly genderId: number
  readonly ageId: number
  readonly click: bigint
  readonly watch3s: bigint
}
export interface WatchTimeCell {
  readonly bucketId: number
  readonly watch: bigint
}

/** Read when a field asks for them, with one statement for all rows of a report. */
export interface Cells {
  demographics(): Promise<readonly PersonCell[]>
  watchTimes(): Promise<readonly WatchTimeCell[]>
}

/**
 * Returns a function from the owners of a report row (its item, or its days) to the row's matrix and distribution.
 * @param owner what statements group by; undefined: one matrix over everything, and owners are ignored
 */
export function cellReader(
  ask: Query,
  query: ContentQuery,
  owner: CellOwner,
): (owners: () => readonly (bigint | Day)[]) => Cells {
  const byOwner = (rows: readonly Row[]) => Map.groupBy(rows, row => row.owner as bigint | Day | undefined)
  const persons = memoize(async () => byOwner(await ask(contentDemographics(query, owner))))
  const times = memoize(async () => byOwner(query.kind.watchTime ? await ask(watchTimes(query, owner)) : []))
  return owners => {
    const rowsOf = (all: Awaited<ReturnType<typeof persons>>) =>
      owner === undefined ? (all.get(undefined) ?? []) : owners().flatMap(one => all.get(one) ?? [])
    return {
      demographics: async () => personCells(rowsOf(await persons())),
      watchTimes: async () => watchTimeCells(rowsOf(await times())),
    }
  }
}

function personCells(rows: readonly Row[]): PersonCell[] {
  const cells = new Map<string, { genderId: number; ageId: number; click: bigint; watch3s: bigint }>()
  for (const row of rows) {
    const [genderId, ageId] = [Number(row.gender_id), Number(row.age_id)]
    const key = `${genderId} ${ageId}`
    const cell = cells.get(key) ?? { genderId, ageId, click: 0n, watch3s: 0n }
    cell.click += row.sum_click as bigint
    cell.watch3s += (row.sum_watch3s ?? 0n) as bigint
    cells.set(key, cell)
  }
  return [...cells.values()].sort((a, b) => a.genderId - b.genderId || a.ageId - b.ageId)
}

function watchTimeCells(rows: readonly Row[]): WatchTimeCell[] {
  const cells = new Map<number, bigint>()
  for (const row of rows) {
    const bucketId = Number(row.bucket_id)
    cells.set(bucketId, (cells.get(bucketId) ?? 0n) + (row.sum_watch as bigint))
  }
  return [...cells].map(([bucketId, watch]) => ({ bucketId, watch })).sort((a, b) => a.bucketId - b.bucketId)
}
