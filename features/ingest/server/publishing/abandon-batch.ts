import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Change, recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { IMPORT_LOCK_KEY } from '../import-lock.ts'
import type { IngestContext } from '../ingest-context.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { type BatchRow, findAbandonable, listBatchesByNo, markAbandoned } from '../ingest-store.ts'
import { settleStore } from './complete-batch.ts'

export interface AbandonAnswer {
  readonly isDone: boolean
  /** Japanese, a whole sentence. */
  readonly message: string
}

/** The operator's command: gives up a delivery that cannot be published. @param named batch id or number */
export function abandonBatch(context: IngestContext, named: string): Promise<AbandonAnswer> {
  return context.withImportLock(async () => {
    const answer = await context.database.inScope(SYSTEM, async tx => {
      const found = await findAbandonable(tx, named)
      const [batch] = found
      if (batch === undefined)
        return {
          isDone: false,
          message: `中止できる取り込み ${named} はありません。取り込み済みか、すでに中止しています。`,
        }
      if (found.length > 1) {
        const numbers = found.map(({ batchNo, dataset }) => `${batchNo}（${dataset}）`).join('、')
        return { isDone: false, message: `取り込み ${named} は複数あります。番号で指定してください：${numbers}` }
      }
      await abandon(tx, batch, change => recordChange(tx, systemActor('ingest'), change))
      return { isDone: true, message: `取り込み ${batch.batchNo}（${batch.batchId}）を中止しました。` }
    })
    if (answer.isDone) await settleStore(context)
    return answer
  })
}

/**
 * The same from the screen, inside the mutation's transaction; the next import cleans up the statistics store. Refused
 * with `ingest/busy` while any import holds the lock, because that may be importing this batch.
 */
export async function abandonIngestBatch(
  batchNo: bigint,
  { tx, record }: Write<'write:create', 'insight:ingest.'>,
): Promise<Result<true, Refusal<'record/not-found' | 'ingest/busy' | 'ingest/not-abandonable'>>> {
  const { rows } = await sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock(${IMPORT_LOCK_KEY}) as free`.execute(tx)
  if (!rows[0]?.free) return refused(refusal('ingest/busy'))
  const [batch] = await listBatchesByNo(tx, batchNo)
  if (!batch) return refused(refusal('record/not-found', ['id']))
  const isAbandoned = await abandon(tx, batch, async change => record(change))
  return isAbandoned ? ok(true) : refused(refusal('ingest/not-abandonable', ['id']))
}

async function abandon(tx: Transaction, batch: BatchRow, record: (change: Change) => Promise<void>): Promise<boolean> {
  const { batchNo, state } = batch
  if (!(await markAbandoned(tx, batch, INGEST_MESSAGES.abandoned))) return false
  const [before, after] = [{ state }, { state: 'refused' }]
  await record({ action: 'abandon', resource: 'insight:ingest.', rowId: batchNo, before, after })
  return true
}
