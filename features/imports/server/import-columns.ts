import { LATEST_MONTH } from '@pc/domain/condition/default-range.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { ExportKind } from '@pc/domain/spreadsheet/export-column.ts'
import { normalizePostalCode } from '@pc/domain/text/postal-address.ts'
import { readWholeNumber } from '@pc/domain/text/whole-number.ts'
import type { TableCell } from '@pc/platform/spreadsheet/table-row.ts'

export interface ImportColumn {
  readonly key: string
  readonly header: string
  readonly kind: Extract<ExportKind, 'text' | 'integer' | 'day'>
  /** The file must have the column, and every row a value. */
  readonly isRequired: boolean
  /** True: an empty cell leaves the field unchanged. False: it empties the field. */
  readonly emptyKeeps: boolean
  readonly example: string
  readonly definition: string
  /** Last path elements of refusals that are shown at this column, besides `key`. */
  readonly fields: readonly string[]
  /** Whether the value is the id of a record. */
  readonly isRecordId: boolean
  /** Converts a non-empty cell to its canonical text. */
  read(cell: TableCell): Result<string, Refusal<RefusalCode>>
}

interface Declared {
  readonly header: string
  readonly example: string
  readonly definition: string
  readonly isRequired?: boolean
  readonly emptyKeeps?: boolean
  readonly fields?: readonly string[]
}

/** Longer than any field that a form accepts; the use case checks the real limit. */
const MAX_TEXT = 10_000

export function textColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'text', declared, cell => {
    if (cell.kind === 'date') return refused(refusal('import/date-in-text'))
    return ok(cell.text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim())
  })
}

/** A code or URL; full-width and half-width characters are equivalent. */
export function codeColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'text', declared, cell => {
    if (cell.kind === 'date') return refused(refusal('import/date-in-text'))
    return ok(plain(cell))
  })
}

/** Normalises width and hyphen. Text that is not a postal code stays as it is, so that the use case refuses it. */
export function postalCodeColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'text', declared, cell => {
    if (cell.kind === 'date') return refused(refusal('import/date-in-text'))
    return ok(normalizePostalCode(cell.text) ?? plain(cell))
  })
}

/** The id of a record, as in the template that is filled with today's records. */
export function idColumn(key = 'id', declared: Partial<Declared> = {}): ImportColumn {
  const all = {
    header: 'ID',
    example: '',
    definition: '登録済みの行を変更するときのIDです。新しく登録するときは空にします。',
    ...declared,
  }
  const read: ImportColumn['read'] = cell =>
    cell.kind !== 'date' && /^[1-9]\d{0,17}$/.test(plain(cell)) ? ok(plain(cell)) : refused(refusal('import/id'))
  return { ...column(key, 'text', all, read), isRecordId: true }
}

export function wholeNumberColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'integer', declared, cell => {
    const number = cell.kind === 'date' ? undefined : readWholeNumber(plain(cell))
    if (number === undefined) return refused(refusal('import/whole-number'))
    // The use case checks the real limit; this only keeps numbers within PostgreSQL's bigint.
    if (BigInt.asIntN(64, number) !== number) return refused(refusal('import/number-too-large'))
    return ok(String(number))
  })
}

/** Percent from 0 to 100 with at most two decimals: 37.5 or 37.5%. */
export function percentColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'text', declared, cell => {
    const text = plain(cell).replace(/%$/, '').trim()
    if (cell.kind === 'date' || !/^\d{1,3}(\.\d{1,2})?$/.test(text)) return refused(refusal('import/percent'))
    const units = unitsOfPercent(text)
    return units > 10_000 ? refused(refusal('import/percent')) : ok(percentText(units))
  })
}

/** Converts percent to units of 1/100 %: 37.5 becomes 3750. */
export function unitsOfPercent(text: string): number {
  const [whole = '', part = ''] = text.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

export function percentText(units: number): string {
  const part = String(units % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${Math.trunc(units / 100)}${part === '' ? '' : `.${part}`}`
}

export function dayColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'day', declared, cell => {
    const day = parseDay(dayText(cell))
    return day === undefined ? refused(refusal('import/day')) : ok(day)
  })
}

/** A month. A day in it means the same, because spreadsheets turn 2026-04 into a date. */
export function monthColumn(key: string, declared: Declared): ImportColumn {
  return column(key, 'text', declared, cell => {
    const digits = /^(\d{4})(\d{2})$/.exec(plain(cell))
    const text = digits ? `${digits[1]}-${digits[2]}` : dayText(cell).slice(0, 7)
    const month = parseYearMonth(text)
    return month === undefined || month > LATEST_MONTH ? refused(refusal('import/month')) : ok(text)
  })
}

/** One of the Japanese words in `choices` (value → word); an empty cell leaves the field unchanged. */
export function choiceColumn(key: string, choices: Readonly<Record<string, string>>, declared: Declared): ImportColumn {
  const words = Object.values(choices)
  const definition = `${declared.definition}「${words.join('」「')}」のいずれかです。`
  return column(key, 'text', { emptyKeeps: true, ...declared, definition }, cell => {
    const word = words.find(one => one.normalize('NFKC') === plain(cell))
    return word === undefined ? refused(refusal('import/choice', [], { choices: words.join('・') })) : ok(word)
  })
}

/** The value of the word in a cell of {@link choiceColumn}; undefined when the cell is empty. */
export function choiceOf<T extends string>(
  choices: Readonly<Record<T, string>>,
  word: string | undefined,
): T | undefined {
  return (Object.keys(choices) as T[]).find(value => choices[value] === word)
}

function column(
  key: string,
  kind: ImportColumn['kind'],
  { header, example, definition, isRequired = false, emptyKeeps = false, fields = [] }: Declared,
  read: ImportColumn['read'],
): ImportColumn {
  const checked: ImportColumn['read'] = cell => {
    if (cell.kind === 'formula') return refused(refusal('import/formula'))
    if (cell.kind === 'error') return refused(refusal('import/cell-error'))
    if (cell.text.length > MAX_TEXT) return refused(refusal('import/too-long', [], { max: MAX_TEXT }))
    return read(cell)
  }
  return { key, header, kind, isRequired, emptyKeeps, example, definition, fields, isRecordId: false, read: checked }
}

const plain = (cell: TableCell) => cell.text.normalize('NFKC').trim()

/** Also accepts 2026/4/1 and 2026年4月1日. */
function dayText(cell: TableCell): string {
  if (cell.day !== undefined) return cell.day
  const match = /^(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?$/.exec(plain(cell))
  if (!match) return ''
  const [, year, month = '', date] = match
  return [year, month.padStart(2, '0'), ...(date ? [date.padStart(2, '0')] : [])].join('-')
}
