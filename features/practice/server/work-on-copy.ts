import fs from 'node:fs'
import path from 'node:path'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'

/** A connection to the copy's own server as its administrator. */
export interface CopyClient {
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>
}

/** A file that exists only in data folders made as copies, from their first moment. */
const MARK_FILE = 'practice-copy'

export class NotPracticeError extends Error {
  override name = 'NotPracticeError'
}

/** Marks a new data folder as a practice copy. Throws when it already is one. */
export function markFolder(dataDir: string): void {
  fs.writeFileSync(path.join(dataDir, MARK_FILE), 'A practice copy: its books are changed at will.\n', { flag: 'wx' })
}

export const isMarkedFolder = (dataDir: string): boolean => fs.existsSync(path.join(dataDir, MARK_FILE))

/** Removes the mark last, so that an interrupted removal still leaves a folder known as a copy. */
export function removeCopy(folder: string): void {
  // A server started for the copy may still be shutting down and writing.
  for (const name of fs.readdirSync(folder).filter(each => each !== MARK_FILE))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  fs.rmSync(path.join(folder, MARK_FILE), { force: true })
  fs.rmdirSync(folder)
}

/**
 * Runs one transaction on the copy's server with the triggers off that protect finalised months. Foreign keys are
 * checked, and the triggers are on again before the transaction ends.
 * Tested by `apps/server/make-practice.test.ts`.
 * @throws NotPracticeError before anything is done, when the folder is not marked as a copy or its server keeps its
 * files elsewhere
 */
export async function workOnCopy(dataDir: string, work: (client: CopyClient) => Promise<void>): Promise<void> {
  if (!isMarkedFolder(dataDir)) throw new NotPracticeError(`${dataDir} is no practice copy: its books are not touched.`)
  const url = urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, 'postgres')
  if (url === undefined) throw new NotPracticeError(`The database of ${dataDir} does not run.`)
  await withClient(url, async client => {
    const copy: CopyClient = {
      async query<Row>(text: string, values?: readonly unknown[]) {
        const { rows } = await client.query(text, values === undefined ? [] : [...values])
        return { rows: rows as Row[] }
      },
    }
    await demandOwnServer(copy, dataDir)
    await client.query('begin')
    await client.query(switchTriggers('disable'))
    await work(copy)
    await client.query(switchTriggers('enable'))
    await client.query('commit')
  })
}

/**
 * The mark only describes a folder. The server knows which files it changes: through a link they could be those of the
 * real system.
 */
async function demandOwnServer(client: CopyClient, dataDir: string): Promise<void> {
  const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  if (rows[0]?.folder !== path.resolve(postgresFolder(dataDir), 'cluster'))
    throw new NotPracticeError(`The database of ${dataDir} lies in ${rows[0]?.folder}: it is no practice copy.`)
}

function switchTriggers(to: 'enable' | 'disable'): string {
  return `do $$ declare name text; begin
    for name in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'public' loop
      execute 'alter table ' || name || ' ${to} trigger user';
    end loop; end $$`
}

/** @throws NotPracticeError when no row marks this as a practice system; nothing is done then */
export async function demandPractice(client: CopyClient): Promise<{ readonly month: number }> {
  const { rows } = await client.query<{ month: number }>('select month from practice_system')
  const [row] = rows
  if (!row) throw new NotPracticeError('This database is no practice system: its months stay as they are.')
  return row
}
