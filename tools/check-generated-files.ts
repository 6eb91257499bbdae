import { schemaIsCurrent } from '@pc/platform/postgres/generated-schema.ts'
import { checkSchemas } from '../apps/server/printed-schemas.ts'
import { checkConfigurationDocument } from './configuration-document.ts'

/**
 * Files that are generated, committed and reviewed: the committed text must be what the code generates now. All other
 * generated files are not committed; `npm run generate` makes them.
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
