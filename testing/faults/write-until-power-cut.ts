import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { launchPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { sql } from 'kysely'

/**
 * A process that runs PostgreSQL in a folder and writes until its disk is cut off. Arguments: folder, first id. Each
 * line of output is a JSON object: `pid` of the server, `found` (what existed at the start), `ack` of each transaction.
 */
const [folder = '', first = '1'] = process.argv.slice(2)
const WRITERS = 3
const ACKS_PER_CHECKPOINT = 40
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
process.on('disconnect', () => process.exit())

const server = await launchPostgres({ folder, restartsPerMinute: 0 })
say({ pid: server.pid })
const url = server.url('postgres', 'postgres')
const found = await withClient(url, async client => {
  const { rows } = await client.query<{ id: string; twins: string }>(
    `select e.id, (select count(*) from halves h where h.entry_id = e.id) as twins from entries e order by e.id`,
  )
  const { rows: alone } = await client.query(
    'select 1 from halves h where not exists (select 1 from entries e where e.id = h.entry_id)',
  )
  return { ids: rows.map(row => Number(row.id)), torn: rows.filter(row => row.twins !== '2').length + alone.length }
})
say({ found })

const database = openDatabase({ url, maxConnections: WRITERS })
let next = Number(first)
let acknowledged = 0
await Promise.all(
  Array.from({ length: WRITERS }, async () => {
    for (;;) {
      const id = next
      next += 1
      // Two tables, to detect half a transaction; rows of many sizes, so that pages fill and split.
      await database.inScope(SYSTEM, async tx => {
        await sql`insert into entries values (${id}, repeat(md5(${String(id)}), ${1 + (id % 60)}))`.execute(tx)
        await sql`insert into halves values (${id}, 1), (${id}, 2)`.execute(tx)
      })
      say({ ack: id })
      acknowledged += 1
      if (acknowledged % ACKS_PER_CHECKPOINT === 0) await withClient(url, client => client.query('checkpoint'))
    }
  }),
).catch(() => say({ failed: true }))
// The disk is gone. The parent that cut it ends this process.
await new Promise(() => setInterval(() => {}, 1_000))
