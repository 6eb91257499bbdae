import { inPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { PresentRow, Refused, RowToSave } from './import-kind.ts'

type Saved = Promise<Result<unknown, Refused>>
export type ChangedRow = RowToSave & { readonly present: PresentRow & { readonly id: string } }

/** New rows by one use case, changed ones by another. */
export async function saveNewAndChanged(
  rows: readonly RowToSave[],
  create: (rows: readonly RowToSave[]) => Saved,
  change: (rows: readonly ChangedRow[]) => Saved,
): Saved {
  const isChanged = (row: RowToSave): row is ChangedRow => row.present?.id !== undefined
  const places = Map.groupBy(rows.keys(), place => isChanged(rows[place]!))
  // A name or code that a change frees may be that of a new row.
  const changed = await savePart(rows, places.get(true), part => change(part.filter(isChanged)))
  return changed.ok ? savePart(rows, places.get(false), create) : changed
}

/** By a use case that saves many rows, but for those that are refused before it is asked. */
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

/** The places in the paths of refusals become those among all rows. */
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

/** By a use case that saves one record. */
export async function saveOneByOne<Row>(rows: readonly Row[], save: (row: Row) => Saved): Saved {
  for (const [place, row] of rows.entries()) {
    const saved = await save(row)
    // After a violated constraint the transaction can only be left.
    if (!saved.ok) return { ok: false, refusals: inPlace(place, saved.refusals) }
  }
  return ok(undefined)
}
