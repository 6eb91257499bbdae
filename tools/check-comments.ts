import fs from 'node:fs'
import path from 'node:path'
import { type Comment, parseSync, Visitor } from 'oxc-parser'
import { isTestFile } from './boundary-layers.ts'
import { namedTests } from './related-tests.ts'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

/** Checks comments: parameters, decisions and tests that they name exist, and each is attached to what it describes. */
export function checkComments(): { problems: string[]; note: string } {
  const all = repositoryFiles()
  const decisions = new Set(all.flatMap(file => /^docs\/adr\/(\d{4})-/.exec(file)?.[1] ?? []))
  const tests = new Set(all.filter(isTestFile))
  const files = all.filter(file => isSource(file) && !/^tools\/(check-comments|related-tests)\./.test(file))
  const problems = files.flatMap(file => {
    const source = fs.readFileSync(path.join(ROOT, file), 'utf8')
    return [
      ...wrongComments(file, source),
      ...wrongDecisions(file, source, decisions),
      ...namedTests(source).flatMap(test =>
        tests.has(test) ? [] : [`${file} is tested by ${test}, which does not exist`],
      ),
    ]
  })
  return { problems, note: `${files.length} files` }
}

/** A decision record must be named by the start of its path (`docs/adr/…`), which editors open and searches find. */
export function wrongDecisions(file: string, source: string, decisions: ReadonlySet<string>): string[] {
  return source.split('\n').flatMap((line, index) => {
    const at = `${file}:${index + 1}`
    const other = /\bADRs? ?\d+/.exec(line)?.[0]
    const named = [...line.matchAll(/docs\/adr\/(\d+)/g)].map(match => match[1] ?? '')
    return [
      ...(other ? [`${at} writes ${other}: a decision is named as docs/adr/NNNN`] : []),
      ...named.flatMap(number =>
        decisions.has(number) ? [] : [`${at} names docs/adr/${number}, which does not exist`],
      ),
    ]
  })
}

interface Signature {
  readonly start: number
  /** Names of its parameters, and of their destructured properties. */
  readonly names: ReadonlySet<string>
}

/** Parsing is slow, and most modules have neither `@param` nor a detached comment. */
const MAY_BE_WRONG = /@param|\*\/\s*(?:\n\s*\n|\/\*\*|[)\]}]|$)/

/**
 * Finds `@param` without such a parameter, and comments that are attached to nothing. A comment about the whole module
 * is followed by an empty line.
 */
export function wrongComments(file: string, source: string): string[] {
  if (!MAY_BE_WRONG.test(source)) return []
  const { program, comments } = parseSync(file, source, { sourceType: 'module' })
  const signatures = /@param/.test(source) ? signaturesOf(program) : []
  const firstDeclaration = program.body.find(({ type }) => type !== 'ImportDeclaration')?.start ?? source.length
  return comments
    .filter(comment => comment.type === 'Block' && comment.value.startsWith('*'))
    .flatMap(comment => {
      const at = `${file}:${source.slice(0, comment.start).split('\n').length}`
      const problem = misplaced(comment, source, comment.end < firstDeclaration)
      if (problem) return [`${at} ${problem}`]
      const described = [...comment.value.matchAll(/@param (?:\{[^}]*\} )?(\w+)/g)].map(match => match[1] ?? '')
      const signature = signatures.find(({ start }) => start >= comment.end)
      return described
        .filter(name => !signature?.names.has(name))
        .map(name => `${at} describes the parameter ${name}, which is not there`)
    })
}

function misplaced(comment: Comment, source: string, isHeader: boolean): string | undefined {
  const after = source.slice(comment.end)
  if (/^[ \t]*\r?\n[ \t]*\r?\n/.test(after)) return isHeader ? undefined : 'describes nothing: an empty line follows'
  if (/^\s*\/\*\*/.test(after)) return 'describes nothing: another such comment follows'
  if (/^\s*(?:[)\]}]|$)/.test(after)) return 'describes nothing: no declaration follows'
  return undefined
}

function signaturesOf(program: ReturnType<typeof parseSync>['program']): Signature[] {
  const found: Signature[] = []
  const visit = (node: { readonly start: number; readonly params: readonly unknown[] }) => {
    const names = new Set<string>()
    for (const param of node.params) collectNames(param, names)
    found.push({ start: node.start, names })
  }
  new Visitor({
    FunctionDeclaration: visit,
    FunctionExpression: visit,
    ArrowFunctionExpression: visit,
    TSMethodSignature: visit,
    TSFunctionType: visit,
    TSCallSignatureDeclaration: visit,
  }).visit(program)
  return found.sort((a, b) => a.start - b.start)
}

/** AST fields of a parameter whose identifiers are not its names: default values and type names. */
const NOT_NAMES = new Set(['right', 'typeName'])

/** Collects all names of a parameter, including destructured ones: `{ a, b: c }: Props = …` has a, b and c. */
function collectNames(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) collectNames(each, names)
    return
  }
  const { type, name, ...parts } = node as Readonly<Record<string, unknown>>
  if (type === 'Identifier' && typeof name === 'string') names.add(name)
  for (const [key, part] of Object.entries(parts)) if (!NOT_NAMES.has(key)) collectNames(part, names)
}
