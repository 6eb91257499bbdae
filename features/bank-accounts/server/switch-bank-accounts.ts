import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Actor, systemActor } from '@pc/platform/audit/record-change.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Log } from '@pc/platform/log.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { type BankAccountRow, findBankAccount } from './bank-account-store.ts'
import { BANK_ACCOUNT_NOTICE_JOB } from './notify-bank-account-job.ts'

/** Just after midnight, and at 6:05 again in case the first run failed. */
const SWITCH_JOB = defineJob<Readonly<Record<string, never>>>('bank-account-switches', {
  cron: '5 0,6 * * *',
  onePerKey: true,
})

/** Pays an agreement to an account from now on; the first month, or why it cannot. */
export type SwitchAgreement = (
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  use: { readonly agreementId: bigint; readonly bankAccountId: bigint },
) => Promise<Result<YearMonth, Refusal<RefusalCode>>>

export interface SwitchDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly clock: Clock
  readonly switchAgreement: SwitchAgreement
}

interface PlannedSwitch {
  readonly bankAccountId: bigint
  readonly agreementId: bigint
}

export function switchBankAccountsHandler(dependencies: SwitchDependencies, log: Log): JobHandler {
  return handleJob(SWITCH_JOB, async (_data, job) => {
    const counts = await switchBankAccounts(dependencies, job.signal)
    if (counts.done + counts.refused > 0) log.info(counts, 'agreements changed to accounts whose waiting time is over')
  })
}

/** Agreements that are switched meanwhile are named by the same mail. */
const NOTICE_DELAY_MS = 60_000

/**
 * Gives the agreements that a request named their account, once it is approved and its waiting time is over. Each is a
 * transaction of its own: one that is refused keeps its reason and is tried again the next time, and one that fails does
 * not hold up the others.
 * @throws the first failure, after all of them were tried
 */
export async function switchBankAccounts(
  dependencies: SwitchDependencies,
  signal?: AbortSignal,
): Promise<{ readonly done: number; readonly refused: number }> {
  const { database } = dependencies
  const counts = { done: 0, refused: 0 }
  const failures: unknown[] = []
  for (const one of await readDueSwitches(dependencies)) {
    if (signal?.aborted) break
    try {
      const state = await database.inScope(SYSTEM, tx => switchOne(tx, dependencies, one))
      if (state === 'done') counts.done += 1
      if (state === 'refused') counts.refused += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return counts
}

/** The older request first: the newest account is the one that stays. */
function readDueSwitches({ database, clock }: SwitchDependencies): Promise<readonly PlannedSwitch[]> {
  return database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('bankAccountSwitches as s')
      .innerJoin('bankAccounts as b', 'b.id', 's.bankAccountId')
      .select(['s.bankAccountId', 's.agreementId'])
      .where('s.state', '=', 'planned')
      .where('b.state', '=', 'approved')
      .where(sql<boolean>`coalesce(b.usable_from <= ${today(clock)}::date, true)`)
      .orderBy('s.bankAccountId')
      .orderBy('s.agreementId')
      .execute(),
  )
}

type Ended = 'done' | 'superseded' | 'refused' | undefined

async function switchOne(
  tx: Transaction,
  { clock, jobs, switchAgreement }: SwitchDependencies,
  one: PlannedSwitch,
): Promise<Ended> {
  // All changes of an agreement lock its row first, so that two of them cannot deadlock.
  await tx.selectFrom('agreements').select('id').where('id', '=', one.agreementId).forUpdate().execute()
  const locked = await tx
    .selectFrom('bankAccountSwitches')
    .select('state')
    .where('bankAccountId', '=', one.bankAccountId)
    .where('agreementId', '=', one.agreementId)
    .forUpdate()
    .executeTakeFirst()
  if (locked?.state !== 'planned') return undefined
  if (await isSuperseded(tx, one)) {
    await end(tx, one, 'superseded')
    return 'superseded'
  }
  // Before the agreement's audit row, which is the last statement of the transaction.
  await end(tx, one, 'done')
  const used = await switchAgreement(tx, clock, systemActor('bank-account-switches'), one)
  if (used.ok) {
    const notice = { bankAccountId: String(one.bankAccountId), event: 'switched' } as const
    await jobs.enqueue(tx, BANK_ACCOUNT_NOTICE_JOB, notice, { startAfter: new Date(clock.now() + NOTICE_DELAY_MS) })
    return 'done'
  }
  // A refusal has changed nothing of the agreement.
  await tx
    .updateTable('bankAccountSwitches')
    .set({ state: 'planned', endedAt: null, refusalCode: used.refusals[0]?.code ?? 'record/not-found' })
    .where('bankAccountId', '=', one.bankAccountId)
    .where('agreementId', '=', one.agreementId)
    .execute()
  return 'refused'
}

async function end(tx: Transaction, one: PlannedSwitch, state: 'done' | 'superseded'): Promise<void> {
  await tx
    .updateTable('bankAccountSwitches')
    .set({ state, endedAt: sql<Date>`now()`, refusalCode: null })
    .where('bankAccountId', '=', one.bankAccountId)
    .where('agreementId', '=', one.agreementId)
    .execute()
}

/**
 * Whether the agreement was given another account after the request: by a person, or by a newer request. What an older
 * request brought does not count, although it became usable later.
 */
async function isSuperseded(tx: Transaction, { bankAccountId, agreementId }: PlannedSwitch): Promise<boolean> {
  const { rows } = await sql<{ isSuperseded: boolean }>`select exists (
    select from agreement_bank_accounts u join bank_accounts b on b.id = ${bankAccountId}
    where u.agreement_id = ${agreementId} and u.bank_account_id <> b.id and u.created_at > b.requested_at
      and not exists (select from bank_account_switches o where o.agreement_id = u.agreement_id
        and o.bank_account_id = u.bank_account_id and o.bank_account_id < b.id and o.state = 'done'
        and u.created_at <= o.ended_at)) as is_superseded`.execute(tx)
  return rows[0]?.isSuperseded ?? true
}

/** Stops what is planned with an account, for example after an objection: its agreements keep the account they have. */
export async function cancelBankAccountSwitches(
  write: Write<'write:update', 'insight:bank_account.'>,
  jobs: Jobs,
  id: bigint,
): Promise<Result<BankAccountRow, Refusal<RefusalCode>>> {
  const { tx } = write
  const row = await findBankAccount(tx, id)
  if (!row) return refused(refusal('record/not-found', ['id']))
  const cancelled = await tx
    .updateTable('bankAccountSwitches')
    .set({ state: 'cancelled', endedAt: sql<Date>`now()`, refusalCode: null })
    .where('bankAccountId', '=', id)
    .where('state', '=', 'planned')
    .returning('agreementId')
    .execute()
  if (cancelled.length === 0) write.recordNothing()
  else {
    await jobs.enqueue(tx, BANK_ACCOUNT_NOTICE_JOB, { bankAccountId: String(id), event: 'cancelled' })
    const agreementIds = cancelled.map(one => one.agreementId)
    write.record({
      action: 'withdraw',
      resource: 'insight:bank_account.',
      rowId: id,
      before: { agreementIds },
      after: { agreementIds: [] },
    })
  }
  return ok(row)
}
