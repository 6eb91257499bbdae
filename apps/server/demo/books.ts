import { POOL_KINDS, type PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import { checkRegistrationNumber } from '@pc/domain/bank/registration-number.ts'
import { MICRO_YEN_PER_YEN } from '@pc/domain/money/micro-yen.ts'
import { addDays } from '@pc/domain/month/day.ts'
import { firstDayOf, lastDayOf, type YearMonth, yearOf } from '@pc/domain/month/year-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import type {
  ManualOperationInput,
  RawRow,
} from '@pc/features/payments/manual-operations/server/manual-operation-entry.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { autoConfirmStatements } from '@pc/features/statements/server/auto-confirm-statements.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { ident, joined, sql as statsSql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { insertBankAccounts } from '../../../demo/demo-bank-accounts.ts'
import { DEMO_ORGANIZATIONS, DEMO_WITHOUT_REGISTRATION } from '../../../demo/demo-catalog.ts'
import { demoHolidaysCsv } from '../../../demo/demo-holidays.ts'
import { type MoneyDependencies, moneyDependencies } from '../money-dependencies.ts'
import { placeDemoHold } from './legal-hold.ts'
import { keepDemoQuestions } from './questions.ts'
import { answerDemoStatements } from './statement-answers.ts'
import { DEMO_PAYER, payDemoTransfers, prepareDemoBank } from './transfers.ts'

interface DemoBookDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly webOrigin: string
}

/** A job queue that drops all jobs, because the demonstration runs each job directly. */
export const NO_QUEUE: Jobs = {
  enqueue: async () => null,
  enqueueAll: async () => {},
  work: async () => {},
  close: async () => {},
}

/**
 * Creates the demonstration's accounting with the product's own engine: pools and corrections are entered, computed and
 * finalised month by month, and old payments are paid. Open months get drafts, and one has a failed job. Months that an
 * earlier start has closed are skipped.
 */
export async function keepDemoBooks(
  dependencies: DemoBookDependencies,
  closed: readonly YearMonth[],
  open: readonly YearMonth[],
): Promise<void> {
  const { database, clock } = dependencies
  const people = await database.inScope(SYSTEM, async tx => {
    await prepareBooks(tx, closed[0]!, open.at(-1)!)
    return readPeople(tx)
  })
  const media = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('agreements').select('mediumId').distinct().orderBy('mediumId').execute(),
  )
  const done = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('monthClosings').select(['mediumId', 'month']).execute(),
  )
  const isDone = new Set(done.map(row => `${row.mediumId}/${row.month}`))
  for (const month of closed) {
    const at = Date.parse(`${addDays(lastDayOf(month), 10)}T18:00:00+09:00`)
    const money = moneyDependencies({ ...dependencies, clock: { now: () => at }, jobs: NO_QUEUE })
    for (const { mediumId } of media) {
      if (isDone.has(`${mediumId}/${month}`)) continue
      await enterPools(dependencies, money, { mediumId, month }, people.editor)
      await enterCorrection(dependencies, money, { mediumId, month }, people.editor)
      await compute(money, { mediumId, month })
      await close(dependencies, money, { mediumId, month }, people.admin)
    }
    await finishOperation(database, month, at)
  }
  await payDemoTransfers(database, clock, people.admin)
  await answerDemoStatements(moneyDependencies({ ...dependencies, clock, jobs: NO_QUEUE }).statements)
  await autoConfirmStatements(database, clock)
  await keepDemoQuestions(database, clock)
  await placeDemoHold(database, clock)
  await openMonths(
    dependencies,
    moneyDependencies({ ...dependencies, clock, jobs: NO_QUEUE }),
    media,
    open,
    people.editor,
  )
}

type Key = { readonly mediumId: bigint; readonly month: YearMonth }
const NO_ROWS: readonly RawRow[] = []

