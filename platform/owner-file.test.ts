import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claimOwnerFile } from './owner-file.ts'
import { thisProcess } from './process-identity.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-owner-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('the first living process owns; what a dead one left, or half a file, is replaced', () => {
  const file = path.join(folder, 'owner.json')
  const dead = { pid: spawnSync('true').pid, startedAt: '1' }
  for (const left of [JSON.stringify(dead), '', '{"pid":']) {
    fs.writeFileSync(file, left)
    const stale: unknown[] = []
    expect(claimOwnerFile(file, thisProcess(), owner => stale.push(owner))).toBeUndefined()
    expect(stale).toEqual(left.endsWith('}') ? [dead] : [])
    expect(claimOwnerFile(file, { pid: 1, startedAt: '0' })).toEqual(thisProcess())
  }
  expect(fs.readdirSync(folder)).toEqual(['owner.json'])
})
