export const MAX_AGREEMENT_NAME = 200
export const MAX_AGREEMENT_CODE = 50
export const MAX_AGREEMENT_NOTES = 5_000

export function isAgreementName(text: string): boolean {
  return isFilled(text, MAX_AGREEMENT_NAME)
}

export function isAgreementCode(text: string): boolean {
  return isFilled(text, MAX_AGREEMENT_CODE)
}

/** Hyphens, dashes and the minus sign of input methods and office programs, which look alike. */
const HYPHENS = /[\u2010-\u2015\u2212]/g

/** Statements and accounting tell agreements apart by it: ＡＧ−０１ is AG-01. */
export function plainAgreementCode(text: string): string {
  return text.normalize('NFKC').replace(HYPHENS, '-').trim()
}

function isFilled(text: string, max: number): boolean {
  const { length } = text.trim()
  return length > 0 && length <= max
}
