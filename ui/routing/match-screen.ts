import type { Screen } from './define-route.ts'

export interface ScreenMatch {
  readonly screen: Screen
  /** Values of the `$…` parts of the path. */
  readonly ids: Readonly<Record<string, string>>
  /** The condition segment as text; undefined when it is absent or cannot be decoded, and the defaults apply. */
  readonly segment: string | undefined
}

/**
 * The screen of a path such as `/reports/dashboard/granularity=weekly`. A match without a condition wins, so that
 * `/managements/agreements/create` is the form and not the list with an unreadable condition.
 */
export function matchScreen(screens: readonly Screen[], path: string): ScreenMatch | undefined {
  const parts = path.split('/').filter(part => part !== '')
  return firstMatch(screens, parts, false) ?? firstMatch(screens, parts, true)
}

/** The path of the screen without its condition, so that a change of filters does not mount the frame again. */
export function screenPathOf(screens: readonly Screen[], path: string): string {
  return matchScreen(screens, path)?.screen.path ?? path
}

function firstMatch(
  screens: readonly Screen[],
  parts: readonly string[],
  withSegment: boolean,
): ScreenMatch | undefined {
  const last = parts.at(-1)
  const wanted = withSegment ? parts.slice(0, -1) : parts
  for (const screen of screens) {
    if (withSegment && (screen.condition === undefined || last === undefined)) continue
    const ids = matchParts(screen.path.slice(1).split('/'), wanted)
    if (ids) return { screen, ids, segment: withSegment ? decode(last!) : undefined }
  }
  return undefined
}

/** Ids are numbers, except those of users, which come from the identity provider. */
const NUMERIC_ID = /^\d{1,18}$/

function isNumericId(name: string): boolean {
  return name.endsWith('Id') || name === 'id'
}

function matchParts(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index]!
    if (!expected.startsWith('$')) {
      if (expected !== part) return undefined
      continue
    }
    const name = expected.slice(1)
    const value = decode(part)
    if (value === undefined || (isNumericId(name) && !NUMERIC_ID.test(value))) return undefined
    ids[name] = value
  }
  return ids
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
