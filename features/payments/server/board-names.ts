import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** 「東都新聞 配信契約」, with the code where another agreement has the same name. */
export async function agreementText(tx: Transaction, id: bigint): Promise<string> {
  return (await agreementTexts(tx, [id])).get(id) ?? String(id)
}

/** Refusals that say 契約「東都新聞 配信契約」 where the computation only knows the number. */
export async function withNames(
  tx: Transaction,
  refusals: readonly Refusal<RefusalCode>[],
): Promise<readonly Refusal<RefusalCode>[]> {
  const agreements = await agreementTexts(tx, idsOf(refusals, 'agreementId'))
  const publishers = await publisherTexts(tx, idsOf(refusals, 'publisherId'))
  return refusals.map(each => {
    const { agreementId, publisherId } = each.data
    return {
      ...each,
      data: {
        ...each.data,
        ...(agreementId === undefined ? {} : { agreementId: textOf(agreements, agreementId) }),
        ...(publisherId === undefined ? {} : { publisherId: textOf(publishers, publisherId) }),
      },
    }
  })
}

const ID = /^\d+$/
const textOf = (texts: ReadonlyMap<bigint, string>, id: string | number) =>
  (ID.test(String(id)) && texts.get(BigInt(id))) || id

function idsOf(refusals: readonly Refusal[], name: 'agreementId' | 'publisherId'): bigint[] {
  const ids = refusals.flatMap(({ data }) => (ID.test(String(data[name])) ? BigInt(data[name]!) : []))
  return [...new Set(ids)]
}

async function agreementTexts(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('agreements as a')
    .select(eb => [
      'a.id',
      'a.name',
      'a.code',
      eb
        .exists(
          eb
            .selectFrom('agreements as b')
            .select('b.id')
            .whereRef('b.name', '=', 'a.name')
            .whereRef('b.id', '<>', 'a.id'),
        )
        .as('isShared'),
    ])
    .where('a.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name, code, isShared }) => [id, isShared ? `「${name}」（${code}）` : `「${name}」`]))
}

async function publisherTexts(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.selectFrom('publishers').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, `「${name}」`]))
}
