import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { contentColumns, writeContents } from '../content-store.ts'
import type { IngestContext } from '../ingest-context.ts'
import { type BatchContent, markAppliedAtOnce, noteMoved } from '../ingest-store.ts'
import { type ContentFile, readContentFile } from '../reading/content-file.ts'
import { ReadingEngine } from '../reading/reading-engine.ts'

interface ContentBatch {
  readonly batchNo: bigint
  readonly replaces: bigint | null
  readonly content: BatchContent
  readonly file: ContentFile
}

/** Longer than usual: triggers update the search index of every title in the same statement. */
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * Writes a batch of articles or videos and its ledger entry in one transaction: either all of it is `applied`, or it is
 * still `received` and its sender repeats it. Articles of a replaced batch that this one does not name stay, because
 * figures refer to them.
 */
export async function publishContents(
  { database, clock, engine: settings }: IngestContext,
  workDir: string,
  { batchNo, replaces, content, file }: ContentBatch,
): Promise<void> {
  // The engine may read only the work folder, and spills to it.
  const engine = await ReadingEngine.open(settings, [workDir], workDir)
  try {
    await database.inScope(
      SYSTEM,
      async tx => {
        await markAppliedAtOnce(tx, batchNo, replaces, content, new Date(clock.now()))
        let moved = 0n
        for await (const page of readContentFile(engine, file, contentColumns(file.dataset)))
          moved += await writeContents(tx, file.dataset, batchNo, page)
        if (moved > 0n) await noteMoved(tx, batchNo, moved)
      },
      { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    )
  } finally {
    engine.close()
  }
}