/** Creates holidays, bank accounts and registration numbers, all invented. */
async function prepareBooks(tx: Transaction, first: YearMonth, last: YearMonth): Promise<void> {
  await prepareDemoBank(tx)
  const known = await tx.selectFrom('holidayImports').select('id').limit(1).executeTakeFirst()
  if (known) return
  const content = Buffer.from(demoHolidaysCsv(yearOf(first), yearOf(last) + 1))
  const read = await importHolidays(tx, { name: 'demo', content }, systemActor('demo'))
  if (!read.ok) throw new Error(`the demonstration's holidays were refused: ${JSON.stringify(read.refusals)}`)
  await insertBankAccounts(tx, first)
  await insertPayer(tx)
  // Visitors try the demonstration alone, so the close must not need a second person.
  await tx.updateTable('paymentSettings').set({ needsTwoPersons: false }).execute()
  for (const [index, { name, code }] of DEMO_ORGANIZATIONS.entries()) {
    if (DEMO_WITHOUT_REGISTRATION.has(code)) continue
    const { id } = await tx.selectFrom('organizations').select('id').where('name', '=', name).executeTakeFirstOrThrow()
    await tx
      .updateTable('agreements')
      .set({ isQualifiedInvoiceIssuer: true, invoiceRegistrationNumber: registrationNumber(index) })
      .where('organizationId', '=', id)
      .execute()
  }
}

/** The payer, which statements require. */
export async function insertPayer(tx: Transaction): Promise<void> {
  await tx
    .insertInto('statementSettings')
    .values({
      validFromMonth: 202012,
      payerName: DEMO_PAYER.name,
      payerAddress: '東京都千代田区丸の内0-0-0',
      payerRegistrationNumber: registrationNumber(900),
      deemedConfirmationDays: 14,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** A registration number with a valid check digit: one of the ten leading digits fits. */
function registrationNumber(index: number): string {
  const base = String(990_000_000_000 + index)
  for (let digit = 1; digit <= 9; digit += 1) {
    const number = `T${digit}${base}`
    if (checkRegistrationNumber(number, 'company').verdict === 'valid') return number
  }
  throw new Error('no check digit fits')
}

async function readPeople(tx: Transaction): Promise<{ readonly admin: string; readonly editor: string }> {
  const rows = await tx
    .selectFrom('userRoles')
    .select(['uid', 'roleName'])
    .where('roleName', 'in', ['insight:admin', 'insight:editor'])
    .orderBy('uid')
    .execute()
  const uidOf = (role: string) => rows.find(row => row.roleName === role)!.uid
  return { admin: uidOf('insight:admin'), editor: uidOf('insight:editor') }
}

/** The column of each network's revenue in the statistics. */
const POOL_COLUMNS: Readonly<Record<PoolKind, string>> = {
  ssp: 'ssp_revenue_micro_yen',
  ssp_video: 'video_ssp_revenue_micro_yen',
  ssp_live: 'live_ssp_revenue_micro_yen',
}

/** Enters what the statistics say that each network paid, in whole yen. */
async function enterPools(
  { database, stats }: DemoBookDependencies,
  money: MoneyDependencies,
  key: Key,
  userUid: string,
) {
  const sums = POOL_KINDS.map(kind => statsSql`cast(${sumInt(ident(POOL_COLUMNS[kind]))} as bigint) as ${ident(kind)}`)
  const [row] = await stats.query(statsSql`
    select ${joined(sums, statsSql`, `)} from ${table('medium_day')}
    where medium_id = ${key.mediumId} and date between ${firstDayOf(key.month)} and ${lastDayOf(key.month)}`)
  for (const kind of POOL_KINDS) {
    const poolYen = ((row?.[kind] as bigint | null | undefined) ?? 0n) / MICRO_YEN_PER_YEN
    if (poolYen > 0n) await enter(database, money, { ...key, kind, extraRevenueYen: poolYen }, NO_ROWS, userUid)
  }
}

/** Enters an invalid-traffic correction on the first medium, every third month. */
async function enterCorrection(
  { database }: DemoBookDependencies,
  money: MoneyDependencies,
  key: Key,
  userUid: string,
) {
  if (key.mediumId !== 1n || key.month % 3 !== 0) return
  const rule = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('agreementPublisherRules')
      .select(['agreementId', 'publisherId'])
      .where('mediumId', '=', key.mediumId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  )
  if (!rule) return
  const row: RawRow = {
    agreementId: `${rule.agreementId}`,
    publisherId: `${rule.publisherId}`,
    amount: '-1200',
    weight: '',
    reason: 'invalid_traffic',
    originMonth: '',
  }
  await enter(database, money, { ...key, kind: 'csv', extraRevenueYen: null }, [row], userUid)
}

async function enter(
  database: Database,
  money: MoneyDependencies,
  entry: Pick<ManualOperationInput, 'mediumId' | 'month' | 'kind' | 'extraRevenueYen'>,
  rawRows: readonly RawRow[],
  userUid: string,
): Promise<void> {
  const input: ManualOperationInput = { ...entry, method: 'payment', extraRevenueMonth: '', notes: '' }
  const created = await database.inScope(SYSTEM, tx =>
    createManualOperation(tx, money.manualOperations, { input, rawRows, userUid }),
  )
  // Refused if an interrupted start has already entered it.
  if (created.ok) await runManualOperation(money.manualOperations, created.value)
}

async function compute(money: MoneyDependencies, key: Key): Promise<void> {
  const computed = await computeMonth(money.payments, key)
  if (!computed.ok) throw new Error(`${key.mediumId} ${key.month}: ${JSON.stringify(computed.refusals)}`)
}

async function close(
  { database }: DemoBookDependencies,
  money: MoneyDependencies,
  key: Key,
  adminUid: string,
): Promise<void> {
  const commit = await money.prepareOperation({ month: key.month, mediumIds: [key.mediumId] })
  const closed = await database.inScope(SYSTEM, tx => commit(tx, adminUid))
  if (!closed.ok) throw new Error(`${key.mediumId} ${key.month}: ${JSON.stringify(closed.refusals)}`)
}

/** Marks the month as final and its payees as notified, which a queued job does otherwise. */
async function finishOperation(database: Database, month: YearMonth, at: number): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    await tx
      .updateTable('dividendOperations')
      .set({ hasBeenFinalized: true, finalizedAt: new Date(at) })
      .where('month', '=', month)
      .where('hasBeenFinalized', '=', false)
      .execute()
    const issued = tx.selectFrom('statements').select(['id', 'issuedAt']).where('month', '=', month)
    await tx
      .insertInto('statementNotices')
      .columns(['statementId', 'notifiedAt'])
      .expression(issued)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  })
}

