import { openLog } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { openDependencies } from '../apps/server/open-dependencies.ts'
import { benchConfig } from './prepare-store.ts'

const DOMAIN = 'load.bench.example'

export interface LoadUser {
  readonly email: string
  readonly isStaff: boolean
}

/** Every fourth user is staff; the others are administrators of one organisation each. */
export function loadUser(n: number): LoadUser {
  const isStaff = n % 4 === 0
  return { email: `${isStaff ? 'staff' : 'publisher'}${n}@${DOMAIN}`, isStaff }
}

/** Creates the users of a load test; existing ones stay. */
export async function makeLoadUsers(folder: string, count: number): Promise<void> {
  const dependencies = await openDependencies({
    config: benchConfig(folder, 4900),
    log: openLog('warn'),
    ownsDeliveries: true,
  })
  try {
    await dependencies.database.inScope(SYSTEM, async tx => {
      for (let n = 0; n < count; n += 1) {
        const { email, isStaff } = loadUser(n)
        await sql`with made as (
            insert into users (email, organization_id, email_verified_at)
            select ${email}, ${isStaff ? null : sql`(select id from organizations order by id offset ${n} % (select count(*) from organizations) limit 1)`}, now()
            where not exists (select 1 from users where email = ${email})
            returning uid)
          insert into user_roles (uid, role_name) select uid, ${isStaff ? 'insight:admin' : 'insight:publisher_admin'} from made`.execute(
          tx,
        )
      }
    })
  } finally {
    await dependencies.close()
  }
}
