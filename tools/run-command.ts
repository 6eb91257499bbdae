import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { ROOT } from './source-tree.ts'

export interface Finished {
  readonly ok: boolean
  /** Standard output and standard error in order. */
  readonly output: string
}

/** Installed tools, by the JavaScript file that starts them: the same on every system, without a shell. */
const TOOLS = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  tsc: 'node_modules/typescript/bin/tsc',
}

export function runTool(tool: keyof typeof TOOLS, ...args: string[]): Promise<Finished> {
  return runNode(TOOLS[tool], ...args)
}

/** Runs a script of the repository with the current Node and collects its output. */
export async function runNode(script: string, ...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path.join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // ipc: it sees "disconnect" when this process is killed
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      output += text
    })
  }
  return { ok: await succeeded(child), output }
}

function succeeded(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve(code === 0))
  })
}

/**
 * The launcher puts this process into a group of its own. When the launcher is interrupted or killed, the whole group
 * ends, so that no compiler, test worker or browser stays behind.
 */
export function stopWithLauncher(): void {
  const stop = (signal: NodeJS.Signals, code: number) => () => {
    process.removeAllListeners(signal)
    process.on(signal, () => {}) // the group includes this process, which ends with a code of its own
    try {
      process.kill(-process.pid, signal)
    } catch {
      // Started by hand, without the launcher: there is no such group.
    }
    process.exit(code)
  }
  process.on('SIGINT', stop('SIGTERM', 130))
  process.on('SIGTERM', stop('SIGTERM', 143))
  process.on('SIGHUP', stop('SIGTERM', 129))
  if (!process.channel) return
  process.on('disconnect', stop('SIGTERM', 143))
  process.channel.unref()
}
