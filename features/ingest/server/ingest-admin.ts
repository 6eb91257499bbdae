import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import type { Day } from '@pc/domain/month/day.ts'
import { ANY_DATASET, type ContentDataset, type Dataset, isContentDataset } from './checking/dataset-columns.ts'
import { dryRun } from './dry-run/dry-run.ts'
import { type DryRunAnswer, dryRunAnswer } from './dry-run/dry-run-answer.ts'
import { type ImportAnswer, importAnswer } from './import-answer.ts'
import { importBatch } from './import-batch.ts'
import type { ImportProgress, ImportRequest } from './import-request.ts'
import type { IngestContext } from './ingest-context.ts'
import { createKey, type KeyAnswer, listKeys, revokeKey } from './ingest-key-commands.ts'
import { type AbandonAnswer, abandonBatch } from './publishing/abandon-batch.ts'
import { replayContents } from './publishing/replay-contents.ts'
import { type ReplayReport, replayDay } from './publishing/replay-day.ts'
import { CHUNKS } from './reading/source-files.ts'

export interface FileRequest {
  /** Undefined: recognised by the columns of the file. */
  readonly dataset: Dataset | undefined
  readonly file: string
  readonly batchId: string | undefined
  readonly replaces: string | undefined
  readonly quarantine: boolean
  readonly onProgress: (progress: ImportProgress) => void
}

/** The operator's ingest commands, run by this process or by the server that holds the stores. */
export interface IngestAdmin {
  importFile(request: FileRequest): Promise<ImportAnswer>
  /** Answers what {@link importFile} would do, and changes nothing. */
  dryRunFile(request: FileRequest): Promise<DryRunAnswer>
  createKey(name: string): Promise<{ key: KeyAnswer; secret: string }>
  listKeys(): Promise<readonly KeyAnswer[]>
  revokeKey(id: string): Promise<boolean>
  /** Gives up a delivery that cannot be published. @param batch its id or number */
  abandon(batch: string): Promise<AbandonAnswer>
  /** Rebuilds the figures of a day, or all articles or videos, from the kept sources and compares them; changes nothing. */
  replay(of: Day | ContentDataset): Promise<ReplayReport>
}

/**
 * Runs the commands in this process; no server may hold the stores.
 * Tested by `features/ingest/server/ingest-endpoint.test.ts`.
 */
export function localIngestAdmin(context: IngestContext): IngestAdmin {
  const opened = ({ file, ...request }: FileRequest): ImportRequest => ({
    ...{ ...request, input: fs.createReadStream(file, CHUNKS), sourceName: path.basename(file) },
  })
  return {
    importFile: async request => importAnswer(await importBatch(context, opened(request))),
    dryRunFile: async request => dryRunAnswer(await dryRun(context, opened(request))),
    createKey: name => createKey(context, name),
    listKeys: () => listKeys(context),
    revokeKey: id => revokeKey(context, id),
    abandon: batch => abandonBatch(context, batch),
    replay: of => (isContentDataset(of) ? replayContents(context, of) : replayDay(context, of)),
  }
}

/** Sends the commands to the running server over its control socket. */
export function remoteIngestAdmin(socketPath: string): IngestAdmin {
  return {
    importFile: async request => (await sendFile(socketPath, request)) as ImportAnswer,
    dryRunFile: async request => (await sendFile(socketPath, request, { dryRun: '1' })) as DryRunAnswer,
    createKey: async name =>
      (await call(socketPath, `keys/create?${new URLSearchParams({ name })}`)) as { key: KeyAnswer; secret: string },
    listKeys: async () => ((await call(socketPath, 'keys/list')) as { keys: KeyAnswer[] }).keys,
    revokeKey: async id =>
      ((await call(socketPath, `keys/revoke?${new URLSearchParams({ id })}`)) as { revoked: boolean }).revoked,
    abandon: async batch => (await call(socketPath, `abandon?${new URLSearchParams({ batch })}`)) as AbandonAnswer,
    replay: async of => (await call(socketPath, `replay?of=${of}`)) as ReplayReport,
  }
}

function sendFile(
  socketPath: string,
  { dataset, file, batchId, replaces, quarantine, onProgress }: FileRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const query = new URLSearchParams({
    name: path.basename(file),
    ...(batchId === undefined ? {} : { batchId }),
    ...(replaces === undefined ? {} : { replaces }),
    ...(quarantine ? { quarantine: '1' } : {}),
    ...more,
  })
  let bytes = 0
  const input = fs.createReadStream(file, CHUNKS).on('data', chunk => {
    bytes += chunk.length
    onProgress({ step: 'receive', bytes })
  })
  input.on('end', () => onProgress({ step: 'wait' }))
  return call(socketPath, `${dataset ?? ANY_DATASET}?${query}`, input)
}

function call(socketPath: string, route: string, body?: fs.ReadStream): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'Content-Type': 'application/octet-stream' } : {}
    const request = http.request({ socketPath, method: 'POST', path: `/ingest/v1/${route}`, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        try {
          const answer = JSON.parse(text) as { message?: string }
          if ((response.statusCode ?? 500) >= 500) reject(new Error(answer.message ?? text))
          else resolve(answer)
        } catch {
          reject(new Error(`the server answered ${response.statusCode}: ${text.slice(0, 200)}`))
        }
      })
      body?.unpipe(request) // the server answered early and does not read the rest
    })
    request.on('error', reject)
    if (!body) {
      request.end()
      return
    }
    body.on('error', error => {
      request.destroy()
      reject(error)
    })
    body.pipe(request)
  })
}
