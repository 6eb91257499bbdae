import { afterAll, expect, vi } from 'vitest'

/**
 * Fails a test file that leaves a change of the process behind: the files of one worker share a process and run one
 * after the other.
 */
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

/** libvips sets this when it is loaded. */
const OF_LIBRARIES = new Set(['VIPSHOME'])

/** Names only, because a variable may hold a secret. */
function changesSince(earlier: ReturnType<typeof stateOfProcess>): string[] {
  const now = stateOfProcess()
  const names = new Set([...Object.keys(earlier), ...Object.keys(now)])
  return [...names].filter(name => !OF_LIBRARIES.has(name) && Reflect.get(now, name) !== Reflect.get(earlier, name))
}
