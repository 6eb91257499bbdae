import { type ChildProcess, spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'

/** A program whose next process has already loaded its code when it is wanted: kills by the hundred stay cheap. */
export class WarmProcess {
  readonly #script: string
  #spare: ChildProcess

  constructor(script: string) {
    this.#script = script
    this.#spare = this.#load()
  }

  /** Begins the work with these arguments; the next process loads meanwhile. */
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

/** In the program, when it has loaded its code. */
export function argumentsOfWork(): Promise<readonly string[]> {
  // A process that is killed would not keep what it has compiled for the next one.
  flushCompileCache()
  // The parent that would have sent the work is gone.
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
