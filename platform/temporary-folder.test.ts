import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { identityOf, thisProcess } from './process-identity.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-parent-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

let parent: string
beforeEach(() => {
  parent = fs.mkdtempSync(path.join(root, 'case-'))
})

const DEAD = { pid: spawnSync('true').pid, startedAt: '1' }
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000)

/** What a process left, with a file of its own inside; without `owner` before that was written. */
function left(name: string, owner?: unknown): string {
  const folder = path.join(parent, name)
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'data'), 'kept')
  if (owner !== undefined) fs.writeFileSync(path.join(folder, 'run.json'), JSON.stringify(owner))
  return folder
}
const others = (made: { readonly path: string }) =>
  fs
    .readdirSync(parent)
    .filter(name => path.join(parent, name) !== made.path)
    .sort()

test('removes what a process left that is dead, or whose id another one has now', () => {
  left('pc-temporary-dead', DEAD)
  left('pc-temporary-reused', { ...thisProcess(), startedAt: '1' })
  const made = makeTemporaryFolder(undefined, parent)
  expect(others(made)).toEqual([])
  expect(JSON.parse(fs.readFileSync(path.join(made.path, 'run.json'), 'utf8'))).toEqual(thisProcess())
  made.remove()
  expect(fs.readdirSync(parent)).toEqual([])
})

test('keeps folders of living processes, and everything with another name', () => {
  left('pc-temporary-living', identityOf(process.ppid))
  left('something-else', DEAD)
  const first = makeTemporaryFolder(undefined, parent)
  const second = makeTemporaryFolder(undefined, parent)
  expect(fs.existsSync(first.path)).toBe(true)
  first.remove()
  expect(others(second)).toEqual(['pc-temporary-living', 'something-else'])
  second.remove()
})

test('keeps folders of another user, and what a link points to', () => {
  const target = left('target', DEAD)
  fs.symlinkSync(target, path.join(parent, 'pc-temporary-link'))
  const foreign = left('pc-temporary-foreign', DEAD)
  const uid = vi.spyOn(process, 'getuid').mockReturnValue(fs.statSync(foreign).uid + 1)
  makeTemporaryFolder(undefined, parent).remove()
  expect(fs.readdirSync(parent).sort()).toEqual(['pc-temporary-foreign', 'pc-temporary-link', 'target'])
  uid.mockRestore()
  makeTemporaryFolder(undefined, parent).remove()
  expect(fs.readdirSync(parent).sort()).toEqual(['pc-temporary-link', 'target'])
  expect(fs.readFileSync(path.join(target, 'data'), 'utf8')).toBe('kept')
})

test('without an owner a folder is removed once it is old: at first it is just being made', () => {
  left('pc-temporary-new')
  fs.utimesSync(left('pc-temporary-old'), AN_HOUR_AGO, AN_HOUR_AGO)
  const made = makeTemporaryFolder(undefined, parent)
  expect(others(made)).toEqual(['pc-temporary-new'])
  made.remove()
})
