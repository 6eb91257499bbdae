import type { DividendRawRow } from '../raw-row.ts'

type ColumnName = keyof DividendRawRow

/** Header names that people use, in Japanese and as in the API. */
const HEADERS: Readonly<Record<ColumnName, readonly string[]>> = {
  agreementId: ['契約ID', 'agreementId'],
  publisherId: ['パブリッシャーID', 'publisherId'],
  amount: ['金額', '金額（円）', 'amount'],
  weight: ['重み', 'weight'],
  reason: ['理由', 'reason'],
  originMonth: ['対象月', '発生月', 'originMonth'],
}

interface ReadRows {
  readonly rows: readonly DividendRawRow[]
  /** Set: nothing can be read, and what to do about it. */
  readonly problem?: string
}

/** Reads pasted or uploaded text, separated by commas or tabs, with a header. The server checks every row. */
export async function readRawRows(text: string): Promise<ReadRows> {
  if (text.trim() === '') return { rows: [] }
  const { default: papa } = await import('papaparse')
  const { data } = papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim(), { skipEmptyLines: 'greedy' })
  const [header = [], ...lines] = data
  const places = Object.entries(HEADERS).map(([name, titles]) => ({
    name: name as ColumnName,
    place: header.findIndex(title => titles.includes(title.trim())),
  }))
  const missing = places.filter(({ name, place }) => place < 0 && (name === 'agreementId' || name === 'publisherId'))
  if (missing.length > 0) {
    const titles = missing.map(({ name }) => `「${HEADERS[name][0]}」`).join('と')
    return { rows: [], problem: `1行目の見出しに${titles}の列がありません。見出しを付けてください。` }
  }
  const rows = lines.map(line =>
    Object.fromEntries(
      places.filter(({ place }) => place >= 0).map(({ name, place }) => [name, (line[place] ?? '').trim()]),
    ),
  )
  return { rows: rows as unknown as DividendRawRow[] }
}
