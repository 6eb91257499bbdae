import { findOutdatedFiles } from '@pc/platform/postgres/generated-schema.ts'

/**
 * Started by `npm run check` as a process of its own: while another check reads the whole tree, nobody in that process hears
 * the answers of PostgreSQL, and its connection times out.
 */
const outdated = await findOutdatedFiles()
for (const file of outdated) console.log(`${file} is not what the migrations make: npm run db -- dump`)
process.exit(outdated.length === 0 ? 0 : 1)
