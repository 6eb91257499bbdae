import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { MonthState } from '@pc/domain/payment/payment-states.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { SharedWork } from '@pc/platform/share-work.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { beforeBooks } from '../../core/server/first-month.ts'
import { mediaWithAgreements } from '../../core/server/media-with-agreements.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readJobs } from '../../core/server/month-readiness.ts'
import { joinWholeTables } from '../../core/server/month-version.ts'
import { paymentTotalsOf } from '../../core/server/payment-totals-query.ts'
import { type Acknowledgement, readAcknowledgements, subjectHashOf } from './acknowledgements.ts'
import { feesFinding, isOfFees, personFinding, type StateRow, statementsFinding } from './books-findings.ts'
import { CHECK_KINDS, CHECK_LABELS, type CheckKind, readFindings } from './close-checks.ts'
import { type Finding, green } from './close-finding.ts'
import { type CloseProgress, readCloseProgress, readPreviousPaymentYen } from './close-progress.ts'
import { readDraftFacts } from './draft-facts.ts'
import { NOBODY, readPreparers } from './month-preparers.ts'

export interface BoardCheck extends Omit<Finding, 'subject'> {
  readonly kind: CheckKind
  readonly label: string
  /** Identifies exactly what was found, for its acknowledgement. Null: it cannot be acknowledged. */
  readonly subjectSha256: string | null
  /** In an open month, those of the current finding; in a final month, all that were given. */
  readonly acknowledgements: readonly Acknowledgement[]
}

export interface BoardRow {
  readonly mediumId: bigint
  readonly mediumName: string
  readonly month: YearMonth
  readonly state: MonthState
  readonly operationId: bigint | null
  readonly computedAt: Date | null
  readonly finalizedAt: Date | null
  readonly hash: string | null
  readonly payments: number
  /** Those of the payments that pay nothing, because they are carried over or held. */
  readonly unpaidPayments: number
  readonly paymentYen: bigint
  readonly paymentIncludingTaxYen: bigint
  readonly revenueYen: bigint
  /** What is carried to later months, without tax; `heldYen` is the part for lack of an account. */
  readonly carriedYen: bigint
  readonly heldYen: bigint
  /** With tax; null: the month before is not final, or there is none. */
  readonly previousPaymentIncludingTaxYen: bigint | null
  readonly progress: CloseProgress
  readonly checks: readonly BoardCheck[]
  readonly canFinalize: boolean
}

/** Finds what prevents the statements of a draft. The feature that issues statements supplies it. */
export type StatementReasons = (tx: Transaction, key: MonthKey) => Promise<readonly Refusal<RefusalCode>[]>

export interface BoardDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly statementReasons: StatementReasons
}

/** Long enough for ten thousand agreements on a busy machine. */
const BOARD_TIMEOUT_MS = 60_000

/** Makes the row for one viewer. Only the check of the second person depends on the viewer, so the rest is shared. */
type RowFor = (viewerUid: string) => BoardRow

/** Boards that are being read. Reading a large month takes seconds, so requests for it at the same time share one. */
const boards = new WeakMap<Database, SharedWork<readonly RowFor[]>>()

/**
 * One row for each medium with agreements, with every check before its month can close. Nothing is written. It reads as
 * SYSTEM, so that staff share one board; the API demands a right that only staff have.
 * Tested by `features/payments/month-close/server/close-rules.test.ts`.
 */
export async function monthCloseBoard(
  dependencies: BoardDependencies,
  month: YearMonth,
  viewerUid: string,
): Promise<readonly BoardRow[]> {
  const shared = boards.get(dependencies.database) ?? new SharedWork()
  boards.set(dependencies.database, shared)
  const rows = await shared.get(String(month), () => readBoard(dependencies, month))
  return rows.map(rowFor => rowFor(viewerUid))
}

async function readBoard(dependencies: BoardDependencies, month: YearMonth): Promise<readonly RowFor[]> {
  const media = await mediaWithAgreements(dependencies.database)
  const rows: RowFor[] = []
  for (const { id, name } of media) {
    const row = await dependencies.database.inScope(
      SYSTEM,
      tx => boardRow(tx, dependencies, { mediumId: id, month }, name),
      {
        isolation: 'repeatable read',
        readOnly: true,
        statementTimeoutMs: BOARD_TIMEOUT_MS,
      },
    )
    if (row) rows.push(row)
  }
  return rows
}

