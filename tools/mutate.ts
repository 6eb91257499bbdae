import { type ChildProcess, fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createVitest } from 'vitest/node'
import { type Mutant, mutantsOf } from './mutants.ts'
import { ROOT } from './source-tree.ts'

/**
 * npm run test:mutation -- [set[:module,…] …]: changes modules that decide about rights and money, one small change at
 * a time, and runs their tests against each. The score is the share of changes that a test detects. It takes minutes to
 * an hour and is not part of the gate. (StrykerJS works on a copy, in which `@pc/…` would resolve to the original
 * files.)
 */
interface MutationSet {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** Also changes numbers and days by one. */
  readonly withValues?: boolean
}
const PAYMENT_FOLDERS = ['payment', 'settlement', 'transfer', 'journal', 'statement', 'explain'].map(
  name => `domain/${name}`,
)

const SETS: Readonly<Record<string, MutationSet>> = {
  access: {
    sources: [
      ...['action', 'client-policy', 'decide', 'resource-name', 'role', 'role-duties', 'role-policies', 'role-rank'],
      ...['staff-only-fields', 'user-changes', 'viewer-scope'],
    ].map(name => `domain/access/${name}.ts`),
    tests: ['domain/access/access.test.ts', 'domain/access/user-changes.test.ts', 'domain/access/viewer-scope.test.ts'],
  },
  explanation: { sources: ['domain/access/explain-access.ts'], tests: ['domain/access/explain-access.test.ts'] },
  guard: {
    sources: ['field', 'finish-graph', 'guard', 'mutation'].map(name => `platform/graphql/${name}.ts`),
    tests: ['field', 'guard', 'mutation'].map(name => `platform/graphql/${name}.test.ts`),
  },
  money: { sources: modulesIn('domain/money'), tests: testsIn('domain/money') },
  month: { sources: modulesIn('domain/month'), tests: testsIn('domain/month') },
  agreement: { sources: modulesIn('domain/agreement'), tests: testsIn('domain/agreement') },
  payment: { sources: PAYMENT_FOLDERS.flatMap(modulesIn), tests: PAYMENT_FOLDERS.flatMap(testsIn) },
  // The rules of law (docs/law-rules.md).
  law: {
    sources: [
      ...['agreement/law-rules', 'agreement/law-guard', 'agreement/payment-law', 'agreement/protected-payee'],
      ...['agreement/invoice-issuer', 'agreement/treaty-form', 'money/consumption-tax', 'settlement/deduction'],
      ...['transfer/withholding', 'transfer/withheld-taxes.ja', 'transfer/tax-office-rules'],
      ...['month/business-day', 'bank/registration-number'],
    ].map(name => `domain/${name}.ts`),
    tests: [
      ...['agreement/agreement', 'agreement/payment-law', 'agreement/treaty-form', 'money/money'],
      ...['settlement/deduction', 'transfer/withholding', 'transfer/tax-office-rules'],
      ...['month/due-date', 'bank/bank', 'bank/bank-edges'],
    ].map(name => `domain/${name}.test.ts`),
    withValues: true,
  },
  bank: { sources: modulesIn('domain/bank'), tests: testsIn('domain/bank') },
}
/** After this time without output the mutant runs forever, which counts as detected. */
const SILENCE_MS = 90_000

/** Runs of each property test, instead of thousands. A change that these miss counts as not detected. */
const RUNS = 1_500

const WORKER = '--worker'

interface Job {
  readonly source: string
  readonly mutant: Mutant
  readonly tests: readonly string[]
}
type Outcome = 'killed' | 'survived' | 'endless'

function modulesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder))
    .filter(name => /\.ts$/.test(name) && !/\.test\.ts$|\.ja\.ts$|^random-|^sample-|-invariants\.ts$/.test(name))
    .map(name => `${folder}/${name}`)
}

function testsIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder))
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `${folder}/${name}`)
}

// Recognised by an argument, not by the channel to a parent: the launcher of all commands has one too.
if (process.argv[2] === WORKER) await work()
else await lead(process.argv.slice(2))

