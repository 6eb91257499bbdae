import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { keepTemporaryFilesInMemory } from '@pc/testing/memory-folder.ts'
import { startVitest } from 'vitest/node'
import { ensureBrowser } from './ensure-browser.ts'
import { buildWhenStale } from './front-end-build.ts'
import { readSources, relatedTests } from './related-tests.ts'
import { runNode, stopWithLauncher } from './run-command.ts'
import { ROOT } from './source-tree.ts'
import { TestCounter } from './test-counter.ts'

/** Default of `--project`: all but `faults`, which kills processes for minutes (npm run test:faults). */
const DEFAULT_PROJECTS = ['node', 'browser', 'e2e']
const USAGE = `usage: npm test [-- [path …] [--project node|browser|e2e|faults] [-t <name>] [--whole]]
       npm test -- --related <module>   lists the tests of a module, the likeliest first`
const MAX_RELATED = 10

stopWithLauncher()
const { paths, projects, name } = readArguments()
await prepare()
// Fault tests need a real disk.
if (!projects.includes('faults')) keepTemporaryFilesInMemory()
const counter = new TestCounter()
const vitest = await startVitest(paths, {
  watch: false,
  project: projects,
  reporters: ['default', counter],
  ...(name === undefined ? {} : { testNamePattern: name }),
})
await vitest.close()
console.log(counter.summary())
// Exits explicitly, because a test may have left a handle open, which vitest has reported.
process.exit(counter.failed > 0 || process.exitCode ? 1 : 0)

function readArguments(): { paths: string[]; projects: string[]; name: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        project: { type: 'string', multiple: true },
        name: { type: 'string', short: 't' },
        whole: { type: 'boolean' },
        related: { type: 'string' },
      },
    })
    if (values.related !== undefined) listRelated(values.related)
    if (values.whole) process.env.TEST_SIZE = 'whole'
    return { paths: positionals, projects: values.project ?? DEFAULT_PROJECTS, name: values.name }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exit(2)
  }
}

function listRelated(module: string): never {
  const file = path.relative(ROOT, path.resolve(module)).replaceAll(path.sep, '/')
  const sources = readSources()
  if (!sources.has(file)) throw new Error(`there is no module ${file}`)
  const tests = relatedTests(file, sources)
  console.log(tests.slice(0, MAX_RELATED).join('\n') || `no test reaches ${file}`)
  if (tests.length > MAX_RELATED) console.log(`… and ${tests.length - MAX_RELATED} that reach it from further away`)
  process.exit(0)
}

/**
 * Prepares what the selected tests need: generated documents always, a browser and the built front ends only for tests
 * that use them.
 */
async function prepare(): Promise<void> {
  try {
    const generated = await runNode('tools/generate.ts')
    if (!generated.ok) throw new Error(`the typed documents could not be made:\n${generated.output}`)
    const withEndToEnd = projects.includes('e2e') && hasTests('e2e', '*.test.ts')
    const withBrowser = projects.includes('browser') && hasTests('{ui,features,apps}', '*.browser.test.tsx')
    if (withEndToEnd || withBrowser) process.env.CHROMIUM_PATH = ensureBrowser()
    if (withEndToEnd) console.log(`[setup] front ends: ${await buildWhenStale()}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.log('0 passed, 1 failed')
    process.exit(1)
  }
}

/** Vitest's own matching: a path on the command line is a substring of the file name. */
function hasTests(folders: string, pattern: string): boolean {
  const files = fs.globSync(`${folders}/**/${pattern}`, { cwd: ROOT, exclude: file => file.endsWith('node_modules') })
  const wanted = paths.map(given => given.replaceAll(path.sep, '/').replace(/^\.\//, ''))
  return files.some(file => wanted.length === 0 || wanted.some(part => path.join(ROOT, file).includes(part)))
}
