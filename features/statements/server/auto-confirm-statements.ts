import type { Day } from '@pc/domain/month/day.ts'
import type { StatementEvent } from '@pc/domain/payment/payment-states.ts'
import { autoConfirm, autoConfirmedOn } from '@pc/domain/statement/statement-confirmation.ts'
import { recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import { type Clock, dayAt, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { statementOfContent } from './generate-statements.ts'
import { confirmationOf, storeStep } from './statement-steps.ts'

/** Statements per transaction, so that locks are short. */
const AT_A_TIME = 200

/**
 * Confirms every unanswered statement whose last day for an answer ({@link autoConfirmedOn}) is over in Asia/Tokyo. It
 * can be repeated or run twice at the same time. An answer that is being saved meanwhile takes precedence.
 * Tested by `features/statements/server/statement-answers.test.ts`.
 * @returns how many were confirmed
 */
export async function autoConfirmStatements(database: Database, clock: Clock, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (;;) {
    const done = await database.inScope(SYSTEM, tx => autoConfirmBatch(tx, clock))
    count += done
    if (done < AT_A_TIME || signal?.aborted) return count
  }
}

async function autoConfirmBatch(tx: Transaction, clock: Clock): Promise<number> {
  const rows = await tx
    .selectFrom('statements as s')
    .innerJoin('statementNotices as n', 'n.statementId', 's.id')
    .selectAll('s')
    .select('n.notifiedAt')
    .where('s.state', '=', 'issued')
    .where('s.deemedOn', '<', today(clock))
    // The payee gets as many days from the notification as there are from issue to the printed day.
    .where(
      sql<boolean>`(n.notified_at at time zone 'Asia/Tokyo')::date + (s.deemed_on - s.issued_on) < ${today(clock)}::date`,
    )
    .orderBy('s.id')
    .limit(AT_A_TIME)
    .forUpdate('s')
    .skipLocked()
    .execute()
  const atMs = clock.now()
  for (const row of rows) {
    const now = confirmationOf({ ...row, document: statementOfContent(row.content) })
    const until = autoConfirmedOn(row.issuedOn as Day, now.deemedOn, dayAt(row.notifiedAt.getTime())) ?? now.deemedOn
    const next = autoConfirm({ ...now, deemedOn: until }, atMs)
    const record = next.ok ? next.value.log.at(-1) : undefined
    if (!next.ok || !record) throw new Error(`statement ${row.id} cannot be deemed: ${JSON.stringify(next)}`)
    await storeStep(tx, row.id, next.value, { ...record, actorEmail: null })
  }
  await recordChange(
    tx,
    systemActor('deem-statements'),
    ...rows.map(row => ({
      action: 'deem' as const satisfies StatementEvent,
      resource: 'insight:statement.' as const,
      rowId: row.id,
      before: { state: 'issued' },
      after: { state: 'confirmed', hash: row.hash, deemedOn: row.deemedOn },
    })),
  )
  return rows.length
}
