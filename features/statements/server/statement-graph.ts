import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { STATEMENT_STATE_LABELS, type StatementState } from '@pc/domain/payment/payment-states.ts'
import type { TaxLine } from '@pc/domain/settlement/settlement-result.ts'
import {
  type StatedMonth,
  type StatementAccount,
  type StatementLine,
  statementNumberText,
} from '@pc/domain/statement/statement.ts'
import { autoConfirmedOn, type ObjectedLine, RESOLUTIONS } from '@pc/domain/statement/statement-confirmation.ts'
import { dayAt } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import {
  readEvents,
  readTransferOf,
  type StatementEventRow,
  type StatementList,
  type StatementRow,
  type StatementTransfer,
} from './statement-store.ts'

const RESOURCE = 'insight:statement.' as const
const STATES = Object.keys(STATEMENT_STATE_LABELS) as StatementState[]
const silenceOf = ({ issuedOn, deemedOn, notifiedAt }: StatementRow) =>
  autoConfirmedOn(issuedOn as Day, deemedOn as Day, notifiedAt && dayAt(notifiedAt.getTime())) ?? (deemedOn as Day)

export type StatementTypes = ReturnType<typeof statementTypes>

/** The types of a statement: its content as it was issued, and the state of its confirmation. */
export function statementTypes(graph: Graph, database: Database) {
  const State = stateOf(graph)
  const ResolutionEnum = resolutionOf(graph)
  const Statement = statementType(graph, database, {
    ...partTypes(graph),
    State,
    Event: eventType(graph, ResolutionEnum),
  })
  const Counts = graph.objectRef<StatementList['counts']>('StatementCounts').implement({
    on: RESOURCE,
    fields: t => ({
      issued: t.exposeInt('issued'),
      confirmed: t.exposeInt('confirmed'),
      objected: t.exposeInt('objected'),
      resolved: t.exposeInt('resolved'),
      replaced: t.exposeInt('replaced'),
    }),
  })
  const List = graph.objectRef<StatementList>('StatementList').implement({
    on: RESOURCE,
    fields: t => ({
      total: t.exposeInt('total'),
      sum: t.expose('sumYen', { type: 'Long', description: 'Totals including tax of the whole filter, yen.' }),
      counts: t.field({ type: Counts, resolve: list => list.counts }),
      nodes: t.field({ type: [Statement], resolve: list => [...list.nodes] }),
    }),
  })
  return { Statement, List, State, ResolutionEnum }
}

const stateOf = (graph: Graph) => graph.enumType('StatementState', { values: STATES })
const resolutionOf = (graph: Graph) => graph.enumType('StatementResolution', { values: RESOLUTIONS })

interface PartTypes extends ReturnType<typeof partTypes> {
  readonly State: ReturnType<typeof stateOf>
  readonly Event: ReturnType<typeof eventType>
}

