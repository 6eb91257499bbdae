import fs from 'node:fs'
import { reasonOf } from '@pc/platform/start-checks.mjs'

/** Names of errors whose message is sufficient for the person at the terminal. */
export const SPOKEN_ERRORS: readonly string[] = [
  'ConfigError',
  'AlreadyRunning',
  'AlreadyRunningError',
  'DemoNotOnLoopbackError',
  'FolderError',
  'ListenError',
  'MigrationError',
  'StatsStoreError',
  'UsageError',
  'SealError',
]
/**
 * Messages of a full disk. After a partial write PostgreSQL only says "wrote only 4096 of 8192 bytes", with the hint to
 * check the space.
 */
const FULL_DISK =
  /\b(ENOSPC|EDQUOT|53100)\b|no space left on device|disk quota exceeded|out of disk|check free disk space|wrote only \d+ of \d+/i
const UNUSABLE_FOLDER = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']
/**
 * With less free space a failed start is blamed on the disk: a server without space for its log ends without a message.
 */
const FULL_BELOW_BYTES = 2_000_000

/** The text for a failed start, without a stack; undefined: an unexpected error whose stack is needed. */
export function spokenError(error: unknown, dataDir: string | undefined): string | undefined {
  const chain = causesOf(error)
  if (chain.some(({ code, message }) => FULL_DISK.test(`${code} ${message}`)) || isFull(dataDir)) {
    const place = dataDir === undefined ? '' : ` (DATA_DIR=${dataDir})`
    return `No space is left on the disk${place}: free some, then start again. What was begun is completed then.`
  }
  const spoken = chain.find(({ name }) => SPOKEN_ERRORS.includes(name))
  if (spoken) return spoken.message
  const unusable = chain.find(({ code, syscall }) => syscall !== undefined && UNUSABLE_FOLDER.includes(code ?? ''))
  return unusable && `DATA_DIR=${dataDir}: ${reasonOf(unusable)}`
}

function causesOf(error: unknown): NodeJS.ErrnoException[] {
  const chain: NodeJS.ErrnoException[] = []
  for (let one = error; one instanceof Error && chain.length < 10; one = one.cause) chain.push(one)
  return chain
}

function isFull(dataDir: string | undefined): boolean {
  if (dataDir === undefined || !fs.existsSync(dataDir)) return false
  const { bavail, bsize } = fs.statfsSync(dataDir)
  return bavail * bsize < FULL_BELOW_BYTES
}
