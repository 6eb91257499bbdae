import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { startBucketServer } from '@pc/testing/bucket-server.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bucketFiles } from '../objects/bucket-files.ts'
import { writeAnchor } from './anchor-file.ts'
import { type AnchorStore, anchorFile, bucketAnchors, folderAnchors } from './anchor-store.ts'
import { describeVerdict } from './describe-verdict.ts'
import { type Change, recordChange, systemActor } from './record-change.ts'
import { verifyAuditChain } from './verify-audit-chain.ts'

const UID = '01900000-0000-7000-8000-000000000001'
const ACTOR = { uid: UID, actingAsUid: null, sourceAddress: '192.0.2.7', requestId: 'r-1' }
const change = (rowId: string, after: object = { name: '契約' }): Change => ({
  action: 'create',
  resource: 'insight:agreement.',
  rowId,
  before: null,
  after,
})
const folders: string[] = []
const dataFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-audit-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})

function append(database: Database, ...changes: Change[]) {
  return database.inScope(SYSTEM, tx => recordChange(tx, ACTOR, ...changes))
}

describe('the audit log', () => {
  let test1: TestDatabase
  beforeAll(async () => {
    test1 = await testDatabase({ maxConnections: 10 })
  })
  afterAll(() => test1?.drop())

  test('takes more rows at once than one statement has parameters for, in their order', async () => {
    const large = await testDatabase()
    try {
      const changes = Array.from({ length: 8_500 }, (_, n) => change(`many${n}`, { n }))
      await append(large.database, ...changes)
      const rows = await large.database.inScope(SYSTEM, tx =>
        tx.selectFrom('auditLog').select(['seq', 'rowId']).orderBy('seq').execute(),
      )
      expect(rows.map(row => row.rowId)).toEqual(changes.map(each => each.rowId))
      expect(rows.at(-1)?.seq).toBe(8_500n)
      const folder = dataFolder()
      await writeAnchor(large.database, folderAnchors(folder))
      expect(await verifyAuditChain(large.database, folderAnchors(folder))).toMatchObject({
        rows: 8_500n,
        problems: [],
      })
    } finally {
      await large.drop()
    }
  })

  test('has no gaps under concurrency, also when transactions give up', async () => {
    const { database } = test1
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database
          .inScope(SYSTEM, async tx => {
            await recordChange(tx, ACTOR, change(`c${n}`), change(`c${n}b`))
            if (n % 4 === 0) throw new Error('gives up')
          })
          .catch(() => {}),
      ),
    )
    const rows = await database.inScope(SYSTEM, tx => tx.selectFrom('auditLog').select('seq').orderBy('seq').execute())
    expect(rows.map(row => row.seq)).toEqual(Array.from({ length: 60 }, (_, n) => BigInt(n + 1)))
    const folder = dataFolder()
    await writeAnchor(database, folderAnchors(folder))
    expect(await verifyAuditChain(database, folderAnchors(folder))).toMatchObject({
      rows: 60n,
      anchoredUpTo: 60n,
      problems: [],
    })
  })

  test('masks account numbers and secrets', async () => {
    await append(
      test1.database,
      change('masked', {
        number: '1234567',
        bankAccount: { number: '7654321', holder: 'カ)テスト' },
        passwordHash: 'argon2',
        inviteToken: 'abc',
        amountYen: 9_007_199_254_740_993n,
        at: new Date('2026-01-01T00:00:00Z'),
      }),
    )
    const row = await test1.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').select('after').where('rowId', '=', 'masked').executeTakeFirstOrThrow(),
    )
    expect(row.after).toEqual({
      number: '****567',
      bankAccount: { number: '****321', holder: 'カ)テスト' },
      passwordHash: '[hidden]',
      inviteToken: '[hidden]',
      amountYen: '9007199254740993',
      at: '2026-01-01T00:00:00.000Z',
    })
  })

  const tenant: Scope = { kind: 'organization', uid: UID, organizationId: 1n }
  test('is appended to by a tenant in its own name only, and read by none', async () => {
    const { database } = test1
    await database.inScope(tenant, tx => recordChange(tx, ACTOR, change('tenant')))
    const seen = await database.inScope(tenant, tx => tx.selectFrom('auditLog').selectAll().execute())
    expect(seen).toEqual([])
    const other = { ...ACTOR, uid: '01900000-0000-7000-8000-000000000002' }
    await expect(database.inScope(tenant, tx => recordChange(tx, other, change('x')))).rejects.toThrow(/policy/)
    await expect(database.inScope(tenant, tx => recordChange(tx, systemActor('x'), change('x')))).rejects.toThrow()
  })

  test.each([
    ['change a row', sql`update audit_log set action = 'x'`],
    ['remove a row', sql`delete from audit_log`],
    ['empty it', sql`truncate audit_log`],
    [
      'choose the number',
      sql`insert into audit_log (seq, source_address, request_id, action, resource_name, row_id) values (1, '', '', '', '', '')`,
    ],
    [
      'choose the time',
      sql`insert into audit_log (at, source_address, request_id, action, resource_name, row_id) values (now(), '', '', '', '', '')`,
    ],
    ['move the head', sql`update audit_head set seq = 0`],
    ['switch the triggers off', sql`alter table audit_log disable trigger all`],
    ['remove the triggers', sql`drop trigger audit_log_keep on audit_log`],
    ['leave its role', sql`set session_replication_role = replica`],
  ])('the application cannot %s', async (_name, statement) => {
    await expect(test1.database.inScope(SYSTEM, tx => statement.execute(tx))).rejects.toThrow(
      /permission denied|must be owner|append-only/,
    )
  })

  test('not even a superuser changes or removes a row, while the triggers are there', async () => {
    for (const statement of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log']) {
      await withClient(test1.adminUrl, client => expect(client.query(statement)).rejects.toThrow(/append-only/))
    }
  })
})

