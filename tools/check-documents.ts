import fs from 'node:fs'
import path from 'node:path'
import { ROOT, repositoryFiles } from './source-tree.ts'

/**
 * Checks that everything named in the documents exists: files, npm scripts, identifiers, and the sections of the other
 * README.
 */
export function checkDocuments(): { problems: string[]; note: string } {
  const files = repositoryFiles()
  const documents = files.filter(file => /^[^/]+\.md$/.test(file) || /^docs\/.*\.md$/.test(file))
  const text = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
  const repository = { paths: withFolders(files), scripts: new Set(Object.keys(scripts)) }
  const problems = documents.flatMap(file => wrongReferences(file, text(file), repository))
  // Code in the manual is written for other systems.
  for (const file of documents.filter(file => !file.startsWith('docs/manual/')))
    problems.push(...wrongExcerpts(file, text(file), named => (repository.paths.has(named) ? text(named) : undefined)))
  const words = wordsOf(files.filter(file => CODE.test(file)).map(text))
  for (const file of documents.filter(file => !FOR_OPERATORS.test(file)))
    problems.push(...unknownNames(file, text(file), { files: withoutFolders(files), words }))
  for (const [name, script] of Object.entries(scripts)) {
    const target = /^node tools\/run\.mjs (\S+)/.exec(script)?.[1]
    if (target && !repository.paths.has(target))
      problems.push(`package.json: npm run ${name} starts ${target}, which is gone`)
  }
  const twins = documents.filter(file => /^README(\.ja)?\.md$/.test(file))
  if (twins.length === 2) problems.push(...differingSections(text('README.md'), text('README.ja.md')))
  return { problems, note: `${documents.length} documents` }
}

export interface Repository {
  readonly paths: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
}

/** The files and all of their parent folders, as paths from the root. */
export function withFolders(files: readonly string[]): Set<string> {
  const paths = new Set(files)
  for (const file of files)
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) paths.add(folder)
  return paths
}

const ROOT_FILE = /^[A-Za-z][\w-]*(\.[\w-]+)?\.(md|json)$|^\w+\.config\.ts$/
/** Placeholders in made-up examples are not checked. */
const PLACEHOLDER = /[<>*{}…$]|\.\.\./

/** Messages for references that do not exist. */
export function wrongReferences(file: string, text: string, repository: Repository): string[] {
  const problems: string[] = []
  const lines = text.split('\n')
  let inFence = false
  for (const [index, line] of lines.entries()) {
    const at = `${file}:${index + 1}`
    if (isFence(line)) {
      inFence = !inFence
      continue
    }
    for (const [, long, short] of line.matchAll(/\bnpm (?:run (?:-s |--silent )?([a-z][\w:-]*)|(start|test)\b)/g)) {
      const script = long ?? short ?? ''
      if (!repository.scripts.has(script)) problems.push(`${at} no npm script ${script}`)
    }
    for (const target of linkTargets(line)) {
      const resolved = path.posix.normalize(path.posix.join(path.posix.dirname(file), target)).replace(/\/$/, '')
      if (resolved !== '.' && !repository.paths.has(resolved)) problems.push(`${at} link to ${target}: does not exist`)
    }
    for (const named of namedPaths(line, inFence, repository.paths))
      if (!repository.paths.has(named)) problems.push(`${at} names ${named}, which does not exist`)
  }
  return problems
}

