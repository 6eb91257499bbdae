const MAX_LENGTH = 2_048

/**
 * A web address from outside, in canonical form. Undefined unless it is http or https without credentials: no script
 * URLs, no leaked passwords.
 */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  const trimmed = text?.trim()
  if (!trimmed || trimmed.length > MAX_LENGTH || /[\p{Cc}]/u.test(trimmed) || !URL.canParse(trimmed, base))
    return undefined
  const url = new URL(trimmed, base)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' && url.href.length <= MAX_LENGTH ? url.href : undefined
}