async function boardRow(
  tx: Transaction,
  dependencies: BoardDependencies,
  key: MonthKey,
  mediumName: string,
): Promise<RowFor | undefined> {
  await joinWholeTables(tx)
  const state = await tx
    .selectFrom('monthStates')
    .selectAll()
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  const operation = await tx
    .selectFrom('dividendOperations')
    .select('id')
    .where('month', '=', key.month)
    .executeTakeFirst()
  const totals = await paymentTotalsOf(tx, sql<boolean>`p.medium_id = ${key.mediumId} and p.month = ${key.month}`)
  const { unpaid, carriedYen, heldYen } = await tx
    .selectFrom('monthlyPayments')
    .select(eb => [
      eb.fn.countAll<bigint>().filterWhere('paymentYen', '=', 0n).as('unpaid'),
      sql<bigint>`coalesce(sum(carried_over_to_next_yen), 0)::bigint`.as('carriedYen'),
      sql<bigint>`coalesce(sum(carried_over_to_next_yen) filter (where reason_code = 'NO_BANK_ACCOUNT'), 0)::bigint`.as(
        'heldYen',
      ),
    ])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirstOrThrow()
  const monthState = (state?.state ?? 'open') as MonthState
  const isFinal = isFinalMonth(monthState)
  // A month before the medium's books can never be closed, so it has no row.
  if (!isFinal && (await beforeBooks(tx, key))) return undefined
  const checksFor = isFinal ? await finishedChecks(tx, key) : await openChecks(tx, dependencies, key, state)
  const row = {
    ...key,
    mediumName,
    state: monthState,
    operationId: operation?.id ?? null,
    computedAt: state?.computedAt ?? null,
    finalizedAt: state?.finalizedAt ?? null,
    hash: state?.hash ?? null,
    payments: totals.total,
    unpaidPayments: Number(unpaid),
    paymentYen: totals.sumWithoutTaxYen,
    paymentIncludingTaxYen: totals.sumYen,
    revenueYen: totals.sumRevenueWithoutTaxYen,
    carriedYen,
    heldYen,
    previousPaymentIncludingTaxYen: await readPreviousPaymentYen(tx, key),
    progress: await readCloseProgress(tx, key),
  }
  return viewerUid => {
    const checks = checksFor(viewerUid)
    const isClear = checks.every(check => check.state === 'green' || check.state === 'amber')
    return { ...row, checks, canFinalize: !isFinal && isClear }
  }
}

/** How many reasons of one check are shown once the month is final. */
const MAX_REASONS = 10

/** The checks of a final month: all green, with the reasons why warnings were accepted. */
async function finishedChecks(tx: Transaction, key: MonthKey): Promise<() => readonly BoardCheck[]> {
  const acknowledged = Map.groupBy(await readAcknowledgements(tx, key), each => each.checkKind)
  const checks = CHECK_KINDS.map(kind => ({
    ...{ kind, label: CHECK_LABELS[kind], ...green('確定済みです。'), subjectSha256: null },
    acknowledgements: (acknowledged.get(kind) ?? []).slice(-MAX_REASONS),
  }))
  return () => checks
}

async function openChecks(
  tx: Transaction,
  { stats, clock, statementReasons }: BoardDependencies,
  key: MonthKey,
  state: StateRow | undefined,
): Promise<(viewerUid: string) => readonly BoardCheck[]> {
  const draft = await readDraftFacts(tx, stats, key, state)
  const jobs = await readJobs(tx, key)
  const reasons = await statementReasons(tx, key)
  const findings = {
    ...(await readFindings(tx, { stats, clock }, key, { draft, jobs, state })),
    statements: await statementsFinding(
      tx,
      key,
      reasons.filter(each => !isOfFees(each)),
    ),
    transfer_fees: await feesFinding(tx, key, reasons.filter(isOfFees)),
  }
  const preparers = draft.needsTwoPersons ? await readPreparers(tx, key, jobs, state?.computedByUid ?? null) : NOBODY
  const acknowledged = await readAcknowledgements(tx, key)
  return viewerUid => {
    const ofViewer = { ...findings, second_person: personFinding(draft, preparers, viewerUid) }
    return CHECK_KINDS.map(kind => boardCheck(kind, ofViewer[kind], acknowledged))
  }
}

/** A check as the board shows it. A finding that was acknowledged turns green and keeps its text. */
function boardCheck(
  kind: CheckKind,
  { subject, ...finding }: Finding,
  acknowledged: Awaited<ReturnType<typeof readAcknowledgements>>,
): BoardCheck {
  const subjectSha256 = subjectHashOf(kind, { ...finding, subject }) ?? null
  const acknowledgements = acknowledged.filter(each => each.subjectSha256 === subjectSha256)
  const state = acknowledgements.length > 0 ? 'green' : finding.state
  return { kind, label: CHECK_LABELS[kind], ...finding, state, subjectSha256, acknowledgements }
}