/** No agreement of this medium takes part in pools of live streams. */
const MEDIUM_WITHOUT_TARGETS = 3n
const UNTARGETED_POOL_YEN = 500n

/** Drafts of the open months; the first of them has a pool that nobody is a target of, so that its board shows red. */
async function openMonths(
  dependencies: DemoBookDependencies,
  money: MoneyDependencies,
  media: readonly { readonly mediumId: bigint }[],
  open: readonly YearMonth[],
  editorUid: string,
): Promise<void> {
  for (const [index, month] of open.entries()) {
    for (const { mediumId } of media) {
      const entered = await dependencies.database.inScope(SYSTEM, tx =>
        tx
          .selectFrom('dividends')
          .select('id')
          .where('mediumId', '=', mediumId)
          .where('month', '=', month)
          .limit(1)
          .executeTakeFirst(),
      )
      if (index === 0 && !entered) {
        await enterPools(dependencies, money, { mediumId, month }, editorUid)
        const pool = { mediumId, month, kind: 'ssp_live', extraRevenueYen: UNTARGETED_POOL_YEN } as const
        if (mediumId === MEDIUM_WITHOUT_TARGETS) await enter(dependencies.database, money, pool, NO_ROWS, editorUid)
      }
      await compute(money, { mediumId, month })
      await auditMonth(money.payments, { mediumId, month }, 'compute')
    }
  }
}
