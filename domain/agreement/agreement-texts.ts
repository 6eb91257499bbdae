/** Longest texts, in characters. */
export const MAX_AGREEMENT_NAME = 200
export const MAX_AGREEMENT_CODE = 50
export const MAX_AGREEMENT_NOTES = 5_000

/** Whether the text is neither empty nor too long. */
export function isAgreementName(text: string): boolean {
  return isFilled(text, MAX_AGREEMENT_NAME)
}

/** Whether the text is neither empty nor too long. */
export function isAgreementCode(text: string): boolean {
  return isFilled(text, MAX_AGREEMENT_CODE)
}

/** Hyphens, dashes and minus signs, which look alike but differ between input methods and office programs. */
const HYPHENS = /[\u2010-\u2015\u2212]/g

/** One spelling for each code, because statements and accounting identify agreements by it: ＡＧ−０１ becomes AG-01. */
export function plainAgreementCode(text: string): string {
  return text.normalize('NFKC').replace(HYPHENS, '-').trim()
}

function isFilled(text: string, max: number): boolean {
  const { length } = text.trim()
  return length > 0 && length <= max
}
