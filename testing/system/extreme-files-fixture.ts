import type { RandomSource } from '@pc/domain/settlement/random-month.ts'
import type { ImportColumn } from '@pc/features/imports/server/import-columns.ts'
import type { ImportKind } from '@pc/features/imports/server/import-kind.ts'
import { csvFile } from '@pc/platform/export/csv-file.ts'
import { EXPORT_FORMATS, type ExportTable } from '@pc/platform/export/export-table.ts'
import { xlsxFile } from '@pc/platform/export/xlsx-file.ts'
import { LONG_TEXT, MONTHS, someOf, TEXTS, unanswered } from './extreme-inputs-fixture.ts'
import type { SystemUnderTest } from './system-under-test.ts'

/**
 * For each kind of import, the n-th row that is accepted for the two organisations; rows never repeat. Each is sent
 * with one cell at an edge of its type, as CSV in both encodings and as a workbook.
 */
const ROWS: Readonly<Record<string, (n: number) => Readonly<Record<string, string>>>> = {
  organizations: n => ({ 組織名: `極端な組織 ${n}` }),
  publishers: n => ({ パブリッシャー名: `極端な媒体社 ${n}`, 組織名: 'ALPHA 株式会社' }),
  agreements: n => ({
    ...{ 契約コード: `X-${n}`, 契約名: `極端な契約 ${n}`, 媒体ID: '1', 組織名: 'ALPHA 株式会社' },
    適用開始月: '2026-01',
  }),
  terms: n => ({ 契約コード: 'ALPHA-1', 適用開始月: monthOf(n), '固定額（月額、円）': `${10_000 + n}` }),
  rules: n => ({
    ...{ 契約コード: 'ALPHA-1', パブリッシャー名: 'ALPHA 新聞 1', 適用開始月: monthOf(n) },
    '自社広告の支払率（%）': `${n % 100}`,
  }),
  'opening-balances': n => ({
    ...{ 契約コード: 'ALPHA-1', パブリッシャー名: 'ALPHA 新聞 1', 発生月: '2026-01', 引継月: '2026-07' },
    // 0 would remove a balance that was never entered.
    '金額（税抜）': `${n + 1}`,
  }),
  'bank-accounts': n => ({
    ...{ 組織名: 'ALPHA 株式会社', 銀行コード: '0001', 支店コード: '100', 預金種目: '普通' },
    ...{ 口座番号: String(5_000_000 + n), '口座名義（カナ）': 'ケイソク' },
  }),
  'agreement-accounts': n => ({
    ...{ 契約コード: 'ALPHA-1', 利用開始月: monthOf(n), 銀行コード: '0001', 支店コード: '100' },
    口座番号: '7654321',
  }),
  feeds: n => ({
    ...{ パブリッシャー名: 'ALPHA 新聞 1', 媒体ID: '1', フィード名: `極端なフィード ${n}`, 種別: 'gnf1' },
    フィードのURL: `https://feeds.example/extreme/${n}`,
  }),
  users: n => ({
    ...{ メールアドレス: `extreme.file${n}@example.jp`, ロール: 'パブリッシャーの管理者' },
    組織名: 'ALPHA 株式会社',
  }),
}
const monthOf = (n: number) => `${2040 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`

const EDGES: Readonly<Record<ImportColumn['kind'], readonly string[]>> = {
  text: [...TEXTS, ...MONTHS, '0', '-1', '100', '100.01', '0.01', 'はい', LONG_TEXT.slice(0, 10_000)],
  integer: [
    ...['0', '1', '-1', '2147483647', '9007199254740991', '9007199254740992', '999999999999'],
    ...['9223372036854775807', '9223372036854775808', '-9223372036854775808'],
  ],
  day: ['0001-01-01', '2020-12-01', '2024-02-29', '2099-12-31', '9999-12-31', '10000-01-01'],
}

export interface SentFiles {
  readonly files: number
  readonly saved: number
  readonly refused: number
  readonly problems: readonly string[]
}

