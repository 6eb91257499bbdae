import { csvText } from '@pc/domain/text/spreadsheet-text.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { expect } from 'vitest'
import { apiFixture } from './api-fixture.ts'

const PREVIEW = `query P($id: ID!) {
  importPreview(id: $id) { id previewSha256 newCount changedCount unchangedCount refusedCount confirmedByEmail }
  importRows(id: $id, limit: 200, offset: 0) { total nodes { rowNumber state cells { header text }
    changes { header before after } refusals { header text } } } }`

interface Preview {
  readonly id: string
  readonly previewSha256: string
  readonly newCount: number
  readonly changedCount: number
  readonly unchangedCount: number
  readonly refusedCount: number
  readonly confirmedByEmail: string | null
}
interface PreviewRow {
  readonly cells: readonly { readonly header: string; readonly text: string }[]
  readonly rowNumber: number
  readonly state: string
  readonly changes: readonly { readonly header: string; readonly before: string; readonly after: string }[]
  readonly refusals: readonly { readonly header: string | null; readonly text: string }[]
}
export interface Answered {
  readonly status: number
  readonly importId?: string
  readonly isNewPreview?: boolean
  readonly messages?: readonly string[]
  readonly needsStepUp?: boolean
  readonly progress: readonly { readonly done: number; readonly total: number }[]
}

/** {@link apiFixture} that sends files, confirms previews and downloads templates over HTTP. */
export function importFixture() {
  const fixture = apiFixture()
  const post = async (as: string, path: string, body: Buffer | string, type: string): Promise<Response> =>
    fetch(`${fixture.system.origins.insight}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf(as)}`, 'content-type': type },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  const tokenOf = (as: string) =>
    fixture.system.tokenOf(fixture.system.rows.users[as as keyof typeof fixture.system.rows.users].email)
  const answered = async (response: Response): Promise<Answered> => {
    const lines = (await response.text()).trim().split('\n')
    const parsed = lines.map(line => JSON.parse(line) as Record<string, unknown>)
    return {
      status: response.status,
      ...(parsed.at(-1) as object),
      progress: parsed.slice(0, -1) as unknown as Answered['progress'],
    }
  }
  const upload = async (kind: string, content: Buffer | string, as = 'admin', name = 'file.csv') => {
    const address = new URLSearchParams({ kind, name })
    return answered(await post(as, `/imports?${address}`, content, 'application/octet-stream'))
  }
  const confirm = async (
    kind: string,
    preview: Pick<Preview, 'id' | 'previewSha256'>,
    more: object = {},
    as = 'admin',
  ) => {
    const body = JSON.stringify({ importId: preview.id, previewSha256: preview.previewSha256, ...more })
    return answered(await post(as, `/imports?confirm=1&kind=${kind}`, body, 'application/json'))
  }
  const read = async (id: string | undefined) => {
    const answer = await fixture.ask<{
      importPreview: Preview
      importRows: { total: number; nodes: readonly PreviewRow[] }
    }>('admin', PREVIEW, { id })
    return { ...answer.importPreview, rows: answer.importRows.nodes }
  }
  const preview = async (kind: string, content: Buffer | string, as = 'admin') => {
    const sent = await upload(kind, content, as)
    expect(sent.messages, JSON.stringify(sent)).toBeUndefined()
    return read(sent.importId)
  }
  return {
    ...fixture,
    // A spread reads the getter once, before the system runs.
    get system() {
      return fixture.system
    },
    ...{ upload, confirm, read, preview },
    /** Previews and confirms a correct file. */
    async previewAndConfirm(kind: string, content: Buffer | string, more: object = {}, approver = 'admin') {
      const seen = await preview(kind, content)
      expect(
        seen.rows.flatMap(row => row.refusals),
        kind,
      ).toEqual([])
      const confirmed = await confirm(kind, seen, more, approver)
      expect(confirmed.messages, JSON.stringify(confirmed)).toBeUndefined()
      expect(confirmed.isNewPreview).toBe(false)
      return seen
    },
    async template(kind: string, more: object, as = 'admin'): Promise<{ status: number; bytes: Buffer }> {
      const body = JSON.stringify({ kind, content: 'filled', format: 'csv', ...more })
      const response = await post(as, '/exports/import', body, 'application/json')
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
    },
    counts: ({ newCount, changedCount, unchangedCount, refusedCount }: Preview) => [
      ...[newCount, changedCount, unchangedCount, refusedCount],
    ],
    inDatabase: <T>(work: Parameters<typeof fixture.system.dependencies.database.inScope<T>>[1]) =>
      fixture.system.dependencies.database.inScope(SYSTEM, work),
  }
}

/** A CSV file as a person would send it. */
export function csvOf(...rows: readonly (readonly string[])[]): string {
  return rows.map(cells => cells.map(csvText).join(',')).join('\r\n')
}