function statementType(
  graph: Graph,
  database: Database,
  { Line, Tax, Month, Account, Transfer, State, Event }: PartTypes,
) {
  const Method = graph.enumType('StatementConfirmationMethod', { values: ['explicit', 'deemed'] as const })
  return graph.objectRef<StatementRow>('Statement').implement({
    on: RESOURCE,
    description: '支払通知書 兼 仕入明細書 as it was issued, word for word, and how far its confirmation is. Yen.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      monthlyPaymentId: t.expose('monthlyPaymentId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      number: t.exposeString('number'),
      revision: t.exposeInt('revision'),
      revisionReason: t.exposeString('revisionReason', { nullable: true }),
      numberText: t.string({ resolve: row => statementNumberText(row.document) }),
      heading: t.string({ resolve: row => row.document.heading }),
      month: t.string({ resolve: row => writeMonth(row.month) }),
      issuedOn: t.field({ type: 'Date', resolve: row => row.issuedOn as Day }),
      dueOn: t.field({ type: 'Date', resolve: row => row.dueOn as Day }),
      deemedOn: t.field({
        type: 'Date',
        description:
          'The last day on which silence does not count as a confirmation yet: the printed one, or later where the payee was told late.',
        resolve: silenceOf,
      }),
      state: t.field({ type: State, resolve: row => row.state as StatementState }),
      isUntold: t.boolean({
        description:
          'For staff: nobody was told of it, nobody could be, and silence does not confirm it. False for others.',
        resolve: (row, _args, { viewer }) => viewer?.scope.kind === 'all' && row.notifiedAt === null,
      }),
      stateLabel: t.string({ resolve: row => STATEMENT_STATE_LABELS[row.state as StatementState] }),
      confirmationMethod: t.field({
        type: Method,
        nullable: true,
        resolve: row => row.confirmationMethod as 'explicit' | 'deemed' | null,
      }),
      stateChangedAt: t.expose('stateChangedAt', { type: 'DateTime' }),
      payerName: t.string({ resolve: row => row.document.payerName }),
      payerAddress: t.string({ resolve: row => row.document.payerAddress }),
      payerRegistrationNumber: t.string({ resolve: row => row.document.payerRegistrationNumber }),
      payeeName: t.exposeString('payeeName'),
      payeeAddress: t.string({
        description: 'With its postal code; empty where it was not known, or the document is of an earlier template.',
        resolve: row => row.document.payeeAddress ?? '',
      }),
      payeeRegistration: t.string({ resolve: row => row.document.payeeRegistration }),
      agreementName: t.string({ resolve: row => row.document.agreementName }),
      agreementCode: t.string({ resolve: row => row.document.agreementCode }),
      generatedMonths: t.field({ type: [Month], resolve: row => [...row.document.generatedMonths] }),
      lines: t.field({ type: [Line], resolve: row => [...row.document.lines] }),
      taxLines: t.field({ type: [Tax], resolve: row => [...row.document.taxLines] }),
      totalWithoutTax: t.expose('totalWithoutTaxYen', { type: 'Long' }),
      totalTax: t.field({ type: 'Long', resolve: row => row.document.totalTaxYen }),
      total: t.expose('totalYen', { type: 'Long' }),
      withholding: t.field({ type: 'Long', resolve: row => row.document.withholdingYen }),
      fee: t.field({ type: 'Long', resolve: row => row.document.feeYen }),
      transferAmount: t.expose('transferAmountYen', { type: 'Long' }),
      isTransferPlanned: t.boolean({
        description: 'Withholding, fee and transferAmount are what was planned: other payments could still join.',
        resolve: row => row.document.isTransferPlanned,
      }),
      transfer: field(t, {
        type: Transfer,
        nullable: true,
        description: 'What the bank was told to send: withholding and fee as they are. Null until then.',
        allow: 'read:show',
        on: RESOURCE,
        resolve: (row, _args, _context, permit) =>
          database.inScope(permit.scope, tx => readTransferOf(tx, row.monthlyPaymentId)),
      }),
      account: t.field({ type: Account, resolve: row => row.document.account }),
      confirmationClause: t.string({ resolve: row => row.document.confirmationClause }),
      hash: t.exposeString('hash', {
        description: 'What a confirmation has to name: SHA-256 of template and content.',
      }),
      snapshotHash: t.string({ resolve: row => row.document.snapshotHash }),
      events: field(t, {
        type: [Event],
        nullable: true,
        description: 'What was said about it, the oldest first.',
        allow: 'read:show',
        on: RESOURCE,
        resolve: async (row, _args, _context, permit) => [
          ...(await database.inScope(permit.scope, tx => readEvents(tx, row.id))),
        ],
      }),
    }),
  })
}

