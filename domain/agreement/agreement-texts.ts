export const MAX_AGREEMENT_NAME = 200
export const MAX_AGREEMENT_CODE = 50
export const MAX_AGREEMENT_NOTES = 5_000

export function isAgreementName(text: string): boolean {
  return isFilled(text, MAX_AGREEMENT_NAME)
}

export function isAgreementCode(text: string): boolean {
  return isFilled(text, MAX_AGREEMENT_CODE)
}

function isFilled(text: string, max: number): boolean {
  const { length } = text.trim()
  return length > 0 && length <= max
}
