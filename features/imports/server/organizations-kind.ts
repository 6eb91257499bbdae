import type { Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { idColumn, postalCodeColumn, textColumn } from './import-columns.ts'
import type { ImportKind, Refused, RowToSave } from './import-kind.ts'
import { saveNewAndChanged, saveOneByOne } from './save-rows.ts'

interface SentOrganization {
  readonly name: string
  readonly postalCode: string
  readonly address: string
  readonly confirmsSameName: boolean
}

interface OrganizationUseCases {
  createOrganizations(
    all: readonly SentOrganization[],
    write: Write<'write:create', 'iam:org.'>,
  ): Promise<Result<unknown, Refused>>
  updateOrganization(
    id: bigint,
    sent: SentOrganization & { readonly expectedRevision: number | undefined },
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
      postalCodeColumn('postalCode', {
        header: '郵便番号',
        example: '100-0001',
        definition: '7桁の数字です。国外の住所のときは空にします。',
      }),
      textColumn('address', {
        header: '住所',
        example: '東京都千代田区千代田1-1',
        definition: '支払通知書と支払調書の資料に記載する住所です。',
      }),
    ],
    async open(reader) {
      const rows = await reader
        .selectFrom('organizations')
        .select(['id', 'name', 'postalCode', 'address', 'revision'])
        .orderBy('id')
        .execute()
      return {
        present: rows.map(({ id, name, postalCode, address, revision }) => ({
          id: String(id),
          key: name,
          revision,
          cells: { id: String(id), name, postalCode, address },
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

const sentOf = ({ cells: { name = '', postalCode = '', address = '' } }: RowToSave): SentOrganization => ({
  name,
  postalCode,
  address,
  confirmsSameName: false,
})
