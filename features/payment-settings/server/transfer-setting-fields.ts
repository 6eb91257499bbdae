import { JOURNAL_ACCOUNTS, type JournalAccount } from '@pc/domain/journal/journal-accounts.ja.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { MAX_TRANSFER_LIMIT_YEN } from '@pc/domain/transfer/transfer-records.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { PaymentSettingDependencies } from './payment-setting-dependencies.ts'
import type { JournalAccountLine, TransferSourceLine, WithholdingLine } from './payment-setting-store.ts'
import {
  removeWithholdingRate,
  saveJournalAccounts,
  saveTransferSource,
  saveWithholdingRate,
} from './save-transfer-setting.ts'
import { readMonth } from './setting-month.ts'

const ON = 'insight:dividend.' as const
const ACCOUNT_TYPES = ['ordinary', 'current', 'other'] as const
const ACCOUNTS = Object.keys(JOURNAL_ACCOUNTS) as JournalAccount[]

/** GraphQL types of the sending account, withholding rates and account titles. */
export function transferSettingTypes(graph: Graph) {
  const AccountType = graph.enumType('TransferSourceAccountType', { values: ACCOUNT_TYPES })
  const Account = graph.enumType('JournalAccount', { values: ACCOUNTS })
  const Source = graph.objectRef<TransferSourceLine>('TransferSource').implement({
    on: ON,
    fields: t => ({
      validFromMonth: t.string({ resolve: row => writeMonth(row.validFromMonth) }),
      clientCode: t.exposeString('clientCode'),
      clientName: t.exposeString('clientName'),
      bankCode: t.exposeString('bankCode'),
      bankName: t.exposeString('bankName'),
      branchCode: t.exposeString('branchCode'),
      branchName: t.exposeString('branchName'),
      accountType: t.field({ type: AccountType, resolve: row => row.accountType as (typeof ACCOUNT_TYPES)[number] }),
      accountNumber: t.exposeString('accountNumber'),
      hasLineBreaks: t.exposeBoolean('hasLineBreaks'),
      extraCharacters: t.exposeString('extraCharacters'),
      transferLimit: t.expose('transferLimitYen', {
        type: 'Long',
        description: 'The most that one record of a bank file may hold; above it a payment is sent in several records.',
      }),
      resultMarkOffset: t.exposeInt('resultMarkOffset', { nullable: true }),
      resultMarkLength: t.exposeInt('resultMarkLength', { nullable: true }),
      resultPaidMarks: t.stringList({ nullable: true, resolve: row => row.resultPaidMarks }),
      resultReturnedMarks: t.stringList({ nullable: true, resolve: row => row.resultReturnedMarks }),
    }),
  })
  const Withholding = graph.objectRef<WithholdingLine>('WithholdingRate').implement({
    on: ON,
    fields: t => ({
      validFrom: t.field({ type: 'Date', resolve: row => row.validFrom as Day }),
      threshold: t.expose('thresholdYen', { type: 'Long' }),
      rateUpToThreshold: t.exposeInt('rateUpToThreshold', { description: '1/100 %.' }),
      rateAboveThreshold: t.exposeInt('rateAboveThreshold', { description: '1/100 %.' }),
      rateNonResident: t.exposeInt('rateNonResident', {
        description: 'Of the whole amount of non-residents, 1/100 %.',
      }),
    }),
  })
  const Journal = graph.objectRef<JournalAccountLine>('JournalAccountName').implement({
    on: ON,
    fields: t => ({
      validFromMonth: t.string({ resolve: row => writeMonth(row.validFromMonth) }),
      account: t.field({ type: Account, resolve: row => row.account as JournalAccount }),
      label: t.string({ resolve: row => JOURNAL_ACCOUNTS[row.account as JournalAccount] }),
      name: t.exposeString('name'),
      subAccount: t.exposeString('subAccount', { description: 'Empty: none.' }),
      department: t.exposeString('department', { description: 'Empty: none.' }),
    }),
  })
  return { Source, Withholding, Journal, AccountType, Account }
}

export function addTransferSettingMutations(
  graph: Graph,
  dependencies: PaymentSettingDependencies,
  types: Pick<ReturnType<typeof transferSettingTypes>, 'AccountType' | 'Account'>,
): void {
  addSourceMutation(graph, dependencies, types)
  addWithholdingMutations(graph, dependencies)
  addJournalMutation(graph, dependencies, types)
}

