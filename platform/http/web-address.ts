const MAX_LENGTH = 2_048

/**
 * A web address that came from elsewhere, in canonical form; undefined for anything else. Only http and https, without
 * credentials: nothing that a page could run and nothing that leaks a password.
 */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  const trimmed = text?.trim()
  if (!trimmed || trimmed.length > MAX_LENGTH || /[\p{Cc}]/u.test(trimmed) || !URL.canParse(trimmed, base))
    return undefined
  const url = new URL(trimmed, base)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' && url.href.length <= MAX_LENGTH ? url.href : undefined
}