/** Sends files of every kind, each with one row that has one cell at an edge: previewed, checked and confirmed. */
export async function sendExtremeFiles(
  { dependencies: { importKinds }, origins, ask }: Pick<SystemUnderTest, 'dependencies' | 'origins' | 'ask'>,
  tokenOf: (role: 'admin' | 'insight:admin') => Promise<string>,
  random: RandomSource,
  ofEachKind: number,
): Promise<SentFiles> {
  const counts = { files: 0, saved: 0, refused: 0 }
  const problems: string[] = []
  const post = async (role: 'admin' | 'insight:admin', query: string, body: Buffer | string) => {
    const response = await fetch(`${origins.insight}/imports?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf(role)}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
    const last = (await response.text()).trim().split('\n').at(-1) ?? ''
    const { importId, messages = [] } = JSON.parse(last) as { importId?: string; messages?: readonly string[] }
    const isFault = response.status >= 500 || messages.some(message => message.includes('受付番号'))
    return { importId, fault: isFault ? `${response.status} ${last.slice(0, 300)}` : undefined }
  }
  /** What is wrong with the responses to one file; undefined: nothing. */
  const send = async (kind: ImportKind, table: ExportTable, format: (typeof EXPORT_FORMATS)[number]) => {
    counts.files += 1
    const seen = await post('admin', `kind=${kind.name}&name=extreme.${format}`, await fileOf(table, format))
    if (seen.importId === undefined) {
      counts.refused += 1
      return seen.fault
    }
    const answer = await ask('insight', PREVIEW, await tokenOf('admin'), { id: seen.importId })
    const problem = unanswered(answer)
    const { importPreview } = (answer.json.data ?? {}) as { importPreview?: { previewSha256: string } }
    if (problem !== undefined || !importPreview) return problem ?? answer.text.slice(0, 300)
    // Accounts are approved by somebody other than the sender.
    const confirmer = kind.confirmedByOther ? 'insight:admin' : 'admin'
    const { previewSha256 } = importPreview
    const confirmation = JSON.stringify({ importId: seen.importId, previewSha256, withoutRefused: true })
    const confirmed = await post(confirmer, `confirm=1&kind=${kind.name}`, confirmation)
    counts[confirmed.importId === undefined ? 'refused' : 'saved'] += 1
    return confirmed.fault
  }
  for (const kind of importKinds) {
    const rowOf = ROWS[kind.name]
    if (!rowOf) throw new Error(`no row of ${kind.name} here`)
    const all = kind.columns.flatMap(column =>
      ['', column.example, ...EDGES[column.kind]].map(edge => ({ column, edge })),
    )
    const savedBefore = counts.saved
    const base = await send(kind, tableOf(kind, rowOf(0)), 'csv')
    if (counts.saved === savedBefore) problems.push(`${kind.name}: the row without an edge is not saved: ${base}`)
    for (const [n, { column, edge }] of someOf(random, all, ofEachKind).entries()) {
      const format = random.oneOf(EXPORT_FORMATS)
      const problem = await send(kind, tableOf(kind, { ...rowOf(n + 1), [column.header]: edge }), format)
      if (problem !== undefined)
        problems.push(`${kind.name} ${format} ${column.header}=${JSON.stringify(edge).slice(0, 60)}: ${problem}`)
    }
  }
  return { ...counts, problems }
}

const PREVIEW = `query P($id: ID!) {
  importPreview(id: $id) { id previewSha256 newCount changedCount unchangedCount refusedCount }
  importRows(id: $id, limit: 200, offset: 0) { total nodes { rowNumber state cells { header text }
    changes { header before after } refusals { header text } } } }`

/** Every value is written as text, except numbers that a workbook can hold. */
function tableOf({ name, columns }: ImportKind, row: Readonly<Record<string, string>>): ExportTable {
  const unknown = Object.keys(row).filter(header => !columns.some(column => column.header === header))
  if (unknown.length > 0) throw new Error(`${name} has no column ${unknown}`)
  const used = columns.filter(({ header }) => row[header] !== undefined)
  const isNumber = (text: string) => /^-?\d{1,15}$/.test(text)
  const kindOf = ({ kind, header }: ImportColumn) =>
    kind === 'integer' && isNumber(row[header] ?? '') ? ('integer' as const) : ('text' as const)
  return {
    ...{ fileName: name, title: name, facts: [], total: 1, resource: 'insight:import.' },
    columns: used.map(column => ({ header: column.header, kind: kindOf(column) })),
    async *rows() {
      yield [
        used.map(column =>
          kindOf(column) === 'integer' ? BigInt(row[column.header] ?? '') : (row[column.header] ?? ''),
        ),
      ]
    },
  }
}

async function fileOf(table: ExportTable, format: (typeof EXPORT_FORMATS)[number]): Promise<Buffer> {
  const { signal } = new AbortController()
  const pieces: Uint8Array[] = []
  const file = format === 'xlsx' ? xlsxFile(table, signal, () => {}) : csvFile(table, format, signal, () => {})
  for await (const piece of file) pieces.push(piece)
  return Buffer.concat(pieces)
}
