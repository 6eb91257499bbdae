import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { type BulkTable, bulkRowSteps, insertBulk } from '@pc/platform/postgres/bulk-rows.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import { sql } from 'kysely'
import {
  type GeneratedStatement,
  type GeneratedStatements,
  generateStatements,
  type ReadTransferRules,
  TEMPLATE_VERSION,
} from './generate-statements.ts'
import { STATEMENT_NOTICE_JOB } from './notice-job-kind.ts'
import { readPaymentsToState } from './stated-payments.ts'

export interface IssueDependencies {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly readTransferRules: ReadTransferRules
}

/**
 * Refusals of the transfer do not block a close; the statement is issued later. A missing price does block it, because
 * the person who closes can enter it, and nobody would miss a statement that waits for it.
 */
const isOfTransfer = ({ code }: Refusal<RefusalCode>) => code.startsWith('transfer/') && code !== 'transfer/fee-unknown'

/**
 * Issues the statements of months that are being finalised, in the transaction of the close. A missing field, or a
 * missing price of a fee that the payee bears, refuses the close. A payment whose transfer cannot be planned yet, because
 * nothing is left after withholding and fee, waits for {@link issueWaitingStatements}.
 */
export async function issueStatementsOfClose(
  tx: Transaction,
  parts: IssueDependencies,
  { month, mediumIds }: { readonly month: YearMonth; readonly mediumIds: readonly bigint[] },
  uid: string | null,
): Promise<Result<readonly bigint[], Refusal<RefusalCode>>> {
  const made = await generateStatements(
    tx,
    parts.readTransferRules,
    { kind: 'months', month, mediumIds },
    today(parts.clock),
  )
  if (!made.ok) return made
  const reasons = reasonsAgainst(made.value)
  if (reasons.length > 0) return refused(...reasons)
  return ok(await issue(tx, parts, made.value.generated, uid))
}

/** Why the statements prevent the close, with the agreement of each reason; the close board shows the same. */
export function reasonsAgainst({ failed }: GeneratedStatements): readonly Refusal<RefusalCode>[] {
  return failed.flatMap(({ source, refusals }) =>
    refusals
      .filter(each => !isOfTransfer(each))
      .map(each => ({ ...each, data: { ...each.data, agreementId: source.payment.agreementId.toString() } })),
  )
}

export interface Waiting {
  readonly monthlyPaymentId: bigint
  readonly mediumId: bigint
  readonly agreementName: string
  readonly agreementCode: string
  readonly month: YearMonth
  readonly totalYen: bigint
  readonly refusals: readonly Refusal<RefusalCode>[]
}

/** Finalised payments without a statement, each with the reason; no reason when it can be issued now. */
export async function listWaiting(
  tx: Transaction,
  { clock, readTransferRules }: Pick<IssueDependencies, 'clock' | 'readTransferRules'>,
): Promise<readonly Waiting[]> {
  const scope = { kind: 'without-statement', month: undefined } as const
  const made = await generateStatements(tx, readTransferRules, scope, today(clock))
  if (made.ok) {
    return [
      ...made.value.failed.map(({ source, refusals }) => waitingOf(source, refusals)),
      ...made.value.generated.map(({ source }) => waitingOf(source, [])),
    ]
  }
  return (await readPaymentsToState(tx, scope)).map(source => waitingOf(source, made.refusals))
}

function waitingOf(source: GeneratedStatement['source'], refusals: readonly Refusal<RefusalCode>[]): Waiting {
  const { monthlyPaymentId, mediumId, agreementName, agreementCode, payment } = source
  return {
    ...{ monthlyPaymentId, mediumId, agreementName, agreementCode, refusals },
    month: payment.revenueGeneratedAtMonth,
    totalYen: payment.paymentIncludingTaxYen,
  }
}

/** Issues statements that could not be issued at the close and can be now. Run twice at once, it issues each only once. */
export async function issueWaitingStatements(
  tx: Transaction,
  parts: IssueDependencies,
  month: YearMonth | undefined,
  uid: string | null,
): Promise<Result<readonly bigint[], Refusal<RefusalCode>>> {
  const made = await generateStatements(
    tx,
    parts.readTransferRules,
    { kind: 'without-statement', month },
    today(parts.clock),
  )
  return made.ok ? ok(await issue(tx, parts, made.value.generated, uid)) : made
}

async function issue(
  tx: Transaction,
  { clock, jobs }: IssueDependencies,
  drawn: readonly GeneratedStatement[],
  uid: string | null,
): Promise<readonly bigint[]> {
  const ids = await insertStatements(tx, drawn, { at: new Date(clock.now()), uid })
  if (ids.length > 0) await jobs.enqueue(tx, STATEMENT_NOTICE_JOB, { statementIds: ids.map(String) })
  return ids
}

/** Fewer than of other rows, because each contains a document. */
const STATEMENTS_PER_INSERT = 1_000

const statementTable = (by: { readonly at: Date; readonly uid: string | null }): BulkTable<GeneratedStatement> => ({
  table: 'statements',
  columns: [
    ['monthly_payment_id', 'bigint', ({ source }) => source.monthlyPaymentId],
    ['medium_id', 'bigint', ({ source }) => source.mediumId],
    ['agreement_id', 'bigint', ({ source }) => source.payment.agreementId],
    ['organization_id', 'bigint', ({ source }) => source.organizationId],
    ['month', 'integer', ({ statement }) => statement.revenueGeneratedAtMonth],
    ['number', 'text', ({ statement }) => statement.number],
    ['revision', 'integer', ({ statement }) => statement.revision],
    ['revision_reason', 'text', ({ statement }) => statement.revisionReason],
    ['template_version', 'integer', () => TEMPLATE_VERSION],
    ['content', 'text', ({ content }) => content],
    ['hash', 'text', ({ hash }) => hash],
    ['issued_on', 'date', ({ statement }) => statement.issuedOn],
    ['issued_at', 'timestamptz', () => by.at.toISOString()],
    ['issued_by_uid', 'uuid', () => by.uid],
    ['deemed_on', 'date', ({ statement }) => statement.confirmationDeemedOn],
    ['due_on', 'date', ({ statement }) => statement.dueOn],
    ['payee_name', 'text', ({ statement }) => statement.payeeName],
    ['total_without_tax_yen', 'bigint', ({ statement }) => statement.totalWithoutTaxYen],
    ['total_yen', 'bigint', ({ statement }) => statement.totalYen],
    ['transfer_amount_yen', 'bigint', ({ statement }) => statement.transferAmountYen],
    ['state_changed_at', 'timestamptz', () => by.at.toISOString()],
  ],
  isNumbered: true,
  rowsPerStatement: STATEMENTS_PER_INSERT,
})

/** Inserts the statements and returns the ids of those that are new; one that another transaction has issued stays. */
export async function insertStatements(
  tx: Transaction,
  drawn: readonly GeneratedStatement[],
  by: { readonly at: Date; readonly uid: string | null },
): Promise<readonly bigint[]> {
  const rows = await runCooperatively(bulkRowSteps(statementTable(by), drawn))
  const inserted = await insertBulk<{ readonly id: bigint }>(tx, rows, sql`on conflict do nothing returning id`)
  return inserted.map(row => row.id)
}
