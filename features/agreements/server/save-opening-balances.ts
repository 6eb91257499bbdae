import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import {
  checkOpeningBalance,
  isSameBalance,
  type OpeningBalanceEntry,
  type OpeningBalanceRefusal,
} from '@pc/domain/settlement/opening-balance.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { type OpeningBalanceRow, readOpeningBalanceFacts, readOpeningBalances } from './opening-balance-store.ts'

const RESOURCE = 'insight:opening_balance.'

/** What recording an entry would do. */
export interface OpeningBalanceEffect {
  readonly kind: 'new' | 'changed' | 'removed' | 'unchanged' | 'refused'
  /** The balance of the same rule and month as it is on record. */
  readonly stored: OpeningBalanceRow | undefined
  /** Empty unless it is refused; the path is the field. */
  readonly refusals: readonly OpeningBalanceRefusal[]
}

/** What recording the entries together would do to each of them. */
async function effectsOf(
  tx: Transaction,
  entries: readonly OpeningBalanceEntry[],
): Promise<readonly OpeningBalanceEffect[]> {
  const facts = await readOpeningBalanceFacts(tx, entries)
  const stored = await readOpeningBalances(tx, [...new Set(entries.map(entry => entry.agreementId))])
  const storedOf = new Map([...stored.values()].flat().map(row => [keyOf(row), row]))
  const first = new Map<string, number>()
  for (const [index, entry] of entries.entries()) if (!first.has(keyOf(entry))) first.set(keyOf(entry), index)
  const qualified = qualifications(entries, storedOf)
  return entries.map((entry, index): OpeningBalanceEffect => {
    const row = storedOf.get(keyOf(entry))
    const earlier = first.get(keyOf(entry))!
    if (earlier !== index) {
      const twice: OpeningBalanceRefusal = refusal('opening-balance/twice', ['originMonth'], { first: earlier + 1 })
      return { kind: 'refused', stored: row, refusals: [twice] }
    }
    if (isSameBalance(entry, row) && facts[index]!.hasRule) return { kind: 'unchanged', stored: row, refusals: [] }
    const refusals = [...checkOpeningBalance(entry, facts[index]!, row, qualified.has(monthKeyOf(entry)))]
    if (entry.amountYen !== 0n && (qualified.get(monthKeyOf(entry))?.size ?? 0) > 1) {
      const month = formatYearMonth(entry.originMonth)
      refusals.push(refusal('opening-balance/qualification-differs', ['isQualified'], { month }))
    }
    if (refusals.length > 0) return { kind: 'refused', stored: row, refusals }
    return { kind: entry.amountYen === 0n ? 'removed' : row ? 'changed' : 'new', stored: row, refusals }
  })
}

const keyOf = (entry: Pick<OpeningBalanceEntry, 'agreementId' | 'publisherId' | 'originMonth'>) =>
  `${entry.agreementId}/${entry.publisherId}/${entry.originMonth}`
const monthKeyOf = (entry: Pick<OpeningBalanceEntry, 'agreementId' | 'originMonth'>) =>
  `${entry.agreementId}/${entry.originMonth}`

/**
 * Whether the payee was qualified, by agreement and month, as the balances would say after the change. Balances of one
 * agreement and month must agree, so more than one value is refused.
 */
function qualifications(
  entries: readonly OpeningBalanceEntry[],
  stored: ReadonlyMap<string, OpeningBalanceEntry>,
): ReadonlyMap<string, ReadonlySet<boolean>> {
  const then = new Map(stored)
  for (const entry of entries) {
    if (entry.amountYen === 0n) then.delete(keyOf(entry))
    else then.set(keyOf(entry), entry)
  }
  const found = new Map<string, Set<boolean>>()
  for (const entry of then.values()) {
    const said = found.get(monthKeyOf(entry)) ?? new Set()
    found.set(monthKeyOf(entry), said.add(entry.isQualified))
  }
  return found
}

/**
 * Records the entries as a whole; the same entries again change nothing. An amount of 0 removes the balance. The path of a
 * refusal is the entry's index and the field.
 * Tested by `scenarios/opening-balances.test.ts`.
 */
export async function saveOpeningBalances(
  { tx, record, recordNothing }: Pick<Write, 'tx' | 'record' | 'recordNothing'>,
  entries: readonly OpeningBalanceEntry[],
): Promise<Result<readonly OpeningBalanceEffect[], Refusal<OpeningBalanceRefusal['code']>>> {
  const effects = await effectsOf(tx, entries)
  const refusals = effects.flatMap((effect, index) =>
    effect.refusals.map(({ code, path, data }) => refusal(code, [index, ...path], data)),
  )
  if (refusals.length > 0) return refused(...refusals)
  const removed = effects.flatMap(({ kind, stored }) => (kind === 'removed' && stored ? [stored] : []))
  if (removed.length > 0) {
    await sql`delete from opening_balances where id = any (${`{${removed.map(row => row.id).join(',')}}`}::bigint[])`.execute(
      tx,
    )
  }
  const written = entries.filter((_, index) => effects[index]!.kind === 'new' || effects[index]!.kind === 'changed')
  const ids = new Map((await write(tx, written)).map(row => [keyOf(row), row]))
  for (const { id, revision, publisherName: _name, ...before } of removed) {
    record({ action: 'delete', resource: RESOURCE, rowId: id, before: { ...before, revision }, after: null })
  }
  for (const [index, entry] of entries.entries()) {
    const { kind, stored } = effects[index]!
    if (kind !== 'new' && kind !== 'changed') continue
    const { id, revision } = ids.get(keyOf(entry))!
    const before = stored && { ...contentOf(stored), revision: stored.revision }
    const action = kind === 'new' ? 'create' : 'update'
    record({ action, resource: RESOURCE, rowId: id, before: before ?? null, after: { ...contentOf(entry), revision } })
  }
  if (removed.length + written.length === 0) recordNothing()
  return ok(effects)
}

function contentOf(entry: OpeningBalanceEntry): OpeningBalanceEntry {
  const { agreementId, publisherId, originMonth, bookedMonth, amountYen, isQualified } = entry
  return { agreementId, publisherId, originMonth, bookedMonth, amountYen, isQualified }
}

type Written = Pick<OpeningBalanceRow, 'id' | 'agreementId' | 'publisherId' | 'originMonth' | 'revision'>

/** Writes all entries in one statement, because the database checks them together. */
async function write(tx: Transaction, entries: readonly OpeningBalanceEntry[]): Promise<readonly Written[]> {
  if (entries.length === 0) return []
  const column = (value: (entry: OpeningBalanceEntry) => unknown) => `{${entries.map(value).join(',')}}`
  const { rows } = await sql<Written>`
    insert into opening_balances as o (agreement_id, publisher_id, origin_month, booked_month, amount_yen, is_qualified)
    select * from unnest(${column(each => each.agreementId)}::text::bigint[], ${column(each => each.publisherId)}::text::bigint[],
      ${column(each => each.originMonth)}::text::integer[], ${column(each => each.bookedMonth)}::text::integer[],
      ${column(each => each.amountYen)}::text::bigint[], ${column(each => each.isQualified)}::text::boolean[])
    on conflict (agreement_id, publisher_id, origin_month) do update set booked_month = excluded.booked_month,
      amount_yen = excluded.amount_yen, is_qualified = excluded.is_qualified, revision = o.revision + 1, updated_at = now()
    returning o.id, o.agreement_id, o.publisher_id, o.origin_month, o.revision`.execute(tx)
  return rows
}
