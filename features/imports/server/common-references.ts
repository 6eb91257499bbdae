import type { Reader } from '@pc/platform/postgres/database.ts'
import { idColumn, textColumn } from './import-columns.ts'
import { References } from './references.ts'

/** Columns and lookups of records that several kinds refer to: by name, or by id when names are ambiguous. */
export const organizationColumns = [
  idColumn('organizationId', {
    header: '組織ID',
    definition: '組織のIDです。同じ名前の組織が複数あるときに使います。空のときは組織名で探します。',
  }),
  textColumn('organizationName', {
    header: '組織名',
    example: '株式会社さくら新聞社',
    definition: '登録済みの組織の名前です。',
    fields: ['organizationId'],
    emptyKeeps: true,
  }),
]

export async function organizationReferences(reader: Reader) {
  const rows = await reader.selectFrom('organizations').select(['id', 'name']).execute()
  const columns = { id: 'organizationId', name: 'organizationName' }
  return new References('組織', columns, '先に組織を取り込むか、名前を直してください。', rows)
}

export const mediumColumns = [
  idColumn('mediumId', { header: '媒体ID', definition: '媒体の番号です。空のときは媒体名で探します。' }),
  textColumn('mediumName', {
    header: '媒体名',
    example: 'ニュースメディア',
    definition: '登録済みの媒体の名前です。',
    fields: ['mediumId'],
    emptyKeeps: true,
  }),
]

export async function mediumReferences(reader: Reader) {
  const rows = await reader.selectFrom('media').select(['id', 'name']).execute()
  const columns = { id: 'mediumId', name: 'mediumName' }
  return new References('媒体', columns, '先に媒体を登録するか、名前を直してください。', rows)
}

export const publisherColumns = [
  idColumn('publisherId', {
    header: 'パブリッシャーID',
    definition: 'パブリッシャーのIDです。空のときはパブリッシャー名で探します。',
  }),
  textColumn('publisherName', {
    header: 'パブリッシャー名',
    example: 'さくら新聞',
    definition: '登録済みのパブリッシャーの名前です。',
    fields: ['publisherId'],
    emptyKeeps: true,
  }),
]

export async function publisherReferences(reader: Reader) {
  const rows = await reader.selectFrom('publishers').select(['id', 'name', 'organizationId']).execute()
  const columns = { id: 'publisherId', name: 'publisherName' }
  return new References('パブリッシャー', columns, '先にパブリッシャーを取り込むか、名前を直してください。', rows)
}
