import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { buildWhenStale } from './front-end-build.ts'
import { ROOT } from './source-tree.ts'

/**
 * Runs the system as `npm start` does and keeps it up to date: a change of the server or the domain restarts the server
 * (which builds stale front ends), a change of a front end alone rebuilds that. Reload the page to see it.
 */
const ONLY_WEB = /^(ui|features\/[^/]+\/web|apps\/(?!server\/)[^/]+)\/(?!dist\/).*(?<!\.gen\.ts)(?<!\.test\.tsx?)$/
/** Changes that follow each other within this time are built together. */
const QUIET_MS = 150

const server = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--watch',
    '--watch-preserve-output',
    'apps/server/commands/start.ts',
  ].concat(process.argv.slice(2)),
  { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
)
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
const stop = () => server.kill('SIGTERM')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
process.on('disconnect', stop)

let timer: NodeJS.Timeout | undefined
let building = Promise.resolve()
for (const folder of ['ui', 'features', 'apps']) {
  fs.watch(path.join(ROOT, folder), { recursive: true }, (_event, name) => {
    if (name === null || !ONLY_WEB.test(`${folder}/${name.replaceAll(path.sep, '/')}`)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      building = building.then(build)
    }, QUIET_MS)
  })
}

async function build(): Promise<void> {
  const start = performance.now()
  try {
    const result = await buildWhenStale()
    if (result === 'built') console.log(`[dev] front ends built in ${Math.round(performance.now() - start)} ms`)
  } catch (error) {
    console.error(`[dev] ${error instanceof Error ? error.message : error}`)
  }
}
