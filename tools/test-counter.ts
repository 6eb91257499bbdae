import type { Reporter, TestModule } from 'vitest/node'

/** The results of one project, and its start and end (milliseconds of `performance.now()`). */
interface Part {
  readonly startedAt: number
  endedAt: number
  files: number
  passed: number
}

/**
 * Prints which project is running and counts results. A file that cannot be loaded and an error outside tests count as
 * failures too.
 */
export class TestCounter implements Reporter {
  passed = 0
  failed = 0
  skipped = 0
  /** Full names of tests that passed only at the second try: green, but to be investigated. */
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

  /** The results of each project and the second tries. The last line has the format that .ci/run reads. */
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

/** The project as vitest.config.ts names it; for browsers without the browser's name. */
function nameOfPart(module: TestModule): string {
  return module.project.name.replace(/ \(.*/, '')
}
