import { parseSync, Visitor } from 'oxc-parser'

/** One small change of a source file that its tests should detect. */
export interface Mutant {
  readonly line: number
  /** Old and new code, shortened: `a === b → a !== b`. */
  readonly change: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const OPPOSITE: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}
const OTHER_METHOD: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
])
/** Japanese texts are left alone: no test of rules can tell whether the words are right. */
const JAPANESE = /[\u3000-\u9fff\uff00-\uffef]/

interface Part {
  readonly start: number
  readonly end: number
}

/**
 * `withValues`: in modules of law the numbers are the rule, so a day, a month or a rate that is off by one is a mutant
 * too.
 */
export interface MutantKinds {
  readonly withValues: boolean
}

/**
 * All mutants of a module: flipped booleans, comparisons at their edge, `&&` for `||`, other arithmetic, conditions
 * that always or never hold, dropped negations, removed return values, `some` for `every`, removed filters and sorts,
 * emptied texts; with `withValues` also days, months and numbers that are off by one.
 */
export function mutantsOf(path: string, source: string, { withValues }: MutantKinds = { withValues: false }): Mutant[] {
  const { program, errors } = parseSync(path, source, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const found: Mutant[] = []
  const text = (part: Part) => source.slice(part.start, part.end)
  const add = (part: Part, replacement: string) => {
    const line = source.slice(0, part.start).split('\n').length
    const change = `${shortened(text(part))} → ${shortened(replacement)}`
    if (text(part) !== replacement) found.push({ line, change, start: part.start, end: part.end, replacement })
  }
  const swapOperator = (node: Part & { left: Part; right: Part; operator: string }) => {
    const other = OPPOSITE[node.operator]
    if (other) add(node, `${text(node.left)} ${other} ${text(node.right)}`)
    if (node.operator === '??') add(node, text(node.left))
  }
  const decide = (test: Part) => {
    add(test, 'true')
    add(test, 'false')
  }
  const types: Part[] = []
  const isInType = ({ start, end }: Part) => types.some(type => type.start <= start && end <= type.end)
  const emptied = (node: Part & { value: unknown }) => {
    if (typeof node.value === 'string' && node.value !== '' && !JAPANESE.test(node.value)) add(node, "''")
  }
  const shiftValue = (node: Part & { value: unknown }) => {
    for (const step of [-1, 1]) {
      const shifted = shiftedValue(node.value, step)
      if (shifted !== undefined) add(node, shifted)
    }
  }
  new Visitor({
    TSTypeAnnotation: node => void types.push(node),
    TSTypeAliasDeclaration: node => void types.push(node),
    TSInterfaceDeclaration: node => void types.push(node),
    TSTypeParameterInstantiation: node => void types.push(node),
    TSTypeParameterDeclaration: node => void types.push(node),
    BinaryExpression: swapOperator,
    LogicalExpression: swapOperator,
    IfStatement: node => decide(node.test),
    ConditionalExpression: node => decide(node.test),
    UnaryExpression(node) {
      if (node.operator === '!') add(node, text(node.argument))
    },
    Literal(node) {
      if (isInType(node)) return
      if (typeof node.value === 'boolean') add(node, String(!node.value))
      if (withValues) shiftValue(node)
    },
    ReturnStatement(node) {
      if (node.argument) add(node.argument, 'undefined')
    },
    CallExpression(node) {
      const { callee } = node
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const method = callee.property.name
      const other = OTHER_METHOD.get(method)
      if (other) add(callee.property, other)
      if (method === 'filter') add(node, text(callee.object))
      for (const argument of node.arguments) if (argument.type === 'Literal') emptied(argument)
    },
    ArrayExpression(node) {
      for (const element of node.elements) if (element?.type === 'Literal') emptied(element)
    },
  }).visit(program)
  return found
}

const DAY_MS = 86_400_000

/**
 * A day, a month or a number from 2 on, moved by `step`. 0 and 1 mostly count or compare and are not values of a rule.
 */
function shiftedValue(value: unknown, step: number): string | undefined {
  if (typeof value === 'bigint') return value < 2n ? undefined : `${value + BigInt(step)}n`
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value))
    return `'${new Date(Date.parse(value) + step * DAY_MS).toISOString().slice(0, 10)}'`
  if (typeof value !== 'number' || value < 2) return undefined
  const month = value % 100
  if (!Number.isInteger(value) || value < 190_001 || value > 999_912 || month < 1 || month > 12)
    return `${value + step}`
  const months = Math.trunc(value / 100) * 12 + month - 1 + step
  return `${Math.trunc(months / 12) * 100 + (months % 12) + 1}`
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}
