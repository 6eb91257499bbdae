import { spawn } from 'node:child_process'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** A command with words or options that it does not know; what it would do is tested where that is done. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  audit: ['mend'],
  backup: ['a.archive', 'b.archive'],
  db: ['mend'],
  'explain-access': ['sato@example.jp'],
  'first-admin': ['--address', 'sato@example.jp'],
  practice: ['--address', 'sato@example.jp'],
  'reset-limits': ['sato@example.jp', '203.0.113.7'],
  restore: ['a.archive'],
  token: ['--address', 'sato@example.jp'],
}

test.each(Object.entries(REFUSED))(
  '%s refuses what it does not know, says how it is used and touches nothing',
  async (name, words) => {
    const file = path.join(import.meta.dirname, `${name}.ts`)
    // The folder does not exist: a command that opened it before reading its arguments would fail differently.
    const env = { ...process.env, DATA_DIR: path.join(import.meta.dirname, 'no-such-folder'), DATABASE_URL: undefined }
    const child = spawn(process.execPath, [file, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, code] = await Promise.all([
      buffer(child.stderr),
      new Promise<number | null>(resolve => child.on('exit', resolve)),
    ])
    expect(said.toString()).toContain(`npm run ${name === 'token' ? '-s token' : name}`)
    expect(code).toBe(2)
  },
)
