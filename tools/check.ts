import { styleText } from 'node:util'
import { checkSchemas } from '../apps/server/printed-schemas.ts'
import { checkTree } from './check-boundaries.ts'
import { checkComments } from './check-comments.ts'
import { checkDependencies } from './check-dependencies.ts'
import { checkDocuments } from './check-documents.ts'
import { checkNames, checkWording } from './check-wording.ts'
import { checkConfigurationDocument } from './configuration-document.ts'
import { checkMessagesDocument } from './manual/messages-document.ts'
import { runNode, runTool, stopWithLauncher } from './run-command.ts'
import { checkCoverageOfTypes, checkTypes } from './type-check.ts'

interface Outcome {
  /** One per finding; empty when the check passed. */
  readonly problems: readonly string[]
  /** What was checked, for the summary. */
  readonly note?: string
}

interface Check {
  readonly name: string
  readonly run: () => Promise<Outcome> | Outcome
}

const CHECKS: readonly Check[] = [
  { name: 'typed documents made', run: () => ofCommand(runNode('tools/generate.ts')) },
  {
    name: 'format and lint',
    run: () => ofCommand(runTool('biome', 'ci', '--colors=off', '--diagnostic-level=error', '.')),
  },
  { name: 'types: pure', run: () => checkTypes('tsconfig.pure.json') },
  { name: 'types: server', run: () => checkTypes('tsconfig.server.json') },
  { name: 'types: web', run: () => checkTypes('tsconfig.web.json') },
  { name: 'types: every module', run: checkCoverageOfTypes },
  { name: 'boundaries', run: boundaries },
  { name: 'unused code', run: () => ofCommand(runTool('knip', '--no-progress')) },
  {
    name: 'code that only tests use',
    run: () => ofCommand(runTool('knip', '--no-progress', '--production', '--config', 'knip.production.jsonc')),
  },
  // Generated and committed files must equal what the code generates now.
  { name: 'generated: database', run: () => ofCommand(runNode('tools/check-generated-database.ts')) },
  { name: 'generated: GraphQL schemas', run: checkSchemas },
  { name: 'generated: settings', run: checkConfigurationDocument },
  { name: 'generated: messages', run: checkMessagesDocument },
  { name: 'documents', run: checkDocuments },
  { name: 'comments', run: checkComments },
  { name: 'wording', run: checkWording },
  { name: 'names', run: checkNames },
  { name: 'dependencies', run: checkDependencies },
]

stopWithLauncher()
const started = performance.now()
let failed = 0
const [first, ...others] = CHECKS.map(check => ({ check, ...Promise.withResolvers<Result>() }))
const waiting = [...others]
// What the first one makes, the others read. Then two run at a time and take the next from one queue: most need one processor.
void work([first!]).then(() => [work(waiting), work(waiting)])
for (const { check, promise } of [first!, ...others]) {
  const { outcome, seconds } = await promise
  const ok = outcome.problems.length === 0
  if (!ok) failed += 1
  const mark = ok ? styleText('green', '✓') : styleText('red', '✗')
  console.log(`${mark} ${check.name.padEnd(28)} ${seconds.padStart(6)} s   ${outcome.note ?? ''}`)
  for (const problem of outcome.problems) console.log(problem.replace(/^/gm, '    '))
}
const total = ((performance.now() - started) / 1000).toFixed(1)
console.log(`\nchecks: ${CHECKS.length - failed} passed, ${failed} failed (${total} s)`)
process.exit(failed === 0 ? 0 : 1)

interface Result {
  readonly outcome: Outcome
  readonly seconds: string
}

async function work(queue: { readonly check: Check; readonly resolve: (result: Result) => void }[]): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) next.resolve(await timed(next.check))
}

async function timed(check: Check): Promise<Result> {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  try {
    return { outcome: await check.run(), seconds: seconds() }
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { outcome: { problems: [text] }, seconds: seconds() }
  }
}

async function ofCommand(command: ReturnType<typeof runNode>): Promise<Outcome> {
  const { ok, output } = await command
  return ok ? { problems: [] } : { problems: [output.trim() || 'failed without a word'] }
}

function boundaries(): Outcome {
  const { violations, modules, unseen } = checkTree()
  const problems = violations.map(found => `${found.path}:${found.line} [${found.rule}] ${found.message}`)
  const missed = unseen.map(file => `${file} was not seen: git ignores it`)
  if (modules === 0) missed.push('no module was seen at all')
  return { problems: [...problems, ...missed], note: `${modules} modules` }
}
