/** The year of Reiwa 1. */
const REIWA_BEGAN = 2019
const JAPANESE_MONTH = /(?:(\d{4})|令和(元|\d{1,2}))年(\d{1,2})月分?/g
const SHORT_MONTH = /(?<=^|\s)(\d{4})[-/.](\d{1,2})(?=\s|$)/g

/**
 * A search text in which months are written as in statement numbers: `2026年1月分 あおい` becomes `202601 あおい`. Years of
 * Reiwa are converted as well; anything that is not a month stays as it is.
 */
export function statementSearchText(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(JAPANESE_MONTH, (text, year: string | undefined, reiwa: string | undefined, month: string) => {
      const years = year === undefined ? REIWA_BEGAN - 1 + (reiwa === '元' ? 1 : Number(reiwa)) : Number(year)
      return monthDigits(text, years, Number(month))
    })
    .replace(SHORT_MONTH, (text, year: string, month: string) => monthDigits(text, Number(year), Number(month)))
}

function monthDigits(text: string, year: number, month: number): string {
  return month >= 1 && month <= 12 ? ` ${year}${String(month).padStart(2, '0')} ` : text
}

/** YYYYMM. */
const MONTH_DIGITS = 6
/** At most 15 digits, which a number holds exactly. */
const MAX_DIGITS = 15

/** Bounds of the months that a statement number can contain. */
const FIRST_MONTH = 200_001
const LAST_MONTH = 209_912

export interface NumberSearch {
  /** How a matching number begins; undefined when no number begins like that. */
  readonly beginning: string | undefined
  /** First and last month whose numbers begin like that; undefined when the word is longer than a month. */
  readonly months: { readonly from: number; readonly to: number } | undefined
  /** Whether the numbers of all months begin like that. */
  readonly isAnyMonth: boolean
  /** The agreement with which a matching number ends, without leading zeros; undefined when the word is too long. */
  readonly agreementId: bigint | undefined
}

/**
 * What a search word (normalised) can match in a statement number such as `202601-002101`: its beginning, or the whole
 * second part. Undefined: the word is not a number.
 */
export function numberSearch(word: string): NumberSearch | undefined {
  if (!/^\d+$/.test(word)) return undefined
  const [month, agreement] = [word.slice(0, MONTH_DIGITS), word.slice(MONTH_DIGITS)]
  const from = Number(month.padEnd(MONTH_DIGITS, '0'))
  const to = Number(month.padEnd(MONTH_DIGITS, '9'))
  const isOfMonths = to >= FIRST_MONTH && from <= LAST_MONTH
  return {
    beginning: isOfMonths ? (agreement === '' ? month : `${month}-${agreement}`) : undefined,
    months: isOfMonths && agreement === '' ? { from, to } : undefined,
    isAnyMonth: from <= FIRST_MONTH && to >= LAST_MONTH,
    agreementId: word.length <= MAX_DIGITS ? BigInt(word) : undefined,
  }
}
