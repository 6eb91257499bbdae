import type { ManualOperationRawRow } from '../../raw-row.ts'

type ColumnName = keyof ManualOperationRawRow

/** Header names that people use, in Japanese and as in the API. */
const HEADERS: Readonly<Record<ColumnName, readonly string[]>> = {
  agreementId: ['契約ID', 'agreementId'],
  publisherId: ['パブリッシャーID', 'publisherId'],
  amount: ['金額', '金額（円）', 'amount'],
  weight: ['重み', 'weight'],
  reason: ['理由', 'reason'],
  originMonth: ['対象月', '発生月', 'originMonth'],
}
const NEEDED = {
  amounts: ['agreementId', 'publisherId', 'amount'],
  weights: ['agreementId', 'publisherId', 'weight'],
} as const satisfies Record<string, readonly ColumnName[]>

/** The header of a text that the form itself makes. */
const FIRST_HEADER = {
  amounts: ['agreementId', 'publisherId', 'amount', 'reason'],
  weights: NEEDED.weights,
} as const satisfies Record<string, readonly ColumnName[]>

export interface ReadRows {
  readonly rows: readonly ManualOperationRawRow[]
  /** Set: nothing can be read, and what to do about it. */
  readonly problem?: string
}

/**
 * Reads pasted or uploaded text, separated by commas or tabs, with a header. A missing column, row or cell is a problem
 * and never skipped, because other amounts than the entered ones would be booked. The server checks the values.
 */
export async function readRawRows(text: string, holds: keyof typeof NEEDED): Promise<ReadRows> {
  if (text.trim() === '') return { rows: [] }
  const { default: papa } = await import('papaparse')
  const { data, errors } = papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim(), { skipEmptyLines: 'greedy' })
  const [header = [], ...lines] = data
  const names = header.map(nameOf)
  const problem =
    problemOfHeader(header, names, NEEDED[holds]) ??
    (errors.some(({ type }) => type === 'Quotes')
      ? '引用符（"）が閉じていないか、余分にあります。引用符を直してください。'
      : lines.length === 0
        ? '見出しの下に行がありません。'
        : problemOfLines(lines, header.length))
  if (problem !== undefined) return { rows: [], problem }
  const rows = lines.map((line): ManualOperationRawRow => {
    const cells: Partial<ManualOperationRawRow> = Object.fromEntries(
      names.flatMap((name, place) => (name === undefined ? [] : [[name, (line[place] ?? '').trim()]])),
    )
    return { agreementId: '', publisherId: '', ...cells }
  })
  return { rows }
}

/** The text with one more row, its cells in the order of the header; a text without one gets it. */
export function withRow(text: string, holds: keyof typeof NEEDED, row: Partial<ManualOperationRawRow>): string {
  const body = text.trimEnd().replaceAll('\r\n', '\n')
  const first = body.split('\n')[0] ?? ''
  const separator = first.includes('\t') ? '\t' : ','
  const names = first.split(separator).map(title => nameOf(title.replaceAll('"', '')))
  const hasHeader = names.includes('agreementId')
  const columns = hasHeader ? names : FIRST_HEADER[holds]
  const header = FIRST_HEADER[holds].map(name => HEADERS[name][0]).join(separator)
  const line = columns.map(name => (name && row[name]) ?? '').join(separator)
  return [...(hasHeader ? [] : [header]), ...(body === '' ? [] : [body]), line, ''].join('\n')
}

function nameOf(title: string): ColumnName | undefined {
  const plain = plainTitle(title)
  return (Object.keys(HEADERS) as ColumnName[]).find(name => HEADERS[name].map(plainTitle).includes(plain))
}

function plainTitle(title: string): string {
  return title.normalize('NFKC').replaceAll(/\s/g, '')
}

function problemOfHeader(
  header: readonly string[],
  names: readonly (ColumnName | undefined)[],
  needed: readonly ColumnName[],
): string | undefined {
  const missing = needed.filter(name => !names.includes(name))
  if (missing.length > 0) {
    return `1行目の見出しに${missing.map(quotedTitle).join('と')}の列がありません。見出しを付けてください。`
  }
  const unknown = header.find((title, place) => names[place] === undefined && title.trim() !== '')
  if (unknown !== undefined) {
    const known = (Object.keys(HEADERS) as ColumnName[]).map(quotedTitle).join('')
    return `1行目の見出し「${unknown.trim()}」は使用できません。列を削除するか、${known}のいずれかにしてください。`
  }
  const twice = names.find((name, place) => name !== undefined && names.indexOf(name) !== place)
  return twice && `1行目の見出しに${quotedTitle(twice)}が2つあります。1つにしてください。`
}

const quotedTitle = (name: ColumnName) => `「${HEADERS[name][0]}」`

/** Refuses lines with more cells than the header: an unquoted thousands separator splits one amount into two cells. */
function problemOfLines(lines: readonly (readonly string[])[], columns: number): string | undefined {
  const place = lines.findIndex(line => line.slice(columns).some(cell => cell.trim() !== ''))
  return place < 0
    ? undefined
    : `見出しを除く${place + 1}行目：見出しより列が多くあります。金額の桁区切りのカンマは取り除いてください。`
}
