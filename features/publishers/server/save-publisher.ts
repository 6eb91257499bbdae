import {
  checkPublisherFields,
  NEW_PUBLISHER,
  PUBLISHER_FIELD_NAMES,
  publisherAfter,
} from '@pc/domain/publisher/publisher-record.ts'
import { outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { refusalOfOnlyRow } from '@pc/platform/postgres/translate-sql-state.ts'
import type { PublisherInput } from './publisher-input.ts'
import { findPublishers, lockPublisher, type PublisherRow, updatePublisher } from './publisher-store.ts'

type Refusals = Refusal<RefusalCode>[]
type Path = readonly (string | number)[]

const RESOURCE = 'insight:publisher.'

/**
 * Creates or changes a publisher and records it in the audit log. If nothing changed, it records nothing, and the caller
 * must decide by `isChanged` (for example `recordNothing`).
 */
export async function savePublisher(
  write: Write,
  input: PublisherInput,
  path: Path,
): Promise<Result<{ readonly row: PublisherRow; readonly isChanged: boolean }, Refusal<RefusalCode>>> {
  const refusals = [...checkTexts(input, path)]
  if (input.id === undefined && input.organizationId === undefined)
    refusals.push(refusal('publisher/organization-unknown', [...path, 'organizationId']))
  if (refusals.length > 0) return { ok: false, refusals }
  return input.id === undefined ? create(write, input, path) : update(write, input.id, input, path)
}

async function create(write: Write, input: PublisherInput, path: Path) {
  const made = await insert(write, [input])
  if (!made.ok) {
    const refusals = outOfPlace(made.refusals).map(one => refusal(one.code, [...path, ...one.path], one.data))
    return { ok: false as const, refusals }
  }
  const [row] = made.value
  if (!row) throw new Error('the new publisher is not in the scope of its creator')
  return ok({ row, isChanged: true })
}

/** Creates publishers: all of them, or none when one is refused. */
export async function createPublishers(
  write: Write,
  inputs: readonly PublisherInput[],
): Promise<Result<readonly PublisherRow[], Refusal<RefusalCode>>> {
  const refusals = inputs.flatMap((input, place) => checkTexts(input, [place]))
  return refusals.length > 0 ? { ok: false, refusals } : insert(write, inputs)
}

async function insert(
  write: Write,
  inputs: readonly PublisherInput[],
): Promise<Result<readonly PublisherRow[], Refusal<RefusalCode>>> {
  const values = inputs.map(input => ({
    organizationId: input.organizationId ?? 0n,
    ...publisherAfter(input, NEW_PUBLISHER),
  }))
  try {
    const made = await write.tx.insertInto('publishers').values(values).returning('id').execute()
    const rows = await findPublishers(
      write.tx,
      made.map(({ id }) => id),
    )
    for (const row of rows)
      write.record({ action: 'create', resource: RESOURCE, rowId: row.id, before: null, after: auditOf(row) })
    return ok(rows)
  } catch (error) {
    const path = [0, 'organizationId']
    const known = { publishers_organization_id_fkey: { code: 'publisher/organization-unknown', path } } as const
    return { ok: false, refusals: [refusalOfOnlyRow<RefusalCode>(error, inputs, known)] }
  }
}

async function update(write: Write, id: bigint, input: PublisherInput, path: Path) {
  const { tx } = write
  const refuse = (...refusals: Refusals) => ({ ok: false as const, refusals })
  const before = await lockPublisher(tx, id)
  if (!before) return refuse(refusal('record/not-found', [...path, 'id']))
  const { revision } = before
  const stale = await editedByOther(tx, {
    resource: RESOURCE,
    rowId: id,
    revision,
    expectedRevision: input.expectedRevision,
  })
  if (stale) return refuse(stale)
  if (input.organizationId !== undefined && input.organizationId !== before.organizationId)
    return refuse(refusal('publisher/organization-fixed', [...path, 'organizationId']))
  const wanted = publisherAfter(input, before)
  const isChanged = PUBLISHER_FIELD_NAMES.some(name => wanted[name] !== before[name])
  if (!isChanged) return ok({ row: before, isChanged })
  const set = { ...wanted, revision: revision + 1 }
  const row = { ...before, ...set, updatedAt: await updatePublisher(tx, { ...set, id }) }
  write.record({ action: 'update', resource: RESOURCE, rowId: id, before: auditOf(before), after: auditOf(row) })
  return ok({ row, isChanged })
}

function auditOf({ organizationName: _name, updatedAt: _updatedAt, ...kept }: PublisherRow): object {
  return kept
}

function checkTexts(input: PublisherInput, path: Path): Refusals {
  return checkPublisherFields(input, input.id === undefined).map(one =>
    refusal(one.code, [...path, ...one.path], one.data),
  )
}