/** What a superuser can do who switches the triggers off; the anchor file is out of reach. */
const REHASH = `do $$ declare r record; p bytea := sha256('publisher-center audit log'); n bigint := 0; begin
  for r in select * from audit_log order by seq loop
    n := n + 1;
    r.seq := n;
    update audit_log set seq = n, previous_hash = p,
      hash = sha256(p || convert_to(app.audit_row_text((select row(n, a.at, a.actor_uid, a.acting_as_uid, a.source_address,
        a.request_id, a.action, a.resource_name, a.row_id, a.before, a.after, a.previous_hash, a.hash)::audit_log
        from audit_log a where a.ctid = (select ctid from audit_log where row_id = r.row_id))), 'UTF8'))
      where row_id = r.row_id returning hash into p;
  end loop;
  update audit_head set seq = n, hash = p;
end $$`
const TAMPERINGS: readonly (readonly [string, string | ((folder: string) => void), RegExp])[] = [
  ['a changed value', `update audit_log set after = '{"name": "別"}' where seq = 3`, /row 3: was changed/],
  ['a changed actor', `update audit_log set actor_uid = null where seq = 3`, /row 3: was changed/],
  ['a row taken out', 'delete from audit_log where seq = 4', /rows 4 to 4: are missing/],
  [
    'a row put in at the end',
    `insert into audit_log select 9, at, actor_uid, acting_as_uid, source_address, request_id, action, resource_name, 'forged',
      before, after, hash, hash from audit_log where seq = 8`,
    /row 9: was changed/,
  ],
  [
    'two rows swapped',
    'update audit_log set seq = -seq where seq in (2, 3); update audit_log set seq = case seq when -2 then 3 else 2 end where seq < 0',
    /row 2: does not follow/,
  ],
  [
    'an end cut off, head and all',
    `delete from audit_log where seq > 6; update audit_head set seq = 6, hash = (select hash from audit_log where seq = 6)`,
    /ends at row 6, the anchor file remembers row 8/,
  ],
  ['a recomputed chain', `update audit_log set row_id = 'other' where seq = 2; ${REHASH}`, /the log was rewritten/],
  [
    'an emptied log',
    `delete from audit_log; update audit_head set seq = 0, hash = sha256('publisher-center audit log')`,
    /the anchor file remembers row 8/,
  ],
  ['another head', `update audit_head set seq = 7`, /the head of the chain says 7/],
  ['a removed anchor file', folder => fs.rmSync(anchorFile(folder)), /missing or empty/],
  [
    'a line taken out of the anchor file',
    folder => fs.writeFileSync(anchorFile(folder), fs.readFileSync(anchorFile(folder), 'utf8').replace(/^.*\n/, '')),
    /does not follow from the line before/,
  ],
]

/** A log of two times four rows with two anchors, as a superuser with the triggers off leaves it. */
async function afterTampering(tampering: string | ((folder: string) => void)) {
  const own = await testDatabase({ maxConnections: 2 })
  const folder = dataFolder()
  for (const part of [1, 2]) {
    for (let n = 1; n <= 4; n += 1) await append(own.database, change(`${part}-${n}`))
    await writeAnchor(own.database, folderAnchors(folder))
  }
  const { problems, confirmed } = await verifyAuditChain(own.database, folderAnchors(folder))
  expect(problems).toEqual([])
  for (let n = 1; n <= 3; n += 1) await append(own.database, change(`later-${n}`))
  await writeAnchor(own.database, folderAnchors(folder))
  if (typeof tampering === 'string')
    await withClient(own.adminUrl, client => client.query(`set session_replication_role = replica; ${tampering}`))
  else tampering(folder)
  return { own, folder, confirmed }
}

