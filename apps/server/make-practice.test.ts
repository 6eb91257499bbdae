import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@pc/platform/clock.ts'
import { afterAll, expect, test } from 'vitest'
import { makePractice } from './make-practice.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-make-practice-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const source = path.join(folder, 'data')
fs.mkdirSync(source)

test('a folder of somebody else that has the name of an unfinished copy is left as it is', async () => {
  const into = path.join(folder, 'copy')
  const theirs = path.join(`${into}.making`, 'letter.txt')
  fs.mkdirSync(path.dirname(theirs))
  fs.writeFileSync(theirs, 'mine')
  await expect(makePractice({ source, into, clock: systemClock })).rejects.toThrow(`${into}.making`)
  expect(fs.readFileSync(theirs, 'utf8')).toBe('mine')
})

test('inside of the data folder a copy has the name that backups leave out, and no other', async () => {
  for (const name of ['rehearsal', 'practice/inner', 'objects/practice', '.']) {
    const into = path.join(source, name)
    await expect(makePractice({ source, into, clock: systemClock })).rejects.toThrow('backups')
  }
  // The one that they leave out gets further: to what there is to copy.
  const into = path.join(source, 'practice')
  await expect(makePractice({ source, into, clock: systemClock })).rejects.toThrow('nothing to back up')
  expect(fs.readdirSync(source)).toEqual([])
})
