import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isMarkedFolder, markFolder } from '@pc/features/practice/server/work-on-copy.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { afterAll, expect, test } from 'vitest'
import { claimDataFolder } from './data-folder.ts'
import { discardPractice, makePractice } from './make-practice.ts'

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

test('what an interrupted attempt left does not stop the next one; an attempt that goes on does', async () => {
  const into = path.join(folder, 'again')
  const making = `${into}.making`
  const attempt = () => expect(makePractice({ source, into, clock: systemClock })).rejects
  // Killed before anything was in it, and later.
  fs.mkdirSync(making)
  await attempt().toThrow('nothing to back up')
  expect(fs.existsSync(making)).toBe(false)
  fs.mkdirSync(path.join(making, 'a1b2c3d4/postgres'), { recursive: true })
  markFolder(making)
  await attempt().toThrow('nothing to back up')
  expect(fs.existsSync(making)).toBe(false)

  fs.mkdirSync(making)
  markFolder(making)
  const other = claimDataFolder(making, 'practice')
  await attempt().toThrow('already running')
  expect(isMarkedFolder(making)).toBe(true)
  other.release()
  await attempt().toThrow('nothing to back up')
})

test('a copy is thrown away whole, also after its removal was interrupted', () => {
  const into = path.join(folder, 'finished')
  const make = () => {
    fs.mkdirSync(path.join(into, 'postgres/cluster'), { recursive: true })
    markFolder(into)
  }
  make()
  discardPractice(into)
  expect(fs.readdirSync(folder).filter(name => name.startsWith('finished'))).toEqual([])
  // A part of the last one is still there, known as a copy.
  fs.mkdirSync(`${into}.making`)
  markFolder(`${into}.making`)
  make()
  discardPractice(into)
  expect(fs.readdirSync(folder).filter(name => name.startsWith('finished'))).toEqual([])
})
