import type { Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { idColumn, textColumn } from './import-columns.ts'
import type { ImportKind, Refused, RowToSave } from './import-kind.ts'
import { saveNewAndChanged, saveOneByOne } from './save-rows.ts'

interface OrganizationUseCases {
  createOrganizations(
    all: readonly { readonly name: string; readonly confirmsSameName: boolean }[],
    write: Write<'write:create', 'iam:org.'>,
  ): Promise<Result<unknown, Refused>>
  updateOrganization(
    id: bigint,
    sent: { readonly name: string; readonly confirmsSameName: boolean; readonly expectedRevision: number | undefined },
    write: Write<'write:update', 'iam:org.'>,
  ): Promise<Result<unknown, Refused>>
}

export function organizationsKind({ createOrganizations, updateOrganization }: OrganizationUseCases): ImportKind {
  return {
    name: 'organizations',
    title: '組織',
    description: '1行が1つの組織です。',
    fileName: 'organizations',
    needs: [
      ['write:create', 'iam:org.'],
      ['write:update', 'iam:org.'],
    ],
    columns: [
      idColumn(),
      textColumn('name', {
        header: '組織名',
        isRequired: true,
        example: '株式会社さくら新聞社',
        definition: '組織の名前です。IDが空のときは、同じ名前の組織を指します。',
      }),
    ],
    async open(reader) {
      const rows = await reader.selectFrom('organizations').select(['id', 'name', 'revision']).orderBy('id').execute()
      return {
        present: rows.map(({ id, name, revision }) => ({
          id: String(id),
          key: name,
          revision,
          cells: { id: String(id), name },
        })),
        keyOf: ({ name = '' }) => name,
        save: (write, rows) =>
          saveNewAndChanged(
            rows,
            added => createOrganizations(added.map(sentOf), write.as('write:create', 'iam:org.')),
            changed =>
              saveOneByOne(changed, row =>
                updateOrganization(
                  BigInt(row.present.id),
                  { ...sentOf(row), expectedRevision: row.present.revision },
                  write.as('write:update', 'iam:org.'),
                ),
              ),
          ),
      }
    },
  }
}

const sentOf = ({ cells: { name = '' } }: RowToSave) => ({ name, confirmsSameName: false })
