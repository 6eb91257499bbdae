import { refusal } from '@pc/domain/refusal.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { refusalError } from '@pc/platform/graphql/refusal-error.ts'
import type { DocumentUploads } from '@pc/platform/objects/document-uploads.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { AgreementDocumentRow } from './agreement-document-store.ts'
import { addAgreementDocument, removeAgreementDocument } from './change-agreement-documents.ts'

const RESOURCE = 'insight:agreement.'

export function agreementDocumentType(graph: Graph) {
  return graph.objectRef<AgreementDocumentRow>('AgreementDocument').implement({
    on: RESOURCE,
    description: 'A file of an agreement, a PDF. Its bytes: POST /agreement-documents with its id.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      fileName: t.exposeString('fileName'),
      sizeBytes: t.exposeInt('sizeBytes'),
      sha256: t.exposeString('sha256'),
      addedAt: t.expose('addedAt', { type: 'DateTime' }),
    }),
  })
}

/** `agreementDocumentUploadUrl`, `addAgreementDocument`, `removeAgreementDocument`. */
export function addAgreementDocumentFields(
  graph: Graph,
  AgreementDocument: ObjectTypeRef<AgreementDocumentRow>,
  { database, documentUploads }: { readonly database: Database; readonly documentUploads: DocumentUploads },
): void {
  const Upload = graph
    .objectRef<{ readonly uploadUrl: string; readonly uploadId: string }>('AgreementDocumentUpload')
    .implement({
      on: 'inherits',
      fields: t => ({
        uploadUrl: t.exposeString('uploadUrl', {
          description: 'Takes one PUT of application/pdf with exactly this size within five minutes.',
        }),
        uploadId: t.exposeString('uploadId', { description: 'What addAgreementDocument takes afterwards.' }),
      }),
    })
  graph.queryField('agreementDocumentUploadUrl', t =>
    field(t, {
      type: Upload,
      args: { sizeBytes: t.arg.int({ required: true }) },
      allow: 'write:update',
      on: RESOURCE,
      resolve(_parent, { sizeBytes }) {
        if (sizeBytes <= 0 || sizeBytes > documentUploads.maxBytes) {
          const maxMegabytes = Math.floor(documentUploads.maxBytes / 1_048_576)
          throw refusalError([refusal('agreement-document/too-large', ['sizeBytes'], { maxMegabytes })])
        }
        return documentUploads.address(sizeBytes)
      },
    }),
  )
  graph.mutationField('addAgreementDocument', t =>
    mutation(t, {
      type: AgreementDocument,
      description: 'Puts a PDF that was sent to the address of agreementDocumentUploadUrl to an agreement.',
      args: {
        agreementId: t.arg.id({ required: true }),
        uploadId: t.arg.string({ required: true }),
        fileName: t.arg.string({ required: true }),
      },
      allow: 'write:update',
      on: RESOURCE,
      database,
      prepare: ({ uploadId }) => documentUploads.accept(uploadId),
      run: ({ agreementId, fileName }, write, _context, accepted) =>
        addAgreementDocument(
          { agreementId: readId(agreementId, ['agreementId']), fileName, maxBytes: documentUploads.maxBytes },
          accepted,
          write,
        ),
    }),
  )
  graph.mutationField('removeAgreementDocument', t =>
    mutation(t, {
      type: AgreementDocument,
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: RESOURCE,
      database,
      run: ({ id }, write) => removeAgreementDocument(readId(id, ['id']), write),
    }),
  )
}
