import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { IMPORT_LOCK_KEY } from '@pc/features/ingest/server/import-lock.ts'
import { readBatch, writeBankFile } from '@pc/features/payments/core/server/bank-file.ts'
import { hideSecrets } from '@pc/features/practice/server/hide-secrets.ts'
import { makePracticeAccounts } from '@pc/features/practice/server/practice-accounts.ts'
import { markSystem, reopenMonth } from '@pc/features/practice/server/reopen-month.ts'
import {
  isMarkedFolder,
  markFolder,
  NotPracticeError,
  removeCopy,
  workOnCopy,
} from '@pc/features/practice/server/work-on-copy.ts'
import { backUp, restore } from '@pc/platform/backup/back-up.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { openPostgres } from '@pc/platform/postgres/open-postgres.ts'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'
import { claimDataFolder } from './data-folder.ts'

/** Not copied, because it belongs to the original system: emails, audit anchors, contract files, secrets. */
const LEFT_BEHIND = [
  'outbox',
  'audit',
  'demo-password',
  'secrets.key',
  'objects/documents',
  'objects/uploads',
  'objects/upload-secret',
]

interface PracticeCopy {
  /** Data folder of the original system, running or not. It is only read. */
  readonly source: string
  /** A folder that does not exist yet. */
  readonly into: string
  readonly clock: Clock
}

/**
 * Creates a practice system from a copy of this one. The newest closed month is open again, and nothing in it contacts
 * anybody. An interrupted attempt leaves no practice system, and the next one starts over.
 */
export async function makePractice({ source, into, clock }: PracticeCopy): Promise<void> {
  if (isMarkedFolder(source)) throw new NotPracticeError(`${source} is a practice copy itself: name the real system.`)
  demandOutsideOfBackups(source, into)
  const making = makingFolder(into)
  removeUnfinished(making)
  fs.mkdirSync(making, { mode: 0o700 })
  // Marked first, so that whatever an interruption leaves is recognised as a copy.
  markFolder(making)
  const claim = claimDataFolder(making, 'practice')
  // A new name each time: the server of an interrupted attempt may still be stopping in the old one.
  const copy = path.join(making, randomBytes(4).toString('hex'))
  try {
    await copyFolder(source, copy)
    markFolder(copy)
    for (const name of LEFT_BEHIND) fs.rmSync(path.join(copy, name), { recursive: true, force: true })
    await prepareBooks(copy, clock)
    fs.renameSync(copy, path.resolve(into))
  } finally {
    claim.release()
    removeCopy(making)
  }
}

/**
 * Deletes a finished practice copy, which must not be running. An interrupted deletion is continued by the next
 * attempt.
 */
export function discardPractice(into: string): void {
  const making = makingFolder(into)
  removeUnfinished(making)
  fs.renameSync(into, making)
  removeCopy(making)
}

const makingFolder = (into: string) => `${path.resolve(into)}.making`

/**
 * Removes what an interrupted attempt has left; never anything but a copy.
 * @throws NotPracticeError when it is something else, AlreadyRunningError when another attempt is running
 */
function removeUnfinished(making: string): void {
  if (!fs.existsSync(making)) return
  const isNothing = fs.statSync(making).isDirectory() && fs.readdirSync(making).length === 0
  if (!isNothing && !isMarkedFolder(making))
    throw new NotPracticeError(
      `${making} is in the way and is no practice copy: move it away, or choose another --into.`,
    )
  if (!isNothing) claimDataFolder(making, 'practice').release()
  removeCopy(making)
}

/**
 * Backups leave out one name in the data folder. A copy elsewhere in it would be included, and grow with each backup.
 */
function demandOutsideOfBackups(source: string, into: string): void {
  const inside = path.relative(path.resolve(source), path.resolve(into))
  if (inside === 'practice' || inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) return
  throw new NotPracticeError(
    `${into} lies in the data folder, where backups would take it along: name a folder beside it.`,
  )
}

/**
 * Copies by a backup with a random key, so that what an interrupted copy leaves cannot be read. The next attempt
 * removes it.
 */
async function copyFolder(source: string, into: string): Promise<void> {
  const folder = makeTemporaryFolder()
  const archive = path.join(folder.path, 'copy.pcbackup')
  const key = randomBytes(32)
  try {
    await backUp(source, archive, { key, importLockKey: IMPORT_LOCK_KEY })
    await restore(archive, into, key)
  } finally {
    folder.remove()
  }
}

async function prepareBooks(dataDir: string, clock: Clock): Promise<void> {
  const postgres = await openPostgres({ dataDir, databaseUrl: undefined })
  try {
    await workOnCopy(dataDir, async client => {
      await markSystem(client, new Date(clock.now()))
      await reopenMonth(client)
      await hideSecrets(client)
      await makePracticeAccounts(client)
    })
    await renewFileHashes(dataDir, postgres.database)
  } finally {
    await postgres.close()
  }
}

/** Bank files of earlier months name changed (anonymised) accounts now, so their stored hashes are computed again. */
async function renewFileHashes(dataDir: string, database: Database): Promise<void> {
  const exported = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('transferBatches')
      .select('id')
      .where('kind', '=', 'bank_file')
      .where('fileSha256', 'is not', null)
      .orderBy('id')
      .execute(),
  )
  await workOnCopy(dataDir, async client => {
    for (const { id } of exported) {
      const batch = await database.inScope(SYSTEM, tx => readBatch(tx, id))
      const file = batch && writeBankFile(batch)
      if (file?.ok)
        await client.query('update transfer_batches set file_sha256 = $1 where id = $2', [file.value.sha256, id])
    }
  })
}