test('anchors in a bucket: a clock that is behind puts no line before others, and a line costs no reading of all days', async () => {
  const own = await testDatabase()
  const bucket = await startBucketServer()
  try {
    const anchors = bucketAnchors(bucketFiles(bucket.objectsUrl, 'audit'))
    const at = (time: string): AnchorStore => ({
      ...anchors,
      append: (line, _at, after) => anchors.append(line, new Date(time), after),
    })
    for (const time of ['2026-01-01T09:00:00Z', '2026-01-02T09:00:00Z', '2026-01-03T00:00:00Z']) {
      await append(own.database, change(time))
      await writeAnchor(own.database, at(time))
    }
    await append(own.database, change('behind'))
    bucket.requests.splice(0)
    await writeAnchor(own.database, at('2026-01-02T23:59:59Z'))
    expect(bucket.requests.filter(request => /GET audit.*01-0[12]/.test(request))).toEqual([])
    expect(await verifyAuditChain(own.database, anchors)).toMatchObject({ anchoredUpTo: 4n, problems: [] })
  } finally {
    bucket.close()
    await own.drop()
  }
})

test('anchors in a bucket: a process that lost its lock while the bucket was silent adds nothing behind the next one', async () => {
  const own = await testDatabase()
  const bucket = await startBucketServer()
  try {
    const anchors = bucketAnchors(bucketFiles(bucket.objectsUrl, 'audit'))
    const loseLock = () =>
      withClient(own.adminUrl, client =>
        client.query(`select pg_terminate_backend(l.pid, 5000) from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and d.datname = current_database()`),
      )
    await append(own.database, change('first'))
    await writeAnchor(own.database, anchors)
    for (const stalled of ['lastLine', 'append'] as const) {
      await append(own.database, change(`before ${stalled}`))
      const other = async () => {
        await loseLock()
        await append(own.database, change(`meanwhile ${stalled}`))
        await writeAnchor(own.database, anchors)
      }
      const slow: AnchorStore = {
        ...anchors,
        async lastLine() {
          const last = await anchors.lastLine()
          if (stalled === 'lastLine') await other()
          return last
        },
        async append(line, at, after) {
          if (stalled === 'append') await other()
          await anchors.append(line, at, after)
        },
      }
      await expect(writeAnchor(own.database, slow)).rejects.toThrow()
    }
    expect(await verifyAuditChain(own.database, anchors)).toMatchObject({ anchoredUpTo: 5n, problems: [] })
  } finally {
    bucket.close()
    await own.drop()
  }
})

test('anchors in a bucket: several processes write one line, days follow each other, and what is taken out is missed', async () => {
  const own = await testDatabase({ maxConnections: 6 })
  const bucket = await startBucketServer()
  try {
    const open = () => bucketAnchors(bucketFiles(bucket.objectsUrl, 'audit'))
    const atMidnight: AnchorStore = {
      ...open(),
      append: (line, _at, after) => open().append(line, new Date('2026-01-01T00:00:00Z'), after),
    }
    await append(own.database, change('before'))
    await writeAnchor(own.database, atMidnight)
    await append(own.database, change('first'))
    await writeAnchor(own.database, atMidnight)
    await append(own.database, change('next day'))
    const written = await Promise.all(Array.from({ length: 5 }, () => writeAnchor(own.database, open())))
    expect(written.filter(anchor => anchor !== undefined)).toHaveLength(1)
    expect(await verifyAuditChain(own.database, open())).toMatchObject({ rows: 3n, anchoredUpTo: 3n, problems: [] })
    const [day = ''] = bucket.keys()
    expect([bucket.keys().length, day]).toEqual([2, 'audit/2026-01-01.ndjson'])
    const lines = String(bucket.get(day)).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    bucket.set(day, Buffer.from(`${lines[0]}\n`))
    const { problems } = await verifyAuditChain(own.database, open())
    expect(problems).toEqual(['anchor file, line 2: does not follow from the line before'])
  } finally {
    bucket.close()
    await own.drop()
  }
})

