import { expect, test } from 'vitest'
import { spokenError } from './spoken-error.ts'

/** What each part says of a full disk depends on how much of the write still fitted. */
test.each([
  'ENOSPC: no space left on device, write',
  'could not write to file "pg_wal/xlogtemp.29": No space left on device',
  'FATAL:  could not extend file "base/1/1255": wrote only 4096 of 8192 bytes at block 30\nHINT:  Check free disk space.',
  'PANIC:  could not write to log file 000000010000000000000001 at offset 8192, length 16384: wrote only 4096 of 16384',
  'Disk quota exceeded',
])('names a full disk: %s', message => {
  const error = new Error('The embedded PostgreSQL could not make its cluster', { cause: new Error(message) })
  expect(spokenError(error, undefined)).toMatch(/^No space is left on the disk: free some/)
})

test('leaves another fault to its stack', () => {
  expect(spokenError(new Error('could not open file "base/1/1255"'), undefined)).toBeUndefined()
})
