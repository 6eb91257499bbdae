import { documentFileName } from '@pc/domain/agreement/contract-document.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { AcceptedDocument } from '@pc/platform/objects/document-uploads.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import { type AgreementDocumentRow, findAgreementDocument } from './agreement-document-store.ts'

type DocumentWrite = Write<'write:update', 'insight:agreement.'>
type DocumentResult = Promise<Result<AgreementDocumentRow, Refusal<RefusalCode>>>

const RESOURCE = 'insight:agreement.'
const MAX_DOCUMENTS = 50
const CONSTRAINTS = {
  agreement_documents_content: { code: 'agreement-document/same-content', path: ['uploadId'] },
  agreement_documents_object_key_key: { code: 'agreement-document/not-sent', path: ['uploadId'] },
} as const

/** Adds an uploaded file to an agreement. The agreement keeps its revision, so that an open form can still be saved. */
export async function addAgreementDocument(
  given: { readonly agreementId: bigint; readonly fileName: string; readonly maxBytes: number },
  accepted: AcceptedDocument,
  write: DocumentWrite,
): DocumentResult {
  const { tx, permit } = write
  const { agreementId } = given
  if (!accepted.ok) {
    const maxMegabytes = Math.floor(given.maxBytes / 1_048_576)
    return refused(refusal(`agreement-document/${accepted.problem}`, ['uploadId'], { maxMegabytes }))
  }
  const fileName = documentFileName(given.fileName)
  if (fileName === undefined) return refused(refusal('agreement-document/name-wrong', ['fileName']))
  const agreement = await tx
    .selectFrom('agreements')
    .select('id')
    .where('id', '=', agreementId)
    .forUpdate()
    .executeTakeFirst()
  if (!agreement) return refused(refusal('record/not-found', ['agreementId']))
  const { count } = await tx
    .selectFrom('agreementDocuments')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where('agreementId', '=', agreementId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= BigInt(MAX_DOCUMENTS))
    return refused(refusal('agreement-document/too-many', ['uploadId'], { max: MAX_DOCUMENTS }))
  const { key: objectKey, sizeBytes, sha256 } = accepted
  try {
    const { id } = await tx
      .insertInto('agreementDocuments')
      .values({ agreementId, objectKey, fileName, sizeBytes, sha256, addedBy: permit.viewer.uid })
      .returning('id')
      .executeTakeFirstOrThrow()
    const after = { documentId: id, document: fileName, sizeBytes, sha256 }
    write.record({ action: 'update', resource: RESOURCE, rowId: agreementId, before: null, after })
    const row = await findAgreementDocument(tx, id)
    if (!row) throw new Error('a document that was just written is gone')
    return ok(row)
  } catch (error) {
    return refused(refusalOfConstraint(error, CONSTRAINTS))
  }
}

/** Removes a file from an agreement. Its bytes are kept, so that the operator can still look up what was agreed. */
export async function removeAgreementDocument(id: bigint, write: DocumentWrite): DocumentResult {
  const { tx } = write
  await tx.selectFrom('agreementDocuments').select('id').where('id', '=', id).forUpdate().execute()
  const row = await findAgreementDocument(tx, id)
  if (!row) return refused(refusal('record/not-found', ['id']))
  await tx
    .updateTable('agreementDocuments')
    .set(eb => ({ removedAt: eb.fn<Date>('now') }))
    .where('id', '=', id)
    .execute()
  const before = { documentId: id, document: row.fileName, sizeBytes: row.sizeBytes, sha256: row.sha256 }
  write.record({ action: 'update', resource: RESOURCE, rowId: row.agreementId, before, after: null })
  return ok(row)
}
