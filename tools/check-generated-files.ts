import { schemaIsCurrent } from '@pc/platform/postgres/generated-schema.ts'
import { checkSchemas } from '../apps/server/printed-schemas.ts'
import { checkConfigurationDocument } from './configuration-document.ts'

/**
 * Files that are generated, committed and reviewed: what the code would generate now must be what is committed.
 * Every other generated file is made again by `npm run generate` and not committed.
 */
export const GENERATED_FILES: readonly {
  readonly name: string
  readonly run: () => Promise<{ problems: readonly string[] }>
}[] = [
  {
    name: 'generated: database',
    async run() {
      const { outdatedFiles } = await schemaIsCurrent()
      return { problems: outdatedFiles.map(file => `${file} is not what the migrations make: npm run db -- dump`) }
    },
  },
  { name: 'generated: GraphQL schemas', run: checkSchemas },
  { name: 'generated: settings', run: async () => checkConfigurationDocument() },
]
