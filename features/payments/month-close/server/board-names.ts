import type { Day } from '@pc/domain/month/day.ts'
import { jobText } from '@pc/domain/payment/job-text.ts'
import type { JobKind } from '@pc/domain/payment/manual-operation.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** 「東都新聞 配信契約」, with the code where another agreement has the same name. */
export async function agreementText(tx: Transaction, id: bigint): Promise<string> {
  return (await agreementTexts(tx, [id])).get(id) ?? String(id)
}

/** The refusals with names instead of ids, such as 契約「東都新聞 配信契約」, because the computation knows only ids. */
export async function withNames(
  tx: Transaction,
  refusals: readonly Refusal<RefusalCode>[],
): Promise<readonly Refusal<RefusalCode>[]> {
  const agreements = await agreementTexts(tx, idsOf(refusals, 'agreementId'))
  const publishers = await publisherTexts(tx, idsOf(refusals, 'publisherId'))
  const jobs = await jobTexts(tx, [...idsOf(refusals, 'jobId'), ...idsOf(refusals, 'dividendId')])
  return refusals.map(each => {
    const { agreementId, publisherId, jobId, dividendId } = each.data
    return {
      ...each,
      data: {
        ...each.data,
        ...(agreementId === undefined ? {} : { agreementId: textOf(agreements, agreementId) }),
        ...(publisherId === undefined ? {} : { publisherId: textOf(publishers, publisherId) }),
        ...(jobId === undefined ? {} : { jobId: textOf(jobs, jobId) }),
        ...(dividendId === undefined ? {} : { dividendId: textOf(jobs, dividendId) }),
      },
    }
  })
}

/** Replaces the ids in a row's name, such as `契約 5 / パブリッシャー 201`, by names. An unknown id stays. */
export async function namedRow(tx: Transaction, rowName: string): Promise<string> {
  return (await namedRows(tx, [rowName]))[0] ?? rowName
}

/** {@link namedRow} for many names, with one query for each kind of record. */
export async function namedRows(tx: Transaction, rowNames: readonly string[]): Promise<readonly string[]> {
  const texts: { readonly word: string; readonly found: ReadonlyMap<bigint, string> }[] = []
  for (const { word, find } of NAMED) texts.push({ word, found: await find(tx, idsAfter(word, rowNames)) })
  return rowNames.map(rowName =>
    texts.reduce(
      (text, { word, found }) =>
        text.replaceAll(new RegExp(`${word} (\\d+)`, 'g'), (whole, id: string) => {
          const name = found.get(BigInt(id))
          return name === undefined ? whole : `${word === JOB ? '' : word}${name}`
        }),
      rowName,
    ),
  )
}

const JOB = '配分処理'
const NAMED: readonly {
  readonly word: string
  readonly find: (tx: Transaction, ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, string>>
}[] = [
  { word: '契約', find: agreementTexts },
  { word: 'パブリッシャー', find: publisherTexts },
  { word: '媒体', find: mediumTexts },
  { word: JOB, find: jobTexts },
]

function idsAfter(word: string, rowNames: readonly string[]): readonly bigint[] {
  const found = rowNames.flatMap(text => [...text.matchAll(new RegExp(`${word} (\\d+)`, 'g'))])
  return [...new Set(found.map(([, id]) => BigInt(id!)))]
}

const ID = /^\d+$/
const textOf = (texts: ReadonlyMap<bigint, string>, id: string | number) =>
  (ID.test(String(id)) && texts.get(BigInt(id))) || id

function idsOf(refusals: readonly Refusal[], name: 'agreementId' | 'publisherId' | 'jobId' | 'dividendId'): bigint[] {
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

async function mediumTexts(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.selectFrom('media').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, `「${name}」`]))
}

async function jobTexts(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('dividends')
    .select(['id', 'kind', sql<Day>`created_at::date`.as('enteredOn')])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, kind, enteredOn }) => [id, jobText({ kind: kind as JobKind, enteredOn })]))
}
