import fs from 'node:fs'
import path from 'node:path'
import { systemClock } from '@pc/platform/clock.ts'
import { makePractice } from '../../apps/server/make-practice.ts'
import { argumentsOfWork } from '../faults/warm-process.ts'

/**
 * A process that makes a practice copy of a system until it kills itself at a step, or is killed. Arguments: data
 * folder, folder of the copy, number of the step (0: none). A step is a change of the folders beside the copy, or of a
 * mark, on which the next attempt depends. Output: the number of steps.
 */
const [source = '', into = '', killAt = '0'] = await argumentsOfWork()
let steps = 0

function step(changed: unknown): void {
  const file = String(changed)
  const isBeside = path.dirname(file) === path.dirname(into) && path.basename(file).startsWith(path.basename(into))
  if (!isBeside && path.basename(file) !== 'practice-copy') return
  steps += 1
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

const real = { ...fs }
Object.assign(fs, {
  mkdirSync: (...args: Parameters<typeof real.mkdirSync>) => [step(args[0]), real.mkdirSync(...args)][1],
  renameSync: (...args: Parameters<typeof real.renameSync>) => [step(args[1]), real.renameSync(...args)][1],
  writeFileSync: (...args: Parameters<typeof real.writeFileSync>) => [step(args[0]), real.writeFileSync(...args)][1],
  rmSync: (...args: Parameters<typeof real.rmSync>) => [step(args[0]), real.rmSync(...args)][1],
  rmdirSync: (...args: Parameters<typeof real.rmdirSync>) => [step(args[0]), real.rmdirSync(...args)][1],
})

process.stdout.write('begin\n')
await makePractice({ source, into, clock: systemClock })
process.stdout.write(`end ${steps}\n`)
process.exit(0)
