import { checkNewJob } from '@pc/domain/payment/manual-operation.ts'
import type { JobStatus } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { thisMonth } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import {
  agreementsWithOriginMonth,
  type CheckedEntry,
  type CheckedRow,
  checkEntry,
  type ManualOperationInput,
  type RawRow,
} from './manual-operation-entry.ts'
import { MANUAL_OPERATION_JOB } from './manual-operation-job.ts'

/**
 * Enters a manual operation and enqueues the job that books it, in one transaction. The month is locked, so of several
 * requests at the same time one is entered and the others are refused, because its job has not ended.
 */
export async function createManualOperation(
  tx: Transaction,
  parts: ManualOperationDependencies,
  entry: {
    readonly input: ManualOperationInput
    readonly rawRows: readonly RawRow[]
    readonly userUid: string | null
    /** Set for the system's own corrections, whose rows may name any earlier month. */
    readonly isCorrection?: boolean
  },
): Promise<Result<bigint, Refusal<RefusalCode>>> {
  const { input, rawRows, userUid, isCorrection } = entry
  const key: MonthKey = { mediumId: input.mediumId, month: input.month }
  const known = await checkMonth(tx, parts, key)
  if (!known.ok) return known
  const named = isCorrection ? [] : agreementsWithOriginMonth(input, rawRows)
  const { isFinalized } = await parts.months.lock(tx, key, named)
  const earlier = await tx
    .selectFrom('dividends')
    .select(['jobStatus', 'kind', 'reversedByDividendId', 'withdrawnAt'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .execute()
  const statuses = earlier.map(each => each.jobStatus as JobStatus)
  const busy = checkNewJob(isFinalized, statuses)
  if (busy.length > 0) return refused(...busy)
  const canReset = earlier.some(
    each => each.kind !== 'reset' && each.reversedByDividendId === null && each.withdrawnAt === null,
  )
  if (input.kind === 'reset' && !canReset) return refused(refusal('dividend/nothing-to-reset'))
  // Rules are needed only to check rows.
  const rules = rawRows.length === 0 ? [] : (await parts.months.rules(tx, key)).known
  const originMonths = isCorrection ? 'any' : await parts.months.originMonths(tx, key, named)
  const checked = checkEntry(input, rawRows, rules, originMonths)
  if (!checked.ok) return checked
  return ok(await insertManualOperation(tx, parts, input, checked.value, userUid))
}

/** The month must have begun and not lie before the books, and the medium must exist. */
export async function checkMonth(
  tx: Transaction,
  { clock, months }: Pick<ManualOperationDependencies, 'clock' | 'months'>,
  { mediumId, month }: MonthKey,
): Promise<Result<void, Refusal<RefusalCode>>> {
  if (month > thisMonth(clock)) return refused(refusal('dividend/month-in-future', ['input', 'dividendMonth']))
  const medium = await tx.selectFrom('media').select('id').where('id', '=', mediumId).executeTakeFirst()
  if (!medium)
    return refused(refusal('payment/medium-unknown', ['input', 'mediumId'], { mediumId: mediumId.toString() }))
  const tooEarly = await months.beforeBooks(tx, { mediumId, month }, ['input', 'dividendMonth'])
  return tooEarly ? refused(tooEarly) : ok(undefined)
}

async function insertManualOperation(
  tx: Transaction,
  parts: ManualOperationDependencies,
  input: ManualOperationInput,
  checked: CheckedEntry,
  userUid: string | null,
): Promise<bigint> {
  const key = { mediumId: input.mediumId, month: input.month }
  const operationId = await operationOf(tx, input.month)
  const { id } = await tx
    .insertInto('dividends')
    .values({
      ...key,
      operationId,
      kind: input.kind,
      method: input.method,
      extraRevenueYen: checked.extraRevenueYen,
      extraRevenueMonth: checked.extraRevenueMonth,
      notes: input.notes,
      userUid,
      createdAt: new Date(parts.clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertRows(tx, id, checked.rows)
  await parts.months.log(tx, {
    ...key,
    at: new Date(parts.clock.now()),
    actorUid: userUid,
    action: 'job_created',
    detail: `処理 ${id}（${input.kind}）`,
  })
  await parts.jobs.enqueue(tx, MANUAL_OPERATION_JOB, { dividendId: id.toString() })
  return id
}

/** The row that groups the entries of a month over all media; the first entry creates it. */
async function operationOf(tx: Transaction, month: number): Promise<bigint> {
  await tx
    .insertInto('dividendOperations')
    .values({ month })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { id } = await tx
    .selectFrom('dividendOperations')
    .select('id')
    .where('month', '=', month)
    .executeTakeFirstOrThrow()
  return id
}

async function insertRows(tx: Transaction, dividendId: bigint, rows: readonly CheckedRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = (value: (row: CheckedRow) => bigint | number | string | null) =>
    `{${rows.map(row => value(row) ?? 'NULL').join(',')}}`
  await sql`insert into dividend_rows (dividend_id, line, agreement_id, publisher_id, amount_yen, weight, reason, origin_month)
    select ${dividendId}::bigint, * from unnest(${column(row => row.line)}::text::integer[],
      ${column(row => row.agreementId)}::text::bigint[], ${column(row => row.publisherId)}::text::bigint[],
      ${column(row => row.amountYen)}::text::bigint[], ${column(row => row.weight)}::text::bigint[],
      ${column(row => row.reason)}::text::text[], ${column(row => row.originMonth)}::text::integer[])`.execute(tx)
}
