/** The default destination after signing in. */
export const HOME_PATH = '/gpc/'

/** In characters. */
const MAX_LENGTH = 4096

/** Paths of our origin to which a person may be sent after signing in. They contain no percent-encoding. */
const PATHNAME = /^(?:\/(?:gpc|iam|docs)\/[A-Za-z0-9/_.~-]*|\/sso\/?|\/oidc\/auth\/[A-Za-z0-9_-]+)$/

/**
 * Query and fragment as an address bar shows them: printable ASCII without white space, quotes, backslash, `<` or `>`.
 */
const QUERY_AND_FRAGMENT = /^(?:[?#][!#-;=?-[\]-~]*)?$/

/** Matches `//`, `/./` and `/../` anywhere. */
const ODD_SEGMENT = /\/\/|\/\.{1,2}(?:\/|$)/

function isAccepted(path: string): boolean {
  if (path.length > MAX_LENGTH) return false
  const end = path.search(/[?#]/)
  const pathname = end === -1 ? path : path.slice(0, end)
  const rest = end === -1 ? '' : path.slice(end)
  if (!PATHNAME.test(pathname) || ODD_SEGMENT.test(pathname)) return false
  return QUERY_AND_FRAGMENT.test(rest) && (rest === '' || !pathname.startsWith('/oidc/'))
}

/**
 * The path requested before signing in if it is allowed, otherwise the console's home. Every input gives a path that
 * begins with an allowed prefix and resolves to our origin. Accepts the path as it is, or percent-encoded once (as in
 * `/sso#/signin/{original path}`).
 * Tested by `features/sign-in/server/original-path.test.ts`.
 */
export function originalPath(requested: string | null | undefined): string {
  if (typeof requested !== 'string') return HOME_PATH
  if (isAccepted(requested)) return requested
  if (!/^%2f/i.test(requested)) return HOME_PATH
  try {
    const decoded = decodeURIComponent(requested)
    return isAccepted(decoded) ? decoded : HOME_PATH
  } catch {
    return HOME_PATH
  }
}