const CODE = /\.(ts|tsx|mjs|sql|graphql|css|json|jsonc|yaml|typ)$/
/** Documents that also name settings of other programs. */
const FOR_OPERATORS = /^docs\/(manual\/|(production|runbooks)\.md$)/
const FILE_NAME = /^(?:\.?[\w-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|graphql|css|typ|sql)$/
/** A code identifier (`someName`, `SOME_NAME`, `some_name`, `SomeName()`). A single lower-case word is prose. */
const IDENTIFIER = /^(?=\w*(?:[a-z][A-Z]|_))([A-Za-z_]\w*)(?:\(\))?$/
/** Example names such as `x-finding.ts`, and generated files, which may be missing. */
const EXAMPLE_FILE = /(?:^|\/)x[.-]|\.gen\.ts$/

export interface CodeNames {
  /** Paths of all files, with and without their leading folders. */
  readonly files: ReadonlySet<string>
  /** All words in the code. */
  readonly words: ReadonlySet<string>
}

/** Messages for file names and identifiers in backticks that the code does not contain. */
export function unknownNames(file: string, text: string, code: CodeNames): string[] {
  return quotedWords(text).flatMap(({ word, line }) => {
    const identifier = IDENTIFIER.exec(word)?.[1]
    const isUnknown = identifier === undefined ? isUnknownFile(word, code) : !code.words.has(identifier)
    return isUnknown ? [`${file}:${line} names ${word}, which is nowhere in the code`] : []
  })
}

const isUnknownFile = (word: string, { files }: CodeNames) =>
  FILE_NAME.test(word) && !EXAMPLE_FILE.test(word) && !files.has(word)

/** Words in backticks outside of code blocks, with their line numbers. */
function quotedWords(text: string): { word: string; line: number }[] {
  let inFence = false
  return text.split('\n').flatMap((line, index) => {
    if (isFence(line)) inFence = !inFence
    if (inFence) return []
    const words = [...line.matchAll(/`([^`]+)`/g)].flatMap(match => (match[1] ?? '').split(/\s+/))
    return words
      .map(word => word.replace(/^\(|[),;:]+$/g, '').replace(/\($/, '()'))
      .filter(word => !PLACEHOLDER.test(word))
      .map(word => ({ word, line: index + 1 }))
  })
}

/** Each path together with all of its suffixes without leading folders. */
export function withoutFolders(files: readonly string[]): Set<string> {
  return new Set(
    files.flatMap(file => {
      const parts = file.split('/')
      return parts.map((_, index) => parts.slice(index).join('/'))
    }),
  )
}

export const wordsOf = (sources: readonly string[]): Set<string> =>
  new Set(sources.flatMap(source => source.match(/[A-Za-z_]\w*/g) ?? []))

/**
 * A TypeScript block in a document quotes lines of the file named in its first line (`// path`), in order. Messages for
 * lines that the file lacks.
 */
export function wrongExcerpts(file: string, text: string, source: (path: string) => string | undefined): string[] {
  return [...text.matchAll(/^ *```tsx?\b.*\n([\s\S]*?)^ *```/gm)].flatMap(block => {
    const at = `${file}:${text.slice(0, block.index).split('\n').length + 1}`
    const [head = '', ...quoted] = codeLines(block[1] ?? '')
    const path = /^\/\/ (\S+)$/.exec(head)?.[1] ?? ''
    const code = source(path)
    if (code === undefined) return [`${at} quotes no file: its first line is "// path"`]
    const lines = codeLines(code)
    let next = 0
    const strange = quoted.find(line => {
      next = lines.indexOf(line, next) + 1
      return next === 0
    })
    return strange === undefined ? [] : [`${at} quotes a line that ${path} does not have there: ${strange}`]
  })
}

/** Trimmed lines without empty ones. */
const codeLines = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

function linkTargets(line: string): string[] {
  return [...line.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(match => (match[1] ?? '').replace(/#.*$/, ''))
    .filter(target => target !== '' && !/^[a-z]+:/.test(target))
}

/** Words that begin with a top-level folder, or look like a file in the root. */
function namedPaths(line: string, inFence: boolean, paths: ReadonlySet<string>): string[] {
  const isBelowTop = (word: string) => word.includes('/') && paths.has(word.slice(0, word.indexOf('/')))
  const words = inFence
    ? line.split(/\s+/)
    : [...line.matchAll(/`([^`]+)`/g)].flatMap(match => (match[1] ?? '').split(/\s+/))
  return words
    .map(word =>
      word
        .replace(/^\.\//, '')
        .replace(/[),;:]+$/, '')
        .replace(/:\d+$/, '')
        .replace(/\/$/, ''),
    )
    .filter(word => !PLACEHOLDER.test(word) && (isBelowTop(word) || ROOT_FILE.test(word)))
}

/** Compares the README in both languages: headings, their depth and order, numbers of tables and code blocks. */
export function differingSections(english: string, japanese: string): string[] {
  const shape = (text: string) => ({
    headings: outside(text)
      .filter(line => /^#+ /.test(line))
      .map(line => line.replace(/[^#].*$/, '').length),
    blocks: text.split('\n').filter(line => isFence(line)).length,
    rows: outside(text).filter(line => line.startsWith('|')).length,
  })
  const [left, right] = [shape(english), shape(japanese)]
  const problems: string[] = []
  if (left.headings.join() !== right.headings.join())
    problems.push('README.md and README.ja.md differ in their headings')
  if (left.blocks !== right.blocks) problems.push('README.md and README.ja.md differ in their code blocks')
  if (left.rows !== right.rows) problems.push('README.md and README.ja.md differ in their table rows')
  return problems
}

function outside(text: string): string[] {
  let inFence = false
  return text.split('\n').filter(line => {
    if (isFence(line)) inFence = !inFence
    return !inFence
  })
}

/** Code fences may be indented inside of a list. */
const isFence = (line: string) => /^\s*```/.test(line)
