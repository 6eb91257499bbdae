import type { Reporter, TestModule } from 'vitest/node'

/** What one project did, and from when to when (milliseconds of `performance.now()`). */
interface Part {
  readonly startedAt: number
  endedAt: number
  files: number
  passed: number
}

/**
 * Says which project is running, and counts what a run really did: a file that could not be loaded and an error outside of
 * tests are failures too.
 */
export class TestCounter implements Reporter {
  passed = 0
  failed = 0
  skipped = 0
  /** Full names of what passed only when it was tried again: green, and to be looked into. */
  readonly secondTries: string[] = []
  readonly #parts = new Map<string, Part>()

  onTestModuleQueued: NonNullable<Reporter['onTestModuleQueued']> = module => {
    const name = nameOfPart(module)
    if (this.#parts.has(name)) return
    this.#parts.set(name, { startedAt: performance.now(), endedAt: performance.now(), files: 0, passed: 0 })
    console.log(`\n-- ${name}`)
  }

  onTestModuleEnd: NonNullable<Reporter['onTestModuleEnd']> = module => {
    const part = this.#parts.get(nameOfPart(module))
    if (!part) return
    part.endedAt = performance.now()
    part.files += 1
    for (const _test of module.children.allTests('passed')) part.passed += 1
  }

  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandledErrors, reason) => {
    for (const module of modules) {
      const failedBefore = this.failed
      for (const test of module.children.allTests()) {
        this.#count(test.result().state)
        if (test.diagnostic()?.flaky) this.secondTries.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
      if (module.state() === 'failed' && this.failed === failedBefore) this.failed += 1
    }
    this.failed += unhandledErrors.length
    if (reason === 'interrupted' && this.failed === 0) this.failed = 1
    if (this.passed + this.failed + this.skipped === 0) this.failed = 1 // nothing ran: a wrong path is no success
  }

  #count(state: 'passed' | 'failed' | 'skipped' | 'pending'): void {
    if (state === 'passed') this.passed += 1
    else if (state === 'skipped') this.skipped += 1
    else this.failed += 1 // pending: it never came to an end
  }

  /** What each project did; what needed a second try; the last line has the form that .ci/run reads. */
  summary(): string {
    const parts = [...this.#parts].map(([name, { startedAt, endedAt, files, passed }]) => {
      const seconds = Math.round((endedAt - startedAt) / 1000)
      return `${name.padEnd(8)} ${String(files).padStart(4)} files ${String(passed).padStart(6)} passed ${String(seconds).padStart(5)} s`
    })
    const again = this.secondTries.map(name => `passed only at the second try: ${name}`)
    const counts = `${this.passed} passed, ${this.failed} failed${this.skipped > 0 ? `, ${this.skipped} skipped` : ''}`
    return [...parts, ...again, counts].join('\n')
  }
}

/** The project as vitest.config.ts names it; of a browser without its kind. */
function nameOfPart(module: TestModule): string {
  return module.project.name.replace(/ \(.*/, '')
}
