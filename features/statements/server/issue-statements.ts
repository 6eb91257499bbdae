import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
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

/** Statements per insert: few enough for the statement timeout, and so that writing the query does not block others. */
const AT_A_TIME = 300

/** Inserts the statements and returns the ids of those that are new; one that another transaction has issued stays. */
export async function insertStatements(
  tx: Transaction,
  drawn: readonly GeneratedStatement[],
  by: { readonly at: Date; readonly uid: string | null },
): Promise<readonly bigint[]> {
  const ids: bigint[] = []
  for (let from = 0; from < drawn.length; from += AT_A_TIME) {
    ids.push(...(await insertSome(tx, drawn.slice(from, from + AT_A_TIME), by)))
  }
  return ids
}

async function insertSome(
  tx: Transaction,
  drawn: readonly GeneratedStatement[],
  by: { readonly at: Date; readonly uid: string | null },
): Promise<readonly bigint[]> {
  const rows = drawn.map(({ source, statement, content, hash }) => ({
    monthly_payment_id: source.monthlyPaymentId.toString(),
    medium_id: source.mediumId.toString(),
    agreement_id: source.payment.agreementId.toString(),
    organization_id: source.organizationId.toString(),
    month: statement.revenueGeneratedAtMonth,
    number: statement.number,
    revision: statement.revision,
    revision_reason: statement.revisionReason,
    content,
    hash,
    issued_on: statement.issuedOn satisfies Day,
    deemed_on: statement.confirmationDeemedOn,
    due_on: statement.dueOn,
    payee_name: statement.payeeName,
    total_without_tax_yen: statement.totalWithoutTaxYen.toString(),
    total_yen: statement.totalYen.toString(),
    transfer_amount_yen: statement.transferAmountYen.toString(),
  }))
  const inserted = await sql<{ id: bigint }>`
    insert into statements (monthly_payment_id, medium_id, agreement_id, organization_id, month, number, revision,
      revision_reason, template_version, content, hash, issued_on, issued_at, issued_by_uid, deemed_on, due_on, payee_name,
      total_without_tax_yen, total_yen, transfer_amount_yen, state_changed_at)
    select r.monthly_payment_id, r.medium_id, r.agreement_id, r.organization_id, r.month, r.number, r.revision,
      r.revision_reason, ${TEMPLATE_VERSION}::int, r.content, r.hash, r.issued_on, ${by.at}, ${by.uid}::uuid, r.deemed_on,
      r.due_on, r.payee_name, r.total_without_tax_yen, r.total_yen, r.transfer_amount_yen, ${by.at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (monthly_payment_id bigint, medium_id bigint,
      agreement_id bigint, organization_id bigint, month integer, number text, revision integer, revision_reason text,
      content text, hash text, issued_on date, deemed_on date, due_on date, payee_name text,
      total_without_tax_yen bigint, total_yen bigint, transfer_amount_yen bigint)
    on conflict do nothing
    returning id`.execute(tx)
  return inserted.rows.map(row => row.id)
}
