import { parseSync, Visitor } from 'oxc-parser'

export interface Import {
  /** As written; undefined when it is computed at run time. */
  readonly specifier: string | undefined
  readonly line: number
  /**
   * `hidden`: an import that a bundler or reader could miss: computed at run time, or of a worker. `re-export`: exports
   * another file's names.
   */
  readonly kind: 'import' | 're-export' | 'hidden'
}

export interface Module {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly imports: readonly Import[]
  /** Names that a pure module may not use: clock, randomness, environment, network. */
  readonly impurities: readonly { readonly name: string; readonly line: number }[]
  readonly syntaxErrors: readonly string[]
}

const IMPURE = new Set([
  ...['Date', 'process', 'fetch', 'globalThis', 'performance', 'crypto', 'console', 'navigator', 'window', 'document'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'localStorage', 'sessionStorage', 'require'],
])

/** Reads what the boundary rules examine. Never throws for a syntax error: the result reports it. */
export function readModule(path: string, source: string): Module {
  const parsed = parseSync(path, source, { sourceType: 'module' })
  const imports: Import[] = []
  const impurities: { name: string; line: number }[] = []
  const line = lineCounter(source)
  const imported = new Set<string>()
  const add = (specifier: string | undefined, start: number, kind: Import['kind']) =>
    imports.push({ specifier, line: line(start), kind })

  const names = new Set<number>() // starts of identifiers that are mere property names
  const nameOnly = (node: { start: number; type: string }, computed: boolean) => {
    if (!computed && node.type === 'Identifier') names.add(node.start)
  }
  new Visitor({
    ImportDeclaration(node) {
      add(node.source.value, node.start, 'import')
      for (const specifier of node.specifiers) imported.add(specifier.local.name)
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.start, 're-export')
    },
    ExportNamedDeclaration(node) {
      if (node.source) add(node.source.value, node.start, 're-export')
      else
        for (const specifier of node.specifiers)
          if (specifier.local.type === 'Identifier' && imported.has(specifier.local.name))
            add(undefined, specifier.start, 're-export')
    },
    ImportExpression(node) {
      add(literal(node.source), node.start, literal(node.source) === undefined ? 'hidden' : 'import')
    },
    TSImportType(node) {
      add(node.source.value, node.start, 'import')
    },
    TSImportEqualsDeclaration(node) {
      add(undefined, node.start, 'hidden')
    },
    CallExpression(node) {
      const callee = source.slice(node.callee.start, node.callee.end)
      if (callee === 'require' || callee.startsWith('import.meta.glob')) add(undefined, node.start, 'hidden')
      const target = node.arguments[0]
      if (/^(vi\.(mock|doMock|importActual)|import\.meta\.resolve)$/.test(callee) && target)
        add(literal(target), node.start, literal(target) === undefined ? 'hidden' : 'import')
    },
    NewExpression(node) {
      // new Worker(new URL('./x.ts', import.meta.url)) imports a module by its address.
      const [target, base] = node.arguments
      if (source.slice(node.callee.start, node.callee.end) !== 'URL' || !target || !base) return
      const address = literal(target)
      if (source.slice(base.start, base.end) === 'import.meta.url' && address && /\.[cm]?[jt]sx?$/.test(address))
        add(address, node.start, 'import')
    },
    MemberExpression(node) {
      nameOnly(node.property, node.computed)
      if (source.slice(node.start, node.end) === 'Math.random')
        impurities.push({ name: 'Math.random', line: line(node.start) })
    },
    Property(node) {
      if (!node.shorthand) nameOnly(node.key, node.computed)
    },
    PropertyDefinition(node) {
      nameOnly(node.key, node.computed)
    },
    MethodDefinition(node) {
      nameOnly(node.key, node.computed)
    },
    TSPropertySignature(node) {
      nameOnly(node.key, node.computed)
    },
    TSMethodSignature(node) {
      nameOnly(node.key, node.computed)
    },
    TSQualifiedName(node) {
      names.add(node.right.start)
    },
    Identifier(node) {
      if (IMPURE.has(node.name) && !names.has(node.start)) impurities.push({ name: node.name, line: line(node.start) })
    },
  }).visit(parsed.program)
  return { path, imports, impurities, syntaxErrors: parsed.errors.map(error => error.message) }
}

function literal(node: { type: string; value?: unknown }): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** oxc's offsets count UTF-16 units, like JavaScript strings. */
function lineCounter(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
