import type { Param } from './params.ts'

type Params = Readonly<Record<string, Param<unknown>>>
type ValueOf<P> = P extends Param<infer T> ? T : never
type ValuesOf<P extends Params> = { readonly [K in keyof P]: ValueOf<P[K]> }

/** The filter of a screen. */
export interface ConditionDefinition<C> {
  readonly defaults: C
  /** Never fails: a value that cannot be read becomes its default, and unknown names are ignored. */
  parse(segment: string | undefined): C
  /**
   * The canonical address of a condition, for example `month=2026-10&publisherId=12`; undefined when every parameter
   * has its default, so that a screen's plain address is the default one.
   */
  format(condition: C): string | undefined
  /** The rows of the condition's page, as variables of a list query. */
  pageVariables(condition: C & { readonly page: number }): { readonly limit: number; readonly offset: number }
}

export type ConditionOf<D> = D extends ConditionDefinition<infer C> ? C : never

/** Declares a filter once: its type, its address and the rows of its page follow. */
export function defineCondition<const P extends Params>(params: P): ConditionDefinition<ValuesOf<P>> {
  const names = Object.keys(params)
  const values = (pick: (name: string, param: Param<unknown>) => unknown) =>
    Object.fromEntries(names.map(name => [name, pick(name, params[name]!)])) as ValuesOf<P>
  return {
    defaults: values((_, param) => param.fallback),
    parse(segment) {
      const given = readPairs(segment ?? '')
      return values((name, param) => {
        const raw = given.get(name)
        return raw === undefined ? param.fallback : (param.parse(raw) ?? param.fallback)
      })
    },
    format(condition) {
      const parts = names.flatMap(name => {
        const param = params[name]!
        const written = param.format(condition[name as keyof P])
        return written === param.format(param.fallback) ? [] : [`${name}=${escapeValue(written)}`]
      })
      return parts.length === 0 ? undefined : parts.join('&')
    },
    pageVariables({ page }) {
      const limit = params.page?.pageSize
      if (limit === undefined) throw new TypeError('this condition has no page')
      return { limit, offset: (page - 1) * limit }
    },
  }
}

/** The first pair of a name counts. */
function readPairs(segment: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const part of segment.split('&')) {
    const at = part.indexOf('=')
    if (at > 0 && !pairs.has(part.slice(0, at))) pairs.set(part.slice(0, at), unescapeValue(part.slice(at + 1)))
  }
  return pairs
}

/**
 * Writes characters that separate pairs and path segments, and those that browsers or mail programs change, as `~` and
 * two hexadecimal digits. Percent signs are not used, because the router encodes the segment once more.
 */
function escapeValue(value: string): string {
  return value.replace(
    /[~&=%/\\?#+."'<>`{}|^[\]]/g,
    char => `~${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function unescapeValue(value: string): string {
  return value.replace(/~([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