function addSourceMutation(
  graph: Graph,
  { database, clock }: PaymentSettingDependencies,
  { AccountType }: Pick<ReturnType<typeof transferSettingTypes>, 'AccountType'>,
): void {
  const Input = graph.inputType('TransferSourceInput', {
    fields: t => ({
      validFromMonth: t.string({ required: true, description: 'YYYY-MM: the month in which money moves.' }),
      clientCode: t.string({ required: true }),
      clientName: t.string({ required: true, description: 'In any kana; kept as a bank file writes it.' }),
      bankCode: t.string({ required: true }),
      branchCode: t.string({ required: true }),
      accountType: t.field({ type: AccountType, required: true }),
      accountNumber: t.string({ required: true }),
      hasLineBreaks: t.boolean({ required: true }),
      extraCharacters: t.string({ description: 'Signs that this bank accepts besides the common ones.' }),
      transferLimit: t.field({
        type: 'Long',
        description:
          'The most that one record may hold (振込限度額), 1,000,000 to 9,999,999,999 yen; default: the latter, what its field holds.',
      }),
      resultMarkOffset: t.int({ description: 'From 0, within the last seven bytes of a record.' }),
      resultMarkLength: t.int(),
      resultPaidMarks: t.stringList(),
      resultReturnedMarks: t.stringList(),
    }),
  })
  graph.mutationField('saveTransferSource', t =>
    mutation(t, {
      type: 'Int',
      description: 'The account that money leaves, from a month on; answers the new revision.',
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: ON,
      database,
      needsStepUp: true,
      run: ({ input: { validFromMonth, transferLimit, ...input }, expectedRevision }, write) =>
        saveTransferSource(
          {
            ...input,
            transferLimitYen: transferLimit ?? MAX_TRANSFER_LIMIT_YEN,
            validFromMonth: readMonth(validFromMonth, ['input', 'validFromMonth']),
            extraCharacters: input.extraCharacters ?? '',
            resultMarkOffset: input.resultMarkOffset ?? null,
            resultMarkLength: input.resultMarkLength ?? null,
            resultPaidMarks: input.resultPaidMarks ? [...input.resultPaidMarks] : null,
            resultReturnedMarks: input.resultReturnedMarks ? [...input.resultReturnedMarks] : null,
          },
          expectedRevision ?? undefined,
          write,
          clock,
        ),
    }),
  )
}

function addWithholdingMutations(graph: Graph, { database, clock }: PaymentSettingDependencies): void {
  const Input = graph.inputType('WithholdingRateInput', {
    fields: t => ({
      validFrom: t.field({ type: 'Date', required: true, description: 'The day of payment from which it holds.' }),
      threshold: t.field({ type: 'Long', required: true }),
      rateUpToThreshold: t.int({ required: true, description: '1/100 %.' }),
      rateAboveThreshold: t.int({ required: true, description: '1/100 %.' }),
      rateNonResident: t.int({ required: true, description: 'Of the whole amount of non-residents, 1/100 %.' }),
    }),
  })
  graph.mutationField('saveWithholdingRate', t =>
    mutation(t, {
      type: 'Int',
      description: 'What is withheld from payees from a day of payment on; answers the new revision.',
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: ON,
      database,
      needsStepUp: true,
      run: ({ input: { threshold, ...input }, expectedRevision }, write) =>
        saveWithholdingRate({ ...input, thresholdYen: threshold }, expectedRevision ?? undefined, write, clock),
    }),
  )
  graph.mutationField('removeWithholdingRate', t =>
    mutation(t, {
      type: 'Int',
      description: 'Takes away a line that has not begun; answers the new revision.',
      args: { validFrom: t.arg({ type: 'Date', required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: ON,
      database,
      needsStepUp: true,
      run: ({ validFrom, expectedRevision }, write) =>
        removeWithholdingRate(validFrom, expectedRevision ?? undefined, write, clock),
    }),
  )
}

function addJournalMutation(
  graph: Graph,
  { database }: PaymentSettingDependencies,
  { Account }: Pick<ReturnType<typeof transferSettingTypes>, 'Account'>,
): void {
  const Name = graph.inputType('JournalAccountNameInput', {
    fields: t => ({
      account: t.field({ type: Account, required: true }),
      name: t.string({ required: true }),
      subAccount: t.string({ description: 'Up to 50 characters; left out: none.' }),
      department: t.string({ description: 'Up to 50 characters; left out: none.' }),
    }),
  })
  const Input = graph.inputType('JournalAccountsInput', {
    fields: t => ({
      validFromMonth: t.string({ required: true, description: 'YYYY-MM' }),
      names: t.field({ type: [Name], required: true }),
    }),
  })
  graph.mutationField('saveJournalAccounts', t =>
    mutation(t, {
      type: 'Int',
      description: 'How the books call their accounts, for entries from a month on; answers the new revision.',
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: ON,
      database,
      run: ({ input, expectedRevision }, write) =>
        saveJournalAccounts(
          readMonth(input.validFromMonth, ['input', 'validFromMonth']),
          input.names,
          expectedRevision ?? undefined,
          write,
        ),
    }),
  )
}
