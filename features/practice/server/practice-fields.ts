import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readPage } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import {
  comparePractice,
  findPracticeSystem,
  type PracticeEntry,
  type PracticeMedium,
  type PracticeRow,
  type PracticeSystem,
  readPracticeEntries,
  readPracticeMedia,
} from './practice-store.ts'

/** The right to the amounts of every payee, which accounting has. */
const ON = 'insight:revenue_detail.' as const

type Practice = PracticeSystem & {
  readonly media: readonly PracticeMedium[]
  readonly entries: readonly PracticeEntry[]
  readonly rows: { readonly nodes: readonly PracticeRow[]; readonly total: number }
}

/** Fields of a practice system: what is to be entered, and how the practice close compares with the real one. */
export function addPracticeFields(graph: Graph, { database }: { readonly database: Database }): void {
  const Practice = practiceType(graph)
  graph.queryField('practice', t =>
    field(t, {
      type: Practice,
      nullable: true,
      description: 'The practice close beside the real one; null where the system is no practice.',
      args: {
        onlyDifferent: t.arg.boolean({ required: true }),
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
      },
      allow: 'read:list',
      on: ON,
      resolve(_parent, args, _context, permit) {
        const page = { onlyDifferent: args.onlyDifferent, ...readPage(args) }
        return database.inScope(permit.scope, tx => readPractice(tx, page), { readOnly: true })
      },
    }),
  )
}

async function readPractice(tx: Transaction, page: Parameters<typeof comparePractice>[2]): Promise<Practice | null> {
  const system = await findPracticeSystem(tx)
  if (!system) return null
  const { month } = system
  const [media, entries, rows] = [
    await readPracticeMedia(tx, month),
    await readPracticeEntries(tx),
    await comparePractice(tx, month, page),
  ]
  return { ...system, media, entries, rows }
}

function practiceType(graph: Graph) {
  const State = graph.enumType('PracticeState', { values: ['open', 'computed', 'finalized', 'paid'] as const })
  const Kind = graph.enumType('PracticeEntryKind', { values: ['ssp', 'ssp_video', 'ssp_live', 'csv'] as const })
  const Method = graph.enumType('PracticeEntryMethod', { values: ['payment', 'discard'] as const })
  const Medium = graph.objectRef<PracticeMedium>('PracticeMedium').implement({
    on: 'inherits',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      state: t.field({ type: State, resolve: medium => medium.state }),
      real: t.expose('realYen', { type: 'Long', description: 'Payments of the real close, including tax.' }),
      own: t.expose('ownYen', { type: 'Long', description: 'Payments of the practice close, including tax.' }),
      rows: t.exposeInt('rows'),
      differentRows: t.exposeInt('differentRows'),
    }),
  })
  const Entry = graph.objectRef<PracticeEntry>('PracticeEntry').implement({
    on: 'inherits',
    fields: t => ({
      number: t.exposeInt('number'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      kind: t.field({ type: Kind, resolve: entry => entry.kind }),
      method: t.field({ type: Method, resolve: entry => entry.method }),
      amount: t.expose('amountYen', { type: 'Long' }),
      extraRevenueMonth: t.string({ resolve: entry => formatYearMonth(entry.extraRevenueMonth) }),
      notes: t.exposeString('notes'),
      rowsCsv: t.exposeString('rowsCsv', { description: 'The rows as they are uploaded; empty without any.' }),
    }),
  })
  const Row = graph.objectRef<PracticeRow>('PracticeRow').implement({
    on: 'inherits',
    fields: t => ({
      agreementId: t.expose('agreementId', { type: 'ID' }),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      partnerName: t.exposeString('partnerName'),
      publisherName: t.exposeString('publisherName'),
      realRevenue: t.expose('realRevenueYen', { type: 'Long' }),
      ownRevenue: t.expose('ownRevenueYen', { type: 'Long' }),
      realPayment: t.expose('realPaymentYen', { type: 'Long' }),
      ownPayment: t.expose('ownPaymentYen', { type: 'Long' }),
      isSame: t.exposeBoolean('isSame'),
      hasLateFigures: t.exposeBoolean('hasLateFigures'),
    }),
  })
  const Rows = graph.objectRef<Practice['rows']>('PracticeRows').implement({
    on: 'inherits',
    fields: t => ({
      total: t.exposeInt('total'),
      nodes: t.field({ type: [Row], resolve: rows => [...rows.nodes] }),
    }),
  })
  return graph.objectRef<Practice>('Practice').implement({
    on: 'inherits',
    fields: t => ({
      month: t.string({ resolve: practice => formatYearMonth(practice.month), description: 'YYYY-MM' }),
      copiedAt: t.expose('copiedAt', { type: 'DateTime' }),
      media: t.field({ type: [Medium], resolve: practice => [...practice.media] }),
      entries: t.field({ type: [Entry], resolve: practice => [...practice.entries] }),
      rows: t.field({ type: Rows, resolve: practice => practice.rows }),
    }),
  })
}
