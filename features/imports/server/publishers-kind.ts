import {
  eachText,
  IN_HOUSE_TEXT_NAMES,
  PUBLISHER_FIELD_LABELS_JA as LABELS,
  OPEN_TEXT_NAMES,
  PUBLISHER_FIELD_NAMES,
  PUBLISHER_TEXTS,
  type PublisherFields,
  type SentPublisherFields,
} from '@pc/domain/publisher/publisher-record.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { organizationColumns, organizationReferences } from './common-references.ts'
import { choiceColumn, choiceOf, type ImportColumn, idColumn, textColumn } from './import-columns.ts'
import type { ImportKind, Refused, RowToSave } from './import-kind.ts'
import { saveNewAndChanged, saveOneByOne } from './save-rows.ts'

interface PublisherInput extends SentPublisherFields {
  readonly id: bigint | undefined
  readonly organizationId: bigint
  readonly expectedRevision: number | undefined
}
interface PublisherUseCases {
  createPublishers(write: Write, inputs: readonly PublisherInput[]): Promise<Result<unknown, Refused>>
  savePublisher(write: Write, input: PublisherInput, path: readonly string[]): Promise<Result<unknown, Refused>>
}

const TEXT_NAMES = [...OPEN_TEXT_NAMES, ...IN_HOUSE_TEXT_NAMES]

export const ENABLED = { true: '有効', false: '無効' } as const

export function publishersKind({ createPublishers, savePublisher }: PublisherUseCases): ImportKind {
  return {
    name: 'publishers',
    title: 'パブリッシャー',
    description: '1行が1つのパブリッシャーです。先に組織を登録してください。',
    fileName: 'publishers',
    needs: [
      ['write:create', 'insight:publisher.'],
      ['write:update', 'insight:publisher.'],
      ['write:create', 'insight:in_house_note.'],
    ],
    columns: [
      idColumn(),
      ...organizationColumns,
      textColumn('name', {
        header: LABELS.name,
        isRequired: true,
        example: 'さくら新聞',
        definition: 'パブリッシャーの名前です。IDが空のときは、組織の中の同じ名前のものを指します。',
      }),
      ...OPEN_TEXT_NAMES.map(columnOfText),
      choiceColumn('enabled', ENABLED, {
        header: LABELS.enabled,
        example: '有効',
        definition: '空のときは、新規では「有効」になります。',
      }),
      ...IN_HOUSE_TEXT_NAMES.map(columnOfText),
    ],
    async open(reader) {
      const organizations = await organizationReferences(reader)
      const rows = await reader
        .selectFrom('publishers')
        .select(['id', 'organizationId', 'revision', ...PUBLISHER_FIELD_NAMES])
        .orderBy('id')
        .execute()
      return {
        present: rows.map(row => ({
          id: String(row.id),
          key: keyOf(String(row.organizationId), row.name),
          revision: row.revision,
          cells: {
            id: String(row.id),
            ...organizations.cellsOf(row.organizationId),
            ...({
              name: row.name,
              enabled: ENABLED[row.enabled ? 'true' : 'false'],
              ...eachText(TEXT_NAMES, name => row[name] ?? ''),
            } satisfies Record<keyof PublisherFields, string>),
          },
        })),
        resolve(cells) {
          const organization = organizations.demand(cells)
          return organization.ok ? ok({ ...cells, ...organizations.cellsOf(organization.value.id) }) : organization
        },
        keyOf: ({ organizationId = '', name = '' }) => keyOf(organizationId, name),
        save: (write, rows) =>
          saveNewAndChanged(
            rows,
            added => createPublishers(write.as('write:create', 'insight:publisher.'), added.map(inputOf)),
            changed =>
              saveOneByOne(changed, row =>
                savePublisher(write.as('write:update', 'insight:publisher.'), inputOf(row), []),
              ),
          ),
      }
    },
  }
}

function columnOfText(name: (typeof TEXT_NAMES)[number]): ImportColumn {
  const { label: header, example, definition } = PUBLISHER_TEXTS[name]
  return textColumn(name, { header, example, definition })
}

function inputOf({ cells, present }: RowToSave): PublisherInput {
  const enabled = choiceOf(ENABLED, cells.enabled)
  return {
    id: present?.id === undefined ? undefined : BigInt(present.id),
    organizationId: BigInt(cells.organizationId ?? 0),
    name: cells.name ?? '',
    enabled: enabled === undefined ? undefined : enabled === 'true',
    ...eachText(TEXT_NAMES, name => cells[name] ?? ''),
    expectedRevision: present?.revision,
  }
}

function keyOf(organizationId: string, name: string): string {
  return `${organizationId} ${name.normalize('NFC').trim()}`
}
