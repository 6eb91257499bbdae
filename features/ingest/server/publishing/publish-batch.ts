import { monthOfDay, monthRange, type YearMonth } from '@pc/domain/month/year-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { ImportScope } from '@pc/platform/stats/port.ts'
import { type PreparedBatch, prepareBatch } from '../checking/prepare-batch.ts'
import type { IngestContext } from '../ingest-context.ts'
import { type BatchRow, findBatch, listQuarantinedRowNos, markApplied } from '../ingest-store.ts'
import { KeptSourceError, openKeptSource, type Source } from '../reading/source-files.ts'
import type { FactFile } from './build-facts.ts'
import { keepEventHours } from './event-hours.ts'

type Accepted = Pick<PreparedBatch, 'facts' | 'hours'>

/** Makes a batch that is `applying` visible, then marks it `applied` in the ledger. Idempotent. */
export async function publishBatch(context: IngestContext, batch: BatchRow, { facts, hours }: Accepted): Promise<void> {
  const { database, clock } = context
  const scope = await scopeOf(context, batch)
  await publishFacts(context, scope, facts)
  await database.inScope(SYSTEM, async tx => {
    if (batch.dataset === 'events') await keepEventHours(tx, [scope.batchNo, ...scope.replacesBatchNos], hours, clock)
    await markApplied(tx, batch.batchNo, new Date(clock.now()))
    await context.statisticsChanged?.(tx, scope.months)
  })
}

/** Publishes rows from elsewhere than the kept source: `rebuild-statistics.ts` takes them from an outdated store file. */
export async function publishOtherFacts(
  context: IngestContext,
  batch: BatchRow,
  facts: readonly FactFile[],
): Promise<void> {
  await publishFacts(context, await scopeOf(context, batch), facts)
}

/** Reads the kept source again, exactly as it was accepted, and publishes it in place of whatever the store holds. */
export async function republishBatch(context: IngestContext, batch: BatchRow): Promise<void> {
  await withAcceptedRows(context, batch, async accepted => {
    if (batch.state === 'applying') await publishBatch(context, batch, accepted)
    else await publishFacts(context, await scopeOf(context, batch), accepted.facts)
  })
}

/** Removes the rows of a batch that a later revision replaced. */
export async function withdrawBatch(context: IngestContext, batch: BatchRow): Promise<void> {
  await publishFacts(context, { batchNo: batch.batchNo, replacesBatchNos: [], months: monthsOf(batch) }, [])
}

/** Reads a batch from its kept source exactly as it was accepted. The files are deleted after `work`. */
export async function withAcceptedRows<T>(
  context: IngestContext,
  batch: BatchRow,
  work: (accepted: PreparedBatch, source: Source) => Promise<T>,
): Promise<T> {
  const excludedRows = await context.database.inScope(SYSTEM, tx => listQuarantinedRowNos(tx, batch.batchNo))
  const source = await openKeptSource(batch.contentSha256, context, context.limits)
  try {
    // Quarantines the same rows as then, by number: judged again by today's master data, others could be wrong.
    const options = { batchNo: batch.batchNo, quarantine: true, excludedRows }
    const prepared = await prepareBatch(batch.dataset, source, options, context)
    const rows = countRows(prepared)
    if (rows !== batch.factRows) {
      throw new KeptSourceError(
        `batch ${batch.batchId} gave ${batch.factRows} rows when it was accepted and ${rows} now`,
      )
    }
    return await work(prepared, source)
  } finally {
    source.dispose()
  }
}

/** The size of a batch for the ledger: rows over all fact tables, or articles or videos. */
export function countRows({ facts, contents }: Pick<PreparedBatch, 'facts' | 'contents'>): bigint {
  return facts.reduce((sum, { rows }) => sum + rows, contents?.rows ?? 0n)
}

async function publishFacts(context: IngestContext, scope: ImportScope, facts: readonly FactFile[]): Promise<void> {
  const run = await context.stats.beginImport(scope)
  try {
    for (const { table, file } of facts) await run.load(table, file)
    await run.publish()
  } finally {
    await run.discard()
  }
}

async function scopeOf(context: IngestContext, batch: BatchRow): Promise<ImportScope> {
  const { replacesBatchNo } = batch
  if (replacesBatchNo === null) return { batchNo: batch.batchNo, replacesBatchNos: [], months: monthsOf(batch) }
  const replaced = await context.database.inScope(SYSTEM, tx => findBatch(tx, replacesBatchNo))
  const months = [...new Set([...monthsOf(batch), ...monthsOf(replaced)])].sort((a, b) => a - b)
  return { batchNo: batch.batchNo, replacesBatchNos: [replacesBatchNo], months }
}

function monthsOf({ firstDay, lastDay }: BatchRow): YearMonth[] {
  return firstDay && lastDay ? monthRange(monthOfDay(firstDay), monthOfDay(lastDay)) : []
}
