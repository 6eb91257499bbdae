import { type ChildProcess, spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'

/**
 * Starts a program ahead, so that its code is loaded before the process is needed. Killing hundreds of processes stays
 * cheap.
 */
export class WarmProcess {
  readonly #script: string
  #spare: ChildProcess

  constructor(script: string) {
    this.#script = script
    this.#spare = this.#load()
  }

  /** Starts the work with these arguments; meanwhile the next process loads. */
  take(args: readonly string[]): ChildProcess {
    const taken = this.#spare
    taken.send(args)
    this.#spare = this.#load()
    return taken
  }

  #load(): ChildProcess {
    return spawn(process.execPath, ['--no-warnings', this.#script], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  }

  end(): void {
    this.#spare.kill('SIGKILL')
  }
}

/** Called by the program once its code is loaded; resolves with the arguments of the work. */
export function argumentsOfWork(): Promise<readonly string[]> {
  // A killed process would not store its compiled code for the next one.
  flushCompileCache()
  // The parent has ended, so no work will come.
  const leave = () => process.exit()
  process.once('disconnect', leave)
  return new Promise(resolve =>
    process.once('message', (args: readonly string[]) => {
      process.off('disconnect', leave)
      process.disconnect()
      resolve(args)
    }),
  )
}
