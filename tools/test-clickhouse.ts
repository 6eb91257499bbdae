import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { isClickHouseEngineInstalled } from '@pc/testing/statistics/clickhouse-engine.ts'
import { stopWithLauncher } from './run-command.ts'
import { ROOT } from './source-tree.ts'

/**
 * Runs all tests of the statistics on both engines. Installs ClickHouse as a library (chDB, 540 MB) unless
 * CLICKHOUSE_URL names a server; `--install` only installs, after which `npm test` uses both engines too. With
 * `CLICKHOUSE_CLUSTER` the server's cluster is used, with `--shards` a cluster of two shards inside of the library.
 */
const hasShards = process.argv.includes('--shards')
const ENGINE = path.join(ROOT, 'tools/clickhouse-engine')
const TESTS = ['platform/stats', 'features/reports']

stopWithLauncher()
if (!process.env.CLICKHOUSE_URL) install()
if (process.argv.includes('--install')) process.exit(0)
const started = performance.now()
const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
const report = path.join(ENGINE, 'node_modules/.report.json')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
fs.mkdirSync(path.dirname(report), { recursive: true })
fs.rmSync(report, { force: true })
const tests = spawnSync(process.execPath, [vitest, 'run', '--project', 'node', ...reporters, ...TESTS], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, REQUIRE_CLICKHOUSE: 'on', ...(hasShards ? { TEST_CLICKHOUSE_SHARDS: 'on' } : {}) },
})
if (fs.existsSync(report)) {
  const counts = JSON.parse(fs.readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number }
  console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed`)
}
console.log(`both statistics engines: ${((performance.now() - started) / 1000).toFixed(1)} s`)
process.exit(tests.status ?? 1)

function install(): void {
  const wanted = fs.readFileSync(path.join(ENGINE, 'package-lock.json'), 'utf8')
  const stamp = path.join(ENGINE, 'node_modules/.installed-lock')
  if (isClickHouseEngineInstalled() && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return
  console.log('installing ClickHouse for tests (540 MB, once) …')
  // `npm ci` refuses a lock file made without another platform's optional package; `install --no-save` accepts it.
  const flags = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const options = { cwd: ENGINE, stdio: 'inherit' } as const
  const installed = npm
    ? spawnSync(process.execPath, [npm, ...flags], options)
    : spawnSync('npm', flags, { ...options, shell: true })
  if (installed.status !== 0 || !isClickHouseEngineInstalled()) {
    console.error(
      'ClickHouse could not be installed. A server serves as well: CLICKHOUSE_URL=http://… npm run test:clickhouse',
    )
    process.exit(1)
  }
  fs.writeFileSync(stamp, wanted)
}
