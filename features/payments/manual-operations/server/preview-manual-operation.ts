import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { isPoolKind } from '@pc/domain/payment/manual-operation.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { allocatePool } from '@pc/domain/settlement/pool-allocation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'
import { checkMonth } from './create-manual-operation.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import {
  agreementsWithOriginMonth,
  type CheckedEntry,
  checkEntry,
  type ManualOperationInput,
  type RawRow,
} from './manual-operation-entry.ts'
import { jobsThatCount } from './manual-operation-ledger.ts'

/** What an entry would book, and what is wrong with its rows; nothing is written. */
export interface ManualOperationPreview {
  readonly isAcceptable: boolean
  readonly errors: readonly { readonly line: number | null; readonly field: string; readonly message: string }[]
  readonly rows: readonly PreviewRow[]
  readonly totalYen: bigint
  readonly sharedYen: bigint
  readonly retainedYen: bigint
}
export interface PreviewRow {
  readonly line: number
  readonly agreementId: bigint
  readonly agreementName: string
  readonly publisherId: bigint
  readonly publisherName: string
  readonly weight: bigint | null
  readonly allocatedYen: bigint
  readonly rateUnits: number | null
  readonly amountYen: bigint
  /** The earlier month that a row of a csv entry corrects. */
  readonly originMonth: YearMonth | null
}

/** Checks an entry and computes what it would book. Wrong rows are returned as `errors`, not as refusals. */
export async function previewManualOperation(
  tx: Transaction,
  dependencies: ManualOperationDependencies,
  input: ManualOperationInput,
  rawRows: readonly RawRow[],
): Promise<ManualOperationPreview> {
  const month = await checkMonth(tx, dependencies, input)
  if (!month.ok) return refusedPreview(month.refusals)
  const key = { mediumId: input.mediumId, month: input.month }
  if (input.kind === 'reset') return withNames(tx, await reversedRows(tx, key))
  const rules = await dependencies.months.rules(tx, key)
  const originMonths = await dependencies.months.originMonths(tx, key, agreementsWithOriginMonth(input, rawRows))
  const checked = checkEntry(input, rawRows, rules.known, originMonths)
  if (!checked.ok) return refusedPreview(checked.refusals)
  const { kind } = input
  if (!isPoolKind(kind)) return withNames(tx, bookedRows(checked.value))
  const own = checked.value.rows.map(row => ({ ...row, weight: row.weight ?? 0n }))
  const read = own.length > 0 ? undefined : await dependencies.months.weights(tx, key, kind, rules)
  if (read && !read.ok) return refusedPreview(read.refusals)
  const weights = read?.value.weights ?? own
  const poolYen = checked.value.extraRevenueYen
  const allocated = allocatePool({ jobId: 0n, kind, method: input.method, poolYen, weights }, rules.candidates)
  if (!allocated.ok) return refusedPreview([refusal('dividend/no-eligible-weight', [], { kind })])
  const { pool, shares } = allocated.value
  return withNames(tx, {
    rows: shares.map(({ key: rule, share }, index) => ({
      line: index + 1,
      ...rule,
      weight: share.weight,
      allocatedYen: share.allocatedYen,
      rateUnits: share.rateUnits,
      amountYen: share.shareYen,
      originMonth: null,
    })),
    totalYen: poolYen,
    sharedYen: pool.bookedYen,
    retainedYen: pool.retainedYen,
  })
}

type UnnamedPreview = Pick<ManualOperationPreview, 'totalYen' | 'sharedYen' | 'retainedYen'> & {
  readonly rows: readonly Omit<PreviewRow, 'agreementName' | 'publisherName'>[]
}

function bookedRows(checked: CheckedEntry): UnnamedPreview {
  return {
    rows: checked.rows.map(({ line, agreementId, publisherId, amountYen, originMonth }) => ({
      line,
      agreementId,
      publisherId,
      weight: null,
      allocatedYen: 0n,
      rateUnits: null,
      amountYen: amountYen ?? 0n,
      originMonth,
    })),
    totalYen: checked.extraRevenueYen,
    sharedYen: checked.extraRevenueYen,
    retainedYen: 0n,
  }
}

/**
 * What a reset would reverse, per agreement and publisher: every booked entry of the medium in the month. Automatic
 * corrections of closed months are left out, because the reset books them again at once.
 */
async function reversedRows(tx: Transaction, key: MonthKey): Promise<UnnamedPreview> {
  const takenAway = jobsThatCount(tx, key).where(eb =>
    eb.not(
      eb.exists(eb.selectFrom('lateCorrections as c').select('c.dividendId').whereRef('c.dividendId', '=', 'd.id')),
    ),
  )
  const jobs = await takenAway.select(['d.id', 'd.extraRevenueYen']).execute()
  const lines = await takenAway
    .innerJoin('dividendLedgerLines as l', join =>
      join.onRef('l.dividendId', '=', 'd.id').onRef('l.booking', '=', 'd.booking'),
    )
    .where('l.reversesDividendId', 'is', null)
    .select(['l.agreementId', 'l.publisherId'])
    .select([
      sql<bigint>`-sum(l.allocated_yen)::bigint`.as('allocatedYen'),
      sql<bigint>`-sum(l.amount_yen)::bigint`.as('amountYen'),
    ])
    .groupBy(['l.agreementId', 'l.publisherId'])
    .orderBy('l.agreementId')
    .orderBy('l.publisherId')
    .execute()
  const totalYen = -jobs.reduce((sum, job) => sum + job.extraRevenueYen, 0n)
  const sharedYen = lines.reduce((sum, line) => sum + line.amountYen, 0n)
  return {
    rows: lines.map((line, index) => ({ line: index + 1, ...line, weight: null, rateUnits: null, originMonth: null })),
    ...{ totalYen, sharedYen, retainedYen: totalYen - sharedYen },
  }
}

async function withNames(tx: Transaction, preview: UnnamedPreview): Promise<ManualOperationPreview> {
  const agreementIds = [...new Set(preview.rows.map(row => row.agreementId))]
  const publisherIds = [...new Set(preview.rows.map(row => row.publisherId))]
  const agreements =
    agreementIds.length === 0
      ? []
      : await tx.selectFrom('agreements').select(['id', 'name']).where('id', 'in', agreementIds).execute()
  const publishers =
    publisherIds.length === 0
      ? []
      : await tx.selectFrom('publishers').select(['id', 'name']).where('id', 'in', publisherIds).execute()
  const nameOf = (rows: readonly { readonly id: bigint; readonly name: string }[]) => {
    const names = new Map(rows.map(row => [row.id, row.name]))
    return (id: bigint) => names.get(id) ?? ''
  }
  const [agreementName, publisherName] = [nameOf(agreements), nameOf(publishers)]
  return {
    ...preview,
    isAcceptable: true,
    errors: [],
    rows: preview.rows.map(row => ({
      ...row,
      agreementName: agreementName(row.agreementId),
      publisherName: publisherName(row.publisherId),
    })),
  }
}

function refusedPreview(refusals: readonly Refusal<RefusalCode>[]): ManualOperationPreview {
  return {
    isAcceptable: false,
    errors: refusals.map(one => ({
      line: one.path[0] === 'rawData' && typeof one.path[1] === 'number' ? one.path[1] + 1 : null,
      field: String(one.path.at(-1) ?? ''),
      message: refusalMessageJa(one),
    })),
    rows: [],
    totalYen: 0n,
    sharedYen: 0n,
    retainedYen: 0n,
  }
}
