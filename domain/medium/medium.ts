import { type Day, day } from '../month/day.ts'
import { firstDayOf, type YearMonth } from '../month/year-month.ts'
import { fieldNamesOf } from '../record/record-fields.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'
import type { MediumRefusalCode } from './medium-refusals.ja.ts'

/**
 * The largest number and display order, and the characters of name and code. A number has at most 15 digits, which
 * statistics files, spreadsheets and browsers keep exactly.
 */
export const MEDIUM_BOUNDS = {
  number: 999_999_999_999_999n,
  name: 100,
  code: 30,
  displayOrder: 9_999,
  firstDay: day('2000-01-01'),
  lastDay: day('2099-12-31'),
} as const

/** The fields of a medium that people edit, as its row stores them. Reading, saving and history use this list. */
export interface MediumFields {
  readonly name: string
  /** Short and ASCII; empty: it is made from the number. */
  readonly code: string
  /** Ascending; media with equal values are ordered by number. */
  readonly displayOrder: number
  /**
   * From this day on the medium takes no new agreement: none is created, none starts in a month that begins on this day
   * or later, none is reactivated, and no publisher is added to one. Existing agreements continue, are settled, and
   * stay in every filter.
   */
  readonly retiredOn: Day | null
}

export const MEDIUM_FIELD_LABELS_JA: Readonly<Record<keyof MediumFields, string>> = {
  name: '媒体名',
  code: 'コード',
  displayOrder: '表示順',
  retiredOn: '終了日',
}
export const MEDIUM_FIELD_NAMES = fieldNamesOf(MEDIUM_FIELD_LABELS_JA)

export const NEW_MEDIUM: MediumFields = { name: '', code: '', displayOrder: 0, retiredOn: null }

type MediumRefusal = Refusal<MediumRefusalCode | 'name/hidden-characters'>
type Path = readonly (string | number)[]

const CODE = /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/

/** Name and code as they are stored: ＮＥＷＳ becomes news. */
export function plainMedium<Content extends { readonly name: string; readonly code: string }>(
  content: Content,
): Content {
  return { ...content, name: content.name.trim(), code: content.code.normalize('NFKC').trim().toLowerCase() }
}

/** What is wrong with a medium, with the path of each field. Name and code must come from {@link plainMedium}. */
export function checkMedium(
  { name, code, displayOrder, retiredOn }: MediumFields,
  path: Path,
): readonly MediumRefusal[] {
  const { name: maxName, code: maxCode, displayOrder: maxOrder, firstDay, lastDay } = MEDIUM_BOUNDS
  const refusals: MediumRefusal[] = []
  const refuse = (code: MediumRefusal['code'], field: string, data = {}) =>
    void refusals.push(refusal(code, [...path, field], data))
  if (name === '') refuse('medium/name-missing', 'name')
  if ([...name].length > maxName) refuse('medium/name-too-long', 'name', { max: maxName })
  if (hasHiddenCharacter(name)) refuse('name/hidden-characters', 'name')
  if (code !== '' && (code.length > maxCode || !CODE.test(code))) refuse('medium/code-form', 'code', { max: maxCode })
  if (!Number.isInteger(displayOrder) || displayOrder < 0 || displayOrder > maxOrder)
    refuse('medium/order-out-of-range', 'displayOrder', { max: maxOrder })
  if (retiredOn !== null && (retiredOn < firstDay || retiredOn > lastDay))
    refuse('medium/retired-out-of-range', 'retiredOn')
  return refusals
}

/** The number of up to 15 digits; 0, which no medium has, for any other text. */
export function mediumNumberOf(text: string): bigint {
  return /^\d{1,15}$/.test(text) ? BigInt(text) : 0n
}

/** What is wrong with a new medium's number. Statistics files name media by it, so it never changes. */
export function checkMediumNumber(number: bigint, path: Path): readonly MediumRefusal[] {
  const { number: max } = MEDIUM_BOUNDS
  return number >= 1n && number <= max ? [] : [refusal('medium/number-out-of-range', path, { digits: 15 })]
}

/** Whether the medium is retired on a day: from `retiredOn` on, that day included. */
export function isRetired({ retiredOn }: Pick<MediumFields, 'retiredOn'>, today: Day): boolean {
  return retiredOn !== null && retiredOn <= today
}

/** Why a retired medium refuses a new agreement, at the medium or at the month in which the agreement would start. */
export function retiredMedium(
  { name, retiredOn }: Pick<MediumFields, 'name' | 'retiredOn'>,
  when: { readonly today: Day; readonly firstMonth: YearMonth },
  path: { readonly medium: Path; readonly firstMonth: Path },
): readonly Refusal<'medium/retired' | 'medium/retired-by-then'>[] {
  if (retiredOn === null) return []
  const data = { name, retiredOn }
  if (isRetired({ retiredOn }, when.today)) return [refusal('medium/retired', path.medium, data)]
  return firstDayOf(when.firstMonth) >= retiredOn ? [refusal('medium/retired-by-then', path.firstMonth, data)] : []
}