describe('a reading that goes on from what was confirmed', () => {
  test('reads the rows after it, and says the same', async () => {
    const { own, folder, confirmed } = await afterTampering(() => {})
    try {
      expect(confirmed).toMatchObject({ lines: 2, last: { seq: 8n } })
      const further = await verifyAuditChain(own.database, folderAnchors(folder), confirmed)
      expect(further).toEqual(await verifyAuditChain(own.database, folderAnchors(folder)))
      expect(further).toMatchObject({ rows: 11n, anchoredUpTo: 11n, problems: [], confirmed: { lines: 3 } })
    } finally {
      await own.drop()
    }
  })

  const forged = (folder: string, forgery: Record<string, string>, at: number) => {
    const lines = fs.readFileSync(anchorFile(folder), 'utf8').trim().split('\n')
    const written: string[] = []
    for (const [index, text] of lines.entries()) {
      const line = JSON.parse(text) as Record<string, string>
      if (index === at) Object.assign(line, forgery)
      const before = written.at(-1)
      line.previousLine = before === undefined ? '' : createHash('sha256').update(before).digest('hex')
      written.push(JSON.stringify(line))
    }
    fs.writeFileSync(anchorFile(folder), `${written.join('\n')}\n`)
  }
  const FOUND: readonly (readonly [string, string | ((folder: string) => void), RegExp])[] = [
    ['a changed value after it', `update audit_log set after = '{"name": "別"}' where seq = 9`, /row 9: was changed/],
    ['a changed value in its last row', `update audit_log set action = 'x' where seq = 8`, /row 8: is not the one/],
    ['its last row taken out', 'delete from audit_log where seq = 8', /row 8: is not the one/],
    [
      'an end cut off after it',
      'delete from audit_log where seq > 9',
      /ends at row 9, the anchor file remembers row 11/,
    ],
    ['an end cut off in it', 'delete from audit_log where seq > 6', /row 8: is not the one/],
    [
      'a recomputed chain from before it',
      `update audit_log set row_id = 'x' where seq = 2; ${REHASH}`,
      /row 8: is not/,
    ],
    ['a removed anchor file', folder => fs.rmSync(anchorFile(folder)), /line 2: is not the one that was confirmed/],
    [
      'a first line forged, and all lines after it',
      folder => forged(folder, { hash: '0'.repeat(64) }, 0),
      /line 2: is not the one/,
    ],
    ['a new line about an old row', folder => forged(folder, { seq: '3' }, 2), /line 3: is out of order/],
  ]
  test.each(FOUND)('finds %s', async (_name, tampering, expected) => {
    const { own, folder, confirmed } = await afterTampering(tampering)
    try {
      const verdict = await verifyAuditChain(own.database, folderAnchors(folder), confirmed)
      expect(verdict.problems.join('\n')).toMatch(expected)
      expect(verdict.confirmed).toBeUndefined()
      expect((await verifyAuditChain(own.database, folderAnchors(folder))).problems).not.toEqual([])
    } finally {
      await own.drop()
    }
  })

  test('leaves a value that was changed among the confirmed rows to the reading of all', async () => {
    const { own, folder, confirmed } = await afterTampering(`update audit_log set action = 'x' where seq = 3`)
    try {
      expect((await verifyAuditChain(own.database, folderAnchors(folder), confirmed)).problems).toEqual([])
      expect((await verifyAuditChain(own.database, folderAnchors(folder))).problems).toEqual(['row 3: was changed'])
    } finally {
      await own.drop()
    }
  })
})

test('a copy without an anchor yet is neither whole nor broken', async () => {
  const own = await testDatabase({ maxConnections: 2 })
  try {
    const folder = dataFolder()
    await append(own.database, change('first'))
    const verdict = async () =>
      describeVerdict(await verifyAuditChain(own.database, folderAnchors(folder)), 'anchor.ndjson')
    expect(await verdict()).toEqual({
      exitCode: 3,
      text: expect.stringMatching(/chain holds: 1 rows.*no anchor in anchor/),
    })
    await writeAnchor(own.database, folderAnchors(folder))
    expect(await verdict()).toEqual({ exitCode: 0, text: expect.stringContaining('is whole: 1 rows') })
    await withClient(own.adminUrl, client =>
      client.query(`set session_replication_role = replica; update audit_log set action = 'other'`),
    )
    expect(await verdict()).toEqual({ exitCode: 1, text: expect.stringContaining('is NOT whole') })
    fs.rmSync(anchorFile(folder))
    expect(await verdict()).toMatchObject({ exitCode: 1 })
  } finally {
    await own.drop()
  }
})

describe('tampering', () => {
  test.each(TAMPERINGS)('is found: %s', async (_name, tampering, expected) => {
    const own = await testDatabase({ maxConnections: 2 })
    try {
      const folder = dataFolder()
      for (const part of [1, 2]) {
        for (let n = 1; n <= 4; n += 1) await append(own.database, change(`${part}-${n}`))
        await writeAnchor(own.database, folderAnchors(folder))
      }
      expect((await verifyAuditChain(own.database, folderAnchors(folder))).problems).toEqual([])
      if (typeof tampering === 'string') {
        await withClient(own.adminUrl, client => client.query(`set session_replication_role = replica; ${tampering}`))
      } else tampering(folder)
      expect((await verifyAuditChain(own.database, folderAnchors(folder))).problems.join('\n')).toMatch(expected)
    } finally {
      await own.drop()
    }
  })
})
