import fs from 'node:fs'
import path from 'node:path'
import { isTestFile } from './boundary-layers.ts'
import { importedFile } from './boundary-rules.ts'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

/** Modules by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>

/** A rule that is tried through something else says by which test, or by which tests. */
const TESTED_BY = /^ *(?:\/\/|\/?\*+).*\b[Tt]ested by\b.*$/gm
const TEST_PATH = /[\w./-]+\.test\.tsx?\b/g
/** As all modules write them: the boundary check refuses others. */
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g

/** Of a module's own test, whose name is otherwise the module's. */
const OWN_TEST_ENDINGS = ['.test.ts', '.test.tsx', '.browser.test.ts', '.browser.test.tsx']

export const namedTests = (source: string): string[] =>
  [...source.matchAll(TESTED_BY)].flatMap(([comment]) => comment.match(TEST_PATH) ?? [])

export function readSources(): Sources {
  const files = repositoryFiles().filter(file => isSource(file) && /\.tsx?$/.test(file))
  return new Map(files.map(file => [file, fs.readFileSync(path.join(ROOT, file), 'utf8')]))
}

/** Paths of child processes that a test starts. */
const STARTED = /'(?:[./]*\/)?((?:apps\/server\/commands|testing)\/[\w./-]+\.ts)'/g
/** Japanese texts on screens, by which browser tests find elements. Shorter ones are on every screen. */
const JAPANESE = /[\u3005-\u30ff\u4e00-\u9fff]{4,}/g

/**
 * Tests that reach a module, most likely first. The order: tests named in its comments; its own test, which lies beside
 * it and has its name; tests that import it, lie beside it or mention its exports (rare words weigh more); then by
 * distance in the import graph. End-to-end tests import no screen: they match by the texts that they press or read.
 */
export function relatedTests(module: string, sources: Sources): string[] {
  const importers = importersOf(sources)
  const steps = new Map([[module, 0]])
  for (const [file, step] of steps)
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, step + 1)
  const shown = [module, ...(importers.get(module) ?? [])].map(file => sources.get(file) ?? '')
  const matchesByText = testsByText(shown.join('\n'), sources)
  const tests = [...new Set([...[...steps.keys()].filter(isTestFile), ...matchesByText.keys()])]
  const scores = new Map(
    tests.map(test => {
      const isBeside = path.posix.dirname(test) === path.posix.dirname(module)
      return [test, (steps.get(test) === 1 ? 2 : 0) + (isBeside ? 0.25 : 0) + (matchesByText.get(test) ?? 0)]
    }),
  )
  const words = declaredWords(sources.get(module))
  const ofImporters = (importers.get(module) ?? []).flatMap(file => declaredWords(sources.get(file)))
  for (const word of new Set([...words, ...ofImporters])) {
    const pattern = new RegExp(`\\b${word}\\b`)
    const mentioning = tests.filter(test => pattern.test(sources.get(test) ?? ''))
    for (const test of mentioning)
      scores.set(test, scores.get(test)! + (words.includes(word) ? 1 : 0.25) / mentioning.length)
  }
  const stepsTo = (test: string) => steps.get(test) ?? sources.size
  tests.sort((a, b) => scores.get(b)! - scores.get(a)! || stepsTo(a) - stepsTo(b) || (a < b ? -1 : 1))
  const own = OWN_TEST_ENDINGS.map(ending => module.replace(/\.tsx?$/, ending)).filter(test => sources.has(test))
  return [...new Set([...namedTests(sources.get(module) ?? ''), ...own, ...tests])]
}

/** Scores end-to-end tests by texts that they share with these screens; rare texts weigh more. */
function testsByText(screens: string, sources: Sources): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  const tests = [...sources.keys()].filter(file => file.startsWith('e2e/') && isTestFile(file))
  for (const text of new Set(screens.match(JAPANESE))) {
    const having = tests.filter(test => ownText(test, sources).includes(text))
    for (const test of having) scores.set(test, (scores.get(test) ?? 0) + 0.25 / having.length)
  }
  return scores
}

/** The source of an end-to-end test with the helpers that it imports. */
function ownText(test: string, sources: Sources): string {
  const steps = importedBy(test, sources).filter(file => file.startsWith('e2e/'))
  return [test, ...steps].map(file => sources.get(file) ?? '').join('\n')
}

/** Words by which tests may mention a module: exports, API fields, refusal codes. */
function declaredWords(source = ''): string[] {
  const exports = source.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)
  const fields = source.matchAll(/(?:query|mutation)Field\(\s*'(\w+)'/g)
  const refusals = source.matchAll(/'([a-z]+(?:-[a-z]+)*\/[a-z-]+)'/g)
  return [...exports, ...fields, ...refusals].map(match => match[1] ?? '')
}

function importersOf(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const file of sources.keys())
    for (const target of importedBy(file, sources)) importers.set(target, [...(importers.get(target) ?? []), file])
  return importers
}

/** Modules that a file imports or starts as another process. */
function importedBy(file: string, sources: Sources): string[] {
  const source = sources.get(file) ?? ''
  const imported = [...source.matchAll(IMPORT)].map(([, specifier = '']) => importedFile(file, specifier))
  const started = [...source.matchAll(STARTED)].flatMap(([, path = '']) => (sources.has(path) ? [path] : []))
  return [...new Set([...imported.filter(target => target !== undefined), ...started])]
}
