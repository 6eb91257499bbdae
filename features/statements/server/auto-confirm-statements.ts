import type { Day } from '@pc/domain/month/day.ts'
import type { StatementEvent } from '@pc/domain/payment/payment-states.ts'
import { autoConfirm, autoConfirmedOn } from '@pc/domain/statement/statement-confirmation.ts'
import { recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import { type Clock, dayAt, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { confirmationOf, keepStep } from './answer-statement.ts'
import { statementOfContent } from './generate-statements.ts'

const AT_A_TIME = 200

/**
 * Confirms by the agreed rule every statement whose printed day is over in Asia/Tokyo, of which its payee was notified
 * in time
 * ({@link autoConfirmedOn}), and that nobody has answered. Run
 * again, or by two at once, it finds what is left; an answer that is being given meanwhile comes first.
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
    // The days that the payee was to have from the issue, counted from its notification.
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
    await keepStep(tx, row.id, next.value, { ...record, actorEmail: null })
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
