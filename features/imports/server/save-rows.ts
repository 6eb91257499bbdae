import { inPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { PresentRow, Refused, RowToSave } from './import-kind.ts'

type Saved = Promise<Result<unknown, Refused>>
export type ChangedRow = RowToSave & { readonly present: PresentRow & { readonly id: string } }

/** Saves new rows through one use case and changed rows through another. */
export async function saveNewAndChanged(
  rows: readonly RowToSave[],
  create: (rows: readonly RowToSave[]) => Saved,
  change: (rows: readonly ChangedRow[]) => Saved,
): Saved {
  const isChanged = (row: RowToSave): row is ChangedRow => row.present?.id !== undefined
  const places = Map.groupBy(rows.keys(), place => isChanged(rows[place]!))
  // Changes first: they may free a name or code that a new row uses.
  const changed = await savePart(rows, places.get(true), part => change(part.filter(isChanged)))
  return changed.ok ? savePart(rows, places.get(false), create) : changed
}

/** Saves rows through a use case for many rows. @param refuse checks each row first; if any is refused, none is saved */
export async function saveAllowed<Row extends RowToSave>(
  rows: readonly Row[],
  refuse: (row: Row) => Refused | undefined,
  save: (rows: readonly Row[]) => Saved,
): Saved {
  const refusals = rows.flatMap((row, place) => {
    const no = refuse(row)
    return no ? inPlace(place, [no]) : []
  })
  const refusedPlaces = new Set(refusals.map(({ path }) => path[0]))
  const places = [...rows.keys()].filter(place => !refusedPlaces.has(place))
  const saved = await savePart(rows, places, save)
  if (saved.ok) return refusals.length > 0 ? { ok: false, refusals } : saved
  return { ok: false, refusals: [...refusals, ...saved.refusals] }
}

/** Saves a part of the rows, and maps the indexes in refusals' paths to those among all rows. */
async function savePart<Row extends RowToSave>(
  rows: readonly Row[],
  places: readonly number[] = [],
  save: (rows: readonly Row[]) => Saved,
): Saved {
  if (places.length === 0) return ok(undefined)
  const saved = await save(places.map(place => rows[place]!))
  if (saved.ok) return saved
  const moved = ({ code, path: [place, ...rest], data }: Refusal<RefusalCode>) =>
    refusal(code, [places[Number(place)] ?? 0, ...rest], data)
  return { ok: false, refusals: saved.refusals.map(moved) }
}

/** Saves rows through a use case for one record; stops at the first refusal. */
export async function saveOneByOne<Row>(rows: readonly Row[], save: (row: Row) => Saved): Saved {
  for (const [place, row] of rows.entries()) {
    const saved = await save(row)
    // The refusal may come from a violated constraint, after which the transaction accepts no further statements.
    if (!saved.ok) return { ok: false, refusals: inPlace(place, saved.refusals) }
  }
  return ok(undefined)
}
