import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkTree } from './check-boundaries.ts'

let root: string
const write = (file: string, source: string) => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), source)
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'boundaries-'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  write('.gitignore', 'node_modules/\ndata/\n')
  write('domain/day.ts', 'export const day = 1\n')
  write('node_modules/thing/index.js', '')
  write('data/run/notes.js', '')
})
afterEach(() => fs.rmSync(root, { recursive: true }))

test('new files count before they are tracked; what git ignores at the root does not', () => {
  expect(checkTree(root)).toEqual({ violations: [], modules: 1, unseen: [] })
})

test('a module that .gitignore hides is missed, and said to be', () => {
  write('domain/data/rate.ts', 'export const rate = Date.now()\n')
  expect(checkTree(root).unseen).toEqual(['domain/data/rate.ts'])
})

test('a file that was deleted but not yet committed is no module', () => {
  execFileSync('git', ['add', '-A'], { cwd: root })
  fs.rmSync(path.join(root, 'domain/day.ts'))
  expect(checkTree(root).modules).toBe(0)
})
