import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Refused } from './import-kind.ts'
import { type ImportRow, lockImport } from './import-store.ts'

/** Deletes an unconfirmed preview with its rows; a confirmed one is refused. @returns the deleted preview */
export async function discardImport(
  tx: Transaction,
  id: bigint,
  isOwnKind: (kind: string) => boolean,
): Promise<Result<ImportRow, Refused>> {
  const kept = await lockImport(tx, id)
  if (!kept || !isOwnKind(kept.kind)) return refused(refusal('import/not-found', ['id']))
  if (kept.confirmedAt !== null) return refused(refusal('import/already-confirmed', ['id']))
  await tx.deleteFrom('imports').where('id', '=', id).execute()
  return ok(kept)
}
