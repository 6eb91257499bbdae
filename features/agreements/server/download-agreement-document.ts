import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { decide } from '@pc/domain/access/decide.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { actorOf, recordRead } from '@pc/platform/audit/record-read.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import type { Handler } from '@pc/platform/http/listener.ts'
import { parseJson } from '@pc/platform/http/parse-json.ts'
import { demandJson, readBody } from '@pc/platform/http/read-body.ts'
import { codeOfStatus } from '@pc/platform/http/status-codes.ts'
import type { DocumentUploads } from '@pc/platform/objects/document-uploads.ts'
import { ObjectStoreError } from '@pc/platform/objects/object-store-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { findAgreementDocument } from './agreement-document-store.ts'

interface DownloadDependencies {
  readonly database: Database
  readonly documentUploads: DocumentUploads
  readonly authenticate: (authorization: string | undefined) => Promise<Viewer | null>
  readonly sourceAddress: (request: IncomingMessage) => string
}

/** The request contains an id only. */
const MAX_BODY_BYTES = 1_024
const MISSING_JA = '契約書ファイルが見つかりません。削除されたか、閲覧する権限がない可能性があります。'

/**
 * `POST /agreement-documents` with a bearer token and `{ "id": … }`: the PDF as an attachment, which browsers save and
 * never show as a page. The download is recorded in the audit log before its first byte. A file outside of the viewer's
 * scope is answered like one that does not exist.
 */
export function agreementDocumentHandler(parts: DownloadDependencies): Handler {
  const { database, documentUploads } = parts
  return async (request, response, info) => {
    if (request.method !== 'POST')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'POST' }, headers: { allow: 'POST, OPTIONS' } })
    demandJson(request)
    const id = idOf(parseJson(await readBody(request, MAX_BODY_BYTES)))
    const viewer = await parts.authenticate(request.headers.authorization)
    if (!viewer) return answerProblem(response, 401, 'サインインが必要です。もう一度サインインしてください。')
    const permit = decide(viewer, 'read:show', 'insight:agreement.')
    if (!permit) return answerProblem(response, 403, '契約を見る権限がありません。')
    const row = await findAgreementDocument(database.reader(permit.scope), id)
    const bytes = row && (await documentUploads.read(row.objectKey))
    if (!row || !bytes) return answerProblem(response, 404, MISSING_JA)
    if (createHash('sha256').update(bytes).digest('hex') !== row.sha256)
      throw new ObjectStoreError(`${row.objectKey} is not what was kept`)
    await recordRead(
      database,
      actorOf(viewer, { requestId: info.requestId, sourceAddress: parts.sourceAddress(request) }),
      {
        action: 'download',
        resource: 'insight:agreement.',
        rowId: row.agreementId,
        what: { file: row.fileName, bytes: row.sizeBytes, sha256: row.sha256 },
      },
    )
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-length': bytes.length,
      'content-disposition': `attachment; filename="contract.pdf"; filename*=UTF-8''${percentEncoded(row.fileName)}`,
      'cache-control': 'no-store',
    })
    response.end(bytes)
  }
}

function idOf(body: unknown): bigint {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined
  if (typeof id !== 'string' || !/^\d{1,18}$/.test(id)) throw new HttpError(400, 'document-id-wrong')
  return BigInt(id)
}

/** The file name in the encoding of RFC 8187, for `content-disposition`. */
function percentEncoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function answerProblem(response: ServerResponse, status: number, message: string): void {
  const body = Buffer.from(JSON.stringify({ message, code: codeOfStatus(status) }))
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
    })
    .end(body)
}
