import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dumpSchema } from './dump-schema.ts'
import { generateTables } from './generate-tables.ts'
import { launchThrowaway, makeMigratedDatabase } from './throwaway-postgres.ts'

const GENERATORS: readonly { readonly file: string; readonly generate: (url: string) => string | Promise<string> }[] = [
  { file: 'db/schema.sql', generate: dumpSchema },
  { file: 'platform/postgres/tables.ts', generate: generateTables },
]

/**
 * The committed files that are not what the migrations make, as paths from the root of the repository. Starts a throwaway
 * server (about two seconds).
 */
export async function findOutdatedFiles(): Promise<readonly string[]> {
  return (await generateAll()).filter(made => made.isOutdated).map(made => made.file)
}

/** Writes the files again from the migrations. Returns the ones that changed, as paths from the root. */
export async function writeGeneratedSchema(): Promise<readonly string[]> {
  const outdated = (await generateAll()).filter(made => made.isOutdated)
  for (const { file, text } of outdated) fs.writeFileSync(inRepository(file), text)
  return outdated.map(made => made.file)
}

async function generateAll(): Promise<readonly { file: string; text: string; isOutdated: boolean }[]> {
  const server = await launchThrowaway()
  try {
    const url = await makeMigratedDatabase(server, 'generated_schema')
    const made = []
    for (const { file, generate } of GENERATORS) {
      const text = await generate(url)
      const committed = fs.existsSync(inRepository(file)) ? fs.readFileSync(inRepository(file), 'utf8') : undefined
      made.push({ file, text, isOutdated: committed !== text })
    }
    return made
  } finally {
    await server.stop()
  }
}

const inRepository = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url))
