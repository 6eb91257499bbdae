import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { COLUMN_NAMES, type DimensionTable, type LifeTable, type TableName } from './tables.ts'

/**
 * One SQL text for both engines: `sql` builds a statement once, each driver renders it with its own parameter syntax
 * and the four fragments that the engines spell differently. The tag refuses spellings that both engines accept with
 * different meanings. Rules that it cannot see: every `order by` ends in a unique key, nullable sort keys say
 * `nulls last`, no bare comparison is selected.
 */
export type Param = bigint | number | Day | readonly bigint[]

export type Fragment = 'table' | 'sumInt' | 'intDiv' | 'countOf'
interface FragmentPart {
  readonly fragment: Fragment
  readonly args: readonly Sql[]
}
interface ParamPart {
  readonly param: Param
}
type Part = string | FragmentPart | ParamPart

export class Sql {
  readonly parts: readonly Part[]
  constructor(parts: readonly Part[]) {
    this.parts = parts
  }
}

const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\/\/|--|\/\*|#/, '`//` divides in DuckDB and starts a comment in ClickHouse: use intDiv()'],
  [/;/, 'one statement per text'],
  [/\$\d|[{}?]/, 'parameters go through the tag'],
  [/\bsum\s*\(/i, 'sum() wraps silently at 2^63 in ClickHouse: use sumInt()'],
  [/\bavg\s*\(/i, 'divide sums: sumInt(x) / nullif(sumInt(y), 0)'],
  [/\b(round|lag|lead|median|dayofweek|length|divide)\s*\(/i, 'differs between the engines'],
  [/::|\binterval\b/i, 'write cast(x as date) and date + 1'],
  [/\bunion\s+(?!all\b)/i, 'write union all'],
  [/\bnot\s+in\b/i, 'differs when the list holds a NULL: use not exists'],
  [/\d\.\d/, 'decimal literals have different types'],
]
const ALIAS = /\bas\s+([a-z_][a-z0-9_]*)(\s*\))?/gi

/** The latest day that both engines store; ClickHouse silently clamps beyond it. */
const LAST_DAY = '2149-06-06'
const FIRST_DAY = '1970-01-01'

function checkedParam(value: Param): Param {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new TypeError(`only integers: ${value}`)
  if (typeof value === 'string' && (!parseDay(value) || value < FIRST_DAY || value > LAST_DAY)) {
    throw new TypeError(`not a day: ${JSON.stringify(value)}`)
  }
  return value
}

/** The statement's own text; what fragments and parameters render to is left out. */
function ownText(parts: readonly Part[]): string {
  return parts.map(part => (typeof part === 'string' ? part : '\u0000')).join('')
}

function refuseUnportable(text: string): void {
  for (const [bad, why] of REFUSED) {
    const found = bad.exec(text)
    if (found) throw new SyntaxError(`${why} (near: ${text.slice(Math.max(0, found.index - 20), found.index + 40)})`)
  }
  for (const [, alias, closing] of text.matchAll(ALIAS)) {
    const name = alias!.toLowerCase()
    if (COLUMN_NAMES.has(name) && !(name === 'date' && closing)) {
      throw new SyntaxError(`the alias ${name} repeats a column: ClickHouse would use the alias inside the statement`)
    }
  }
}

export function sql(strings: TemplateStringsArray, ...values: readonly (Param | Sql)[]): Sql {
  const parts: Part[] = []
  strings.forEach((text, index) => {
    parts.push(text)
    if (index >= values.length) return
    const value = values[index]!
    if (value instanceof Sql) parts.push(...value.parts)
    else parts.push({ param: checkedParam(value) })
  })
  refuseUnportable(ownText(parts))
  return new Sql(parts)
}

/** No text. */
export const none = new Sql([])

export function joined(items: readonly Sql[], separator: Sql): Sql {
  return new Sql(items.flatMap((item, index) => (index === 0 ? item.parts : [...separator.parts, ...item.parts])))
}

/** A column or an alias that code chose from a closed list. */
export function ident(name: string): Sql {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new TypeError(`not an identifier: ${name}`)
  return new Sql([name])
}

export function table(name: TableName | LifeTable | DimensionTable): Sql {
  return new Sql([{ fragment: 'table', args: [ident(name)] }])
}

/** The exact sum of integers (128 bits); NULL over no rows. */
export function sumInt(x: Sql): Sql {
  return new Sql([{ fragment: 'sumInt', args: [x] }])
}

/** Integer division, truncated towards zero. */
export function intDiv(a: Sql, b: Sql): Sql {
  return new Sql([{ fragment: 'intDiv', args: [a, b] }])
}

/**
 * Beside every row of a `select` over all rows of the sources: how many these are, whatever `limit` leaves. A source is a
 * name that a `with` explains, or what stands behind `from`. DuckDB counts them one by one, having kept those of a `with`
 * (a window holds all of them once more: 1.7 times as long for 3.7 million groups); ClickHouse would make them a second
 * time, so there it is the window.
 */
export function countOf(...sources: readonly Sql[]): Sql {
  return new Sql([{ fragment: 'countOf', args: sources }])
}

export interface Dialect {
  /** The text that stands for the parameter; `position` counts from 1. */
  param(position: number, value: Param): string
  readonly fragments: Readonly<Record<Fragment, (...args: string[]) => string>>
}

export function render(statement: Sql, dialect: Dialect): { text: string; params: Param[] } {
  const params: Param[] = []
  const rendered = (part: Part): string => {
    if (typeof part === 'string') return part
    if ('fragment' in part)
      return dialect.fragments[part.fragment](...part.args.map(arg => arg.parts.map(rendered).join('')))
    params.push(part.param)
    return dialect.param(params.length, part.param)
  }
  const text = statement.parts.map(rendered).join('').trim()
  return { text, params }
}
