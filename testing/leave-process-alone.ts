import { afterAll, expect, vi } from 'vitest'

/** Test files of one worker run in the same process, one after the other: what a file changes of it, it puts back. */
const before = stateOfProcess()
afterAll(() =>
  expect(changesSince(before), 'what this test file changed of its process and did not put back').toEqual([]),
)

function stateOfProcess() {
  return {
    ...process.env,
    '(folder)': process.cwd(),
    '(exit code)': process.exitCode,
    '(false timers)': vi.isFakeTimers(),
  }
}

/** libvips notes where it lies when it is loaded. */
const OF_LIBRARIES = new Set(['VIPSHOME'])

/** Names only: a variable may hold a secret. */
function changesSince(earlier: ReturnType<typeof stateOfProcess>): string[] {
  const now = stateOfProcess()
  const names = new Set([...Object.keys(earlier), ...Object.keys(now)])
  return [...names].filter(name => !OF_LIBRARIES.has(name) && Reflect.get(now, name) !== Reflect.get(earlier, name))
}