function partTypes(graph: Graph) {
  const Line = graph.objectRef<StatementLine>('StatementLine').implement({
    on: RESOURCE,
    fields: t => ({ label: t.exposeString('label'), amount: t.expose('amountYen', { type: 'Long' }) }),
  })
  const Tax = graph.objectRef<TaxLine>('StatementTaxLine').implement({
    on: RESOURCE,
    fields: t => ({
      ratePercent: t.exposeInt('ratePercent'),
      amount: t.expose('amountYen', { type: 'Long' }),
      tax: t.expose('taxYen', { type: 'Long' }),
    }),
  })
  const Month = graph.objectRef<StatedMonth>('StatementMonth').implement({
    on: RESOURCE,
    fields: t => ({
      month: t.string({ resolve: row => writeMonth(row.month) }),
      amount: t.expose('amountYen', { type: 'Long', description: 'Negative: revenue of the month is given back.' }),
      ratePercent: t.int({
        nullable: true,
        description: 'Null in documents of before 2026-12, as is the tax.',
        resolve: row => row.ratePercent ?? null,
      }),
      tax: t.field({ type: 'Long', nullable: true, resolve: row => row.taxYen ?? null }),
    }),
  })
  const Account = graph.objectRef<StatementAccount>('StatementAccount').implement({
    on: RESOURCE,
    description: 'The account as it is printed: its number shows the last three digits.',
    fields: t => ({
      bankName: t.exposeString('bankName'),
      branchName: t.exposeString('branchName'),
      typeName: t.exposeString('typeName'),
      number: t.exposeString('number'),
      holder: t.exposeString('holder'),
    }),
  })
  const TransferState = graph.enumType('StatementTransferState', { values: ['exported', 'paid', 'returned'] as const })
  const Transfer = graph.objectRef<StatementTransfer>('StatementTransfer').implement({
    on: RESOURCE,
    description:
      "The line of the bank file that pays a statement. Sums of all of its payments, except this one's part.",
    fields: t => ({
      state: t.field({ type: TransferState, resolve: row => row.state }),
      paidOn: t.field({ type: 'Date', nullable: true, resolve: row => row.paidOn }),
      withholding: t.expose('withholdingYen', { type: 'Long', description: "This statement's part." }),
      fee: t.expose('feeBorneByPayeeYen', { type: 'Long', description: "This statement's part." }),
      transferAmount: t.expose('transferAmountYen', { type: 'Long', description: "This statement's part." }),
      lineAmount: t.expose('lineAmountYen', {
        type: 'Long',
        description: 'What arrives in the account, whatever it pays.',
      }),
      recordAmounts: t.field({
        type: ['Long'],
        description: 'The sums in which it arrives: one, or several above the limit of the bank.',
        resolve: row => [...row.recordAmountsYen],
      }),
    }),
  })
  return { Line, Tax, Month, Account, Transfer }
}

function eventType(graph: Graph, ResolutionEnum: ReturnType<typeof resolutionOf>) {
  const Kind = graph.enumType('StatementEventKind', {
    values: ['confirm', 'deem', 'object', 'withdraw', 'resolve', 'replace', 'send'] as const,
  })
  const Line = graph.objectRef<ObjectedLine>('ObjectedLine').implement({
    on: RESOURCE,
    fields: t => ({ label: t.exposeString('label'), reason: t.exposeString('reason') }),
  })
  return graph.objectRef<StatementEventRow>('StatementEvent').implement({
    on: RESOURCE,
    description: 'What somebody said about the statement. Publishers do not learn who of the platform it was.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      event: t.field({ type: Kind, resolve: event => event.event }),
      at: t.expose('at', { type: 'DateTime' }),
      statementHash: t.exposeString('statementHash'),
      actorEmail: t.string({
        nullable: true,
        resolve: (event, _args, { viewer }) => (isHidden(event, viewer) ? null : event.actorEmail),
      }),
      sourceAddress: t.string({
        nullable: true,
        resolve: (event, _args, { viewer }) => (isHidden(event, viewer) ? null : event.sourceAddress),
      }),
      text: t.exposeString('text', { nullable: true }),
      lines: t.field({ type: [Line], resolve: event => [...event.lines] }),
      resolution: t.field({ type: ResolutionEnum, nullable: true, resolve: event => event.resolution }),
      adjustmentMonth: t.string({
        nullable: true,
        resolve: event => (event.adjustmentMonth === null ? null : writeMonth(event.adjustmentMonth)),
      }),
    }),
  })
}

function isHidden(event: StatementEventRow, viewer: Viewer | null): boolean {
  return viewer?.scope.kind !== 'all' && ['resolve', 'replace', 'send'].includes(event.event)
}
