/**
 * The 総合振込 file of the Japanese Bankers Association: half-width JIS, records of 120 bytes. Fields and lengths are those
 * that banks publish (source: 群馬銀行「全銀協制定ファイルフォーマット 総合振込」). Lengths of the trailer and end records follow the common
 * layout.
 *
 * N: digits, right-aligned, zero-filled. C: half-width text, left-aligned, space-filled.
 */
export interface ZenginField {
  readonly name: string
  readonly kind: 'N' | 'C'
  readonly length: number
}

/** Every record of the format has this length. */
export const RECORD_BYTES = 120

function fields(
  ...list: readonly (readonly [name: string, kind: 'N' | 'C', length: number])[]
): readonly ZenginField[] {
  const layout = list.map(([name, kind, length]) => ({ name, kind, length }))
  const bytes = layout.reduce((sum, field) => sum + field.length, 0)
  if (bytes !== RECORD_BYTES) throw new RangeError(`a record has ${RECORD_BYTES} bytes, not ${bytes}`)
  return layout
}

export const HEADER_LAYOUT = fields(
  ['recordKind', 'N', 1],
  ['fileKind', 'N', 2],
  ['codeKind', 'N', 1],
  ['clientCode', 'N', 10],
  ['clientName', 'C', 40],
  ['transferDate', 'N', 4],
  ['bankCode', 'N', 4],
  ['bankName', 'C', 15],
  ['branchCode', 'N', 3],
  ['branchName', 'C', 15],
  ['accountType', 'N', 1],
  ['accountNumber', 'N', 7],
  ['reserved', 'C', 17],
)

export const DATA_LAYOUT = fields(
  ['recordKind', 'N', 1],
  ['bankCode', 'N', 4],
  ['bankName', 'C', 15],
  ['branchCode', 'N', 3],
  ['branchName', 'C', 15],
  ['clearingHouse', 'N', 4],
  ['accountType', 'N', 1],
  ['accountNumber', 'N', 7],
  ['holder', 'C', 30],
  ['amount', 'N', 10],
  ['newCode', 'N', 1],
  ['customerCode1', 'N', 10],
  ['customerCode2', 'N', 10],
  ['transferClass', 'N', 1],
  ['ediFlag', 'C', 1],
  ['reserved', 'C', 7],
)

export const TRAILER_LAYOUT = fields(
  ['recordKind', 'N', 1],
  ['count', 'N', 6],
  ['total', 'N', 12],
  ['reserved', 'C', 101],
)

export const END_LAYOUT = fields(['recordKind', 'N', 1], ['reserved', 'C', 119])

/**
 * Writes one record. A value that does not fit its field throws: callers have checked it and shown refusals to people.
 * Tested by `domain/bank/bank-edges.test.ts`.
 */
export function writeRecord(layout: readonly ZenginField[], values: Readonly<Record<string, string>>): string {
  return layout
    .map(({ name, kind, length }) => {
      const value = values[name] ?? ''
      const fits = value.length <= length && (kind === 'C' || /^\d*$/.test(value))
      if (!fits) throw new RangeError(`${name} does not fit: ${value}`)
      return kind === 'N' ? value.padStart(length, '0') : value.padEnd(length, ' ')
    })
    .join('')
}

/** The fields of a record of 120 bytes, without the spaces that fill text. */
export function readRecord(layout: readonly ZenginField[], record: string): Readonly<Record<string, string>> {
  let offset = 0
  const values: Record<string, string> = {}
  for (const { name, kind, length } of layout) {
    const raw = record.slice(offset, offset + length)
    values[name] = kind === 'C' ? raw.trimEnd() : raw
    offset += length
  }
  return values
}