async function lead(requested: readonly string[]): Promise<void> {
  const modulesOf = new Map(
    requested.map(each => [each.split(':')[0] ?? '', each.split(':')[1]?.split(',')] as [string, string[] | undefined]),
  )
  const names = [...modulesOf.keys()]
  const unknown = names.filter(name => !SETS[name])
  if (unknown.length > 0) throw new Error(`unknown set ${unknown}; known: ${Object.keys(SETS).join(', ')}`)
  for (const [name, set] of Object.entries(SETS)) {
    if (names.length > 0 && !names.includes(name)) continue
    const modules = modulesOf.get(name)
    const sources = set.sources.filter(source => modules?.includes(path.basename(source, '.ts')) ?? true)
    const jobs = sources.flatMap(source =>
      mutantsOf(source, fs.readFileSync(path.join(ROOT, source), 'utf8'), {
        withValues: set.withValues === true,
      }).map((mutant): Job => ({ source, mutant, tests: set.tests })),
    )
    const outcomes = await runAll(jobs)
    report(name, jobs, outcomes)
  }
}

/** A worker that is silent for too long is killed by its id, and another one continues with the next mutant. */
async function runAll(jobs: readonly Job[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < jobs.length) {
    const from = outcomes.length
    await new Promise<void>(resolve => {
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
      const worker: ChildProcess = fork(import.meta.filename, [WORKER], { stdio: [...stdio] })
      const giveUp = () => {
        outcomes.push('endless')
        worker.kill('SIGKILL')
      }
      let silence: NodeJS.Timeout | undefined
      worker.on('message', (said: Outcome | 'ready') => {
        clearTimeout(silence)
        if (said !== 'ready') outcomes.push(said)
        const job = jobs[outcomes.length - 1]
        if (said === 'survived' && job) console.log(`survived: ${job.source}:${job.mutant.line} ${job.mutant.change}`)
        if (outcomes.length < jobs.length) silence = setTimeout(giveUp, SILENCE_MS)
      })
      worker.once('exit', () => {
        clearTimeout(silence)
        resolve()
      })
      worker.send(jobs.slice(from))
    })
    if (outcomes.length === from) throw new Error('the worker ended before its first mutant')
  }
  return outcomes
}

function report(name: string, jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  const found = outcomes.filter(outcome => outcome !== 'survived').length
  const perFile = Map.groupBy(jobs.keys(), at => jobs[at]?.source ?? '')
  for (const [source, at] of perFile) {
    const killed = [...at].filter(n => outcomes[n] !== 'survived').length
    console.log(`${source}: ${killed} of ${at.length}`)
  }
  const endless = outcomes.filter(outcome => outcome === 'endless').length
  const score = ((100 * found) / jobs.length).toFixed(1)
  console.log(`${name}: ${found} of ${jobs.length} mutants found, ${endless} of them by their silence, ${score} %\n`)
}

/** Runs the tests once per mutant. The change is made while the module is loaded; no file is written. */
async function work(): Promise<void> {
  process.once('disconnect', () => process.exit())
  const jobs = await new Promise<readonly Job[]>(resolve => process.once('message', resolve))
  let active: Job | undefined
  const lying = {
    name: 'mutant',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (/\.test\.ts$/.test(id)) return code.replaceAll(/numRuns: \d[\d_]{3,}/g, `numRuns: ${RUNS}`)
      if (!active || id !== path.join(ROOT, active.source)) return undefined
      const { start, end, replacement } = active.mutant
      return code.slice(0, start) + replacement + code.slice(end)
    },
  }
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: ROOT,
      watch: false,
      // The cache identifies files by their content on disk, which is never the mutant's.
      fsModuleCache: false,
      include: [...new Set(jobs.flatMap(job => job.tests))],
      globalSetup: [path.join(ROOT, 'testing/postgres-global-setup.ts')],
      pool: 'threads',
      maxWorkers: 1,
      bail: 1,
      reporters: [{}],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      env: { TZ: 'America/Los_Angeles' },
    },
    { plugins: [lying], ssr: { resolve: { conditions: ['node', 'module-sync'] } } },
  )
  /**
   * The file that detected the last mutant runs first, because it often detects the next one of the same module too.
   */
  let finder: string | undefined
  const run = async () => {
    const all = await vitest.globTestSpecifications()
    for (const part of [all.filter(each => each.moduleId === finder), all.filter(each => each.moduleId !== finder)]) {
      if (part.length === 0) continue
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(part)
      const failed = testModules.find(module => !module.ok())
      if (failed) finder = failed.moduleId
      if (failed || unhandledErrors.length > 0) return false
    }
    return true
  }
  if (!(await run())) throw new Error('the tests fail without any mutant')
  process.send?.('ready')
  for (const job of jobs) {
    const touched = path.join(ROOT, job.source)
    active = job
    vitest.invalidateFile(touched)
    process.send?.((await run()) ? 'survived' : 'killed')
    active = undefined
    vitest.invalidateFile(touched)
  }
  await vitest.close()
  process.disconnect?.()
}
