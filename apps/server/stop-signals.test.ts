import { openLog } from '@pc/platform/log.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { stopOnSignals } from './stop-signals.ts'

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect', 'uncaughtException', 'unhandledRejection'] as const
const before = new Map(EVENTS.map(name => [name, process.listeners(name as 'SIGINT')]))

afterEach(() => {
  vi.useRealTimers()
  for (const [name, kept] of before)
    for (const added of process.listeners(name as 'SIGINT'))
      if (!kept.includes(added)) process.removeListener(name, added)
})

test('signals of one moment are one request to stop; a later one exits at once', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  let stops = 0
  stopOnSignals(() => {
    stops += 1
    return new Promise(() => {})
  }, openLog('silent'))
  const send = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => process.listeners(signal).at(-1)?.(signal)
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const) send(signal)
  vi.advanceTimersByTime(1_900)
  send('SIGTERM')
  expect([stops, exit.mock.calls]).toEqual([1, []])
  vi.advanceTimersByTime(200)
  send('SIGINT')
  expect([stops, exit.mock.calls]).toEqual([1, [[130]]])
})
