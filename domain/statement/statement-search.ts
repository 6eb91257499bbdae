const REIWA_BEGAN = 2019
const JAPANESE_MONTH = /(?:(\d{4})|令和(元|\d{1,2}))年(\d{1,2})月分?/g
const SHORT_MONTH = /(?<=^|\s)(\d{4})[-/.](\d{1,2})(?=\s|$)/g

/**
 * What somebody types to find a statement, with its months as the numbers of statements have them: `2026年1月分 あおい`
 * asks for `202601` and `あおい`. Reiwa years too; what is no month stays as it is.
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

const MONTH_DIGITS = 6
/** An agreement's id has no more digits than a number can hold exactly. */
const MAX_DIGITS = 15

/** Every month of a statement lies between them. */
const FIRST_MONTH = 200_001
const LAST_MONTH = 209_912

export interface NumberSearch {
  /** What the number begins with; undefined: no number begins like that. */
  readonly beginning: string | undefined
  /** The months whose numbers begin like that, both included, where the word has no more than a month. */
  readonly months: { readonly from: number; readonly to: number } | undefined
  /** The number of every month begins like that. */
  readonly isAnyMonth: boolean
  /** The agreement that the number ends with, without leading zeros; undefined: there is none of such a length. */
  readonly agreementId: bigint | undefined
}

/**
 * What a word of a search, in its normal form, says about the number of a statement (`202601-002101`): how it begins, or the
 * whole of its second part. Undefined: no number holds it.
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
