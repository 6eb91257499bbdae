import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface AgreementDocumentRow {
  readonly id: bigint
  readonly agreementId: bigint
  readonly objectKey: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly addedAt: Date
}

const COLUMNS = ['id', 'agreementId', 'objectKey', 'fileName', 'sizeBytes', 'sha256', 'addedAt'] as const

/** The files of agreements that the reader's scope shows, the latest first. Removed files are left out. */
export async function readAgreementDocuments(
  reader: Reader,
  agreementIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly AgreementDocumentRow[]>> {
  const rows = await reader
    .selectFrom('agreementDocuments')
    .select(COLUMNS)
    .where('agreementId', '=', sql<bigint>`any(${agreementIds}::bigint[])`)
    .where('removedAt', 'is', null)
    .orderBy('addedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows, row => row.agreementId)
}

/** Undefined for a file that does not exist, was removed, or is outside of the scope: callers cannot tell which. */
export function findAgreementDocument(reader: Reader, id: bigint): Promise<AgreementDocumentRow | undefined> {
  return reader
    .selectFrom('agreementDocuments')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
}
