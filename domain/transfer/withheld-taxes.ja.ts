import { type Day, day } from '../month/day.ts'

/**
 * Taxes that are withheld with the income tax (復興財源確保法第28条; 防衛財源確保法 as of the tax reform of 2026). Their sum stays 2.1
 * % of the income tax, so the rates of the withholding table stay as well.
 */
const WITHHELD_TAXES: readonly { readonly paidFrom: Day; readonly text: string }[] = [
  { paidFrom: day('2027-01-01'), text: '所得税、防衛特別所得税（所得税額の1%）、復興特別所得税（同1.1%）' },
  { paidFrom: day('2013-01-01'), text: '所得税、復興特別所得税（所得税額の2.1%）' },
]

/**
 * The names of the taxes contained in an amount that is withheld on the day.
 * Tested by `domain/transfer/tax-office-rules.test.ts`.
 */
export function withheldTaxesText(paidOn: Day): string {
  return WITHHELD_TAXES.find(each => paidOn >= each.paidFrom)?.text ?? '所得税'
}

/** The next day after `today` from which other taxes are withheld, with their names; undefined: none is known. */
export function nextWithheldTaxes(today: Day): { readonly paidFrom: Day; readonly text: string } | undefined {
  return WITHHELD_TAXES.findLast(each => each.paidFrom > today)
}
