/** Where a person goes who asked for nothing, or for something outside. */
export const HOME_PATH = '/gpc/'

const MAX_LENGTH = 4096

/** The parts of our origin that a person may be sent to after signing in; percent-encoding has no place in them. */
const PATHNAME = /^(?:\/(?:gpc|iam|docs)\/[A-Za-z0-9/_.~-]*|\/sso\/?|\/oidc\/auth\/[A-Za-z0-9_-]+)$/

/** Query and fragment as a browser's address bar gives them: printable ASCII without white space, quotes, `\ < >`. */
const QUERY_AND_FRAGMENT = /^(?:[?#][!#-;=?-[\]-~]*)?$/

/** Neither `//` nor `.` nor `..` anywhere. */
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
 * The path that a person asked for before signing in, if it is one of our own origin, else the console's home.
 * Total: any text gives a path that starts with an allowed prefix and resolves to our origin.
 * Accepts the path as it is, and percent-encoded once (as it is in `/sso#/signin/{original path}`).
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
