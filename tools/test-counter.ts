import type { Reporter } from 'vitest/node'

/** Counts what a run really did: a file that could not be loaded and an error outside of tests are failures too. */
export class TestCounter implements Reporter {
  passed = 0
  failed = 0
  skipped = 0
  /** Full names of what passed only when it was tried again: green, and to be looked into. */
  readonly secondTries: string[] = []

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

  /** Names what needed a second try; the last line has the form that .ci/run reads. */
  summary(): string {
    const again = this.secondTries.map(name => `passed only at the second try: ${name}`)
    const counts = `${this.passed} passed, ${this.failed} failed${this.skipped > 0 ? `, ${this.skipped} skipped` : ''}`
    return [...again, counts].join('\n')
  }
}
