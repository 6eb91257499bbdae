import fs from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveEntry } from './archive-entries.ts'
import { ArchiveError, type ArchiveSecret, readArchive, writeArchive } from './archive-file.ts'
import { clusterEntries, withoutImports } from './cluster-backup.ts'
import { folderEntries } from './folder-entries.ts'

export interface BackupReport {
  readonly files: number
  readonly bytes: number
}

/**
 * Writes everything that the embedded parts store into one file, whether or not the system runs. Imports of deliveries
 * wait meanwhile; everything else continues. The archive contains all that was committed before the call. @param
 * importLockKey the advisory lock under which imports change the ledger and the statistics store
 */
export async function backUp(
  dataDir: string,
  target: string,
  options: { readonly key: ArchiveSecret | undefined; readonly importLockKey: number },
): Promise<BackupReport> {
  if (!fs.existsSync(path.join(dataDir, 'postgres/cluster')))
    throw new ArchiveError(`There is nothing to back up in ${dataDir}: DATA_DIR names another folder, or it is empty.`)
  if (fs.existsSync(target)) throw new ArchiveError(`${target} exists already: choose another name.`)
  if (!path.relative(path.resolve(dataDir), path.resolve(target)).startsWith('..'))
    throw new ArchiveError(`${target} lies in the data folder itself: a backup belongs somewhere else.`)
  let files = 0
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    for await (const entry of allEntries(dataDir)) {
      if (entry.kind === 'file') files += 1
      yield entry
    }
  }
  const bytes = await withoutImports(dataDir, options.importLockKey, () => writeArchive(target, options.key, entries()))
  return { files, bytes }
}

async function* allEntries(dataDir: string): AsyncGenerator<ArchiveEntry> {
  yield { kind: 'folder', path: 'postgres' }
  yield* clusterEntries(dataDir)
  // After the database: every file that a row names exists by then.
  yield* folderEntries(dataDir, '', relative => NOT_KEPT.test(relative))
}

/**
 * Left out: files of this machine or process, the cluster (copied above), temporary files, and the copy of `npm run
 * practice`.
 */
const NOT_KEPT = /^(run|practice(\.[a-z]+)*|postgres|ingest\/(work|uploads)|stats\/.*\.tmp)(\/|$)/

/**
 * Creates a data folder from an archive. The next start with DATA_DIR set to it replays PostgreSQL's write-ahead log
 * and compares the statistics store with the ledger.
 */
export async function restore(
  source: string,
  into: string,
  key: ArchiveSecret | undefined,
): Promise<{ files: number }> {
  if (fs.existsSync(into) && fs.readdirSync(into).length > 0)
    throw new ArchiveError(`${into} is not empty: a backup is restored into a new folder.`)
  fs.mkdirSync(path.dirname(path.resolve(into)), { recursive: true })
  // Under a draft name first: an interrupted restore never looks like a data folder.
  const draft = `${path.resolve(into)}.restoring`
  fs.rmSync(draft, { recursive: true, force: true })
  fs.mkdirSync(draft, { mode: 0o700 })
  const files: string[] = []
  const folders = new Set([draft])
  try {
    for await (const entry of readArchive(source, key)) {
      const place = path.join(draft, ...entry.path.split('/'))
      const home = entry.kind === 'folder' ? place : path.dirname(place)
      fs.mkdirSync(home, { recursive: true, mode: 0o700 })
      folders.add(home)
      if (entry.kind === 'folder') continue
      files.push(place)
      const file = fs.openSync(place, 'wx', 0o600)
      try {
        for await (const chunk of entry.content) fs.writeSync(file, chunk)
      } finally {
        fs.closeSync(file)
      }
    }
    await syncAll([...files, ...folders])
    fs.rmSync(into, { recursive: true, force: true })
    fs.renameSync(draft, path.resolve(into))
    await syncAll([path.dirname(path.resolve(into))])
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    throw error
  }
  return { files: files.length }
}

/**
 * Parallel fsync calls share commits of the file system's journal. One after the other, thousands of files would each
 * wait for their own.
 */
const SYNCED_AT_A_TIME = 32

async function syncAll(places: readonly string[]): Promise<void> {
  const waiting = [...places]
  const worker = async () => {
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      await using file = await open(place, 'r')
      await file.sync()
    }
  }
  await Promise.all(Array.from({ length: SYNCED_AT_A_TIME }, worker))
}
