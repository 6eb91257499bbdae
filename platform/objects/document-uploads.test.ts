import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { HttpError } from '../http/http-error.ts'
import { openDocumentUploads } from './document-uploads.ts'
import type { ScanFile } from './scan-file.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'documents-'))
const pdf = Buffer.from('%PDF-1.7\nxref\n0 1\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n')
let verdict: () => ReturnType<ScanFile> = async () => 'clean'
const server = createServer((request, response) => {
  uploads.handle(request, response).catch((error: unknown) => {
    response.writeHead(error instanceof HttpError ? error.status : 500).end()
  })
})
let uploads: ReturnType<typeof openDocumentUploads>

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const webOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const scanFile: ScanFile = () => verdict()
  uploads = openDocumentUploads({ dataDir: folder, webOrigin, objectsUrl: undefined, clock: systemClock, scanFile })
})
afterAll(() => {
  server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function sent(): Promise<string> {
  const { uploadUrl, uploadId } = await uploads.address(pdf.length)
  const headers = { 'content-type': 'application/pdf' }
  expect((await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(pdf), headers })).status).toBe(201)
  return uploadId
}

test('what the scanner finds is thrown away; while it says nothing, nothing is kept', async () => {
  const id = await sent()
  verdict = () => Promise.reject(new Error('no verdict'))
  expect(await uploads.accept(id)).toEqual({ ok: false, problem: 'not-scanned' })
  verdict = async () => 'clean'
  const kept = await uploads.accept(id)
  expect(kept).toMatchObject({ ok: true, sizeBytes: pdf.length })
  verdict = async () => 'infected'
  // What has been kept is not asked about again.
  expect(await uploads.accept(id)).toEqual(kept)
  const other = await sent()
  expect(await uploads.accept(other)).toEqual({ ok: false, problem: 'infected' })
  verdict = async () => 'clean'
  expect(await uploads.accept(other)).toEqual({ ok: false, problem: 'not-sent' })
})

test('an address in which something stands twice is not one of ours, and the largest size is that of documents', async () => {
  const put = async (url: string, body = pdf) =>
    (await fetch(url, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': 'application/pdf' } }))
      .status
  const { uploadUrl } = await uploads.address(pdf.length)
  expect(await put(uploadUrl.replace('?', '?size=314572800&'))).toBe(403)
  expect(await put(`${uploadUrl}&size=${pdf.length}`)).toBe(403)
  expect(await put(uploadUrl)).toBe(201)
  const huge = await uploads.address(uploads.maxBytes + 1)
  expect(await put(huge.uploadUrl, Buffer.alloc(uploads.maxBytes + 1))).toBe(413)
})
