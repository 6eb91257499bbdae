import { isRegistrationNumberFormat, normalizeRegistrationNumber } from '../bank/registration-number.ts'
import { type Day, parseDay } from '../month/day.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { readCsv } from '../text/read-csv.ts'
import type { RegisteredSpan } from './invoice-issuer.ts'

/** One line of the public register of invoice issuers: a number and the period in which it is registered. */
export interface RegisterLine extends RegisteredSpan {
  readonly number: string
}

export type RegisterFileRefusal = Refusal<
  'register-file/empty' | 'register-file/header-unknown' | 'register-file/line-unreadable' | 'register-file/twice'
>

/**
 * Column positions: those of the file that the National Tax Agency publishes, which has no header, or those found by
 * the header.
 */
interface Places {
  readonly number: number
  readonly registeredOn: number
  /** The columns of cancellation and of expiry. */
  readonly endedOn: readonly number[]
}
/**
 * The columns of the full, difference and API files in CSV (National Tax Agency, 適格請求書発行事業者公表サイト, resource definition):
 * serial number, registration number, …, day of registration, day of update, day of cancellation, day of expiry.
 */
const PUBLISHED: Places = { number: 1, registeredOn: 7, endedOn: [9, 10] }
const HEADERS = {
  number: ['登録番号', 'registratedNumber'],
  registeredOn: ['登録年月日', 'registrationDate'],
  endedOn: ['取消年月日', '失効年月日', 'disposalDate', 'expireDate', '登録取消年月日', '登録失効年月日'],
} as const

/**
 * Reads a file of the register: the published one, or a table with a header (登録番号、登録年月日、取消年月日、失効年月日). One unreadable
 * line refuses the whole file, and the refusal names the line.
 */
export function readRegisterFile(text: string): Result<readonly RegisterLine[], RegisterFileRefusal> {
  const rows = readCsv(text)
  const [first] = rows
  if (!first) return refused(refusal('register-file/empty'))
  const isPublished = numberOf(first[PUBLISHED.number]) !== undefined
  const places = isPublished ? PUBLISHED : placesOf(first)
  if (!places) return refused(refusal('register-file/header-unknown'))
  const lines = new Map<string, RegisterLine>()
  for (const [index, row] of rows.entries()) {
    if (index === 0 && !isPublished) continue
    const line = lineOf(row, places)
    if (!line) return refused(refusal('register-file/line-unreadable', [], { line: index + 1 }))
    const key = `${line.number}/${line.registeredOn}`
    const known = lines.get(key)
    if (known && known.endedOn !== line.endedOn && known.endedOn !== null && line.endedOn !== null) {
      return refused(refusal('register-file/twice', [], { line: index + 1, number: line.number }))
    }
    // A number has a line for each change. The line with an end is the latest.
    if (!known || line.endedOn !== null) lines.set(key, line)
  }
  if (lines.size === 0) return refused(refusal('register-file/empty'))
  return ok([...lines.values()])
}

function placesOf(header: readonly string[]): Places | undefined {
  const cells = header.map(cell => cell.trim())
  const find = (names: readonly string[]) => cells.findIndex(cell => names.includes(cell))
  const [number, registeredOn] = [find(HEADERS.number), find(HEADERS.registeredOn)]
  const endedOn = cells.flatMap((cell, index) => ((HEADERS.endedOn as readonly string[]).includes(cell) ? [index] : []))
  return number < 0 || registeredOn < 0 || endedOn.length === 0 ? undefined : { number, registeredOn, endedOn }
}

function lineOf(row: readonly string[], places: Places): RegisterLine | undefined {
  const number = numberOf(row[places.number])
  const registeredOn = dayOfCell(row[places.registeredOn])
  const ends = places.endedOn.map(index => dayOfCell(row[index]))
  if (number === undefined || !registeredOn || ends.includes(undefined)) return undefined
  const endedOn = ends.filter(day => day !== null && day !== undefined).toSorted()[0] ?? null
  return endedOn !== null && endedOn <= registeredOn ? undefined : { number, registeredOn, endedOn }
}

function numberOf(cell: string | undefined): string | undefined {
  const number = normalizeRegistrationNumber(cell ?? '')
  return isRegistrationNumberFormat(number) ? number : undefined
}

/** Null for an empty cell, undefined for text that is not a day. */
function dayOfCell(cell: string | undefined): Day | null | undefined {
  const text = (cell ?? '').trim()
  if (text === '') return null
  const match = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(text)
  return match ? parseDay(`${match[1]}-${match[2]!.padStart(2, '0')}-${match[3]!.padStart(2, '0')}`) : undefined
}
