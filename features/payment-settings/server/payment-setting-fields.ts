import { INPUT_TAX_TIMINGS, type InputTaxTiming } from '@pc/domain/journal/close-journal.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { SETTING_SECTIONS, type SettingSection } from '@pc/domain/payment/setting-section.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { PaymentSettingDependencies } from './payment-setting-dependencies.ts'
import {
  type DatedRate,
  type HolidayState,
  type PaymentSettingState,
  type PayoutSetting,
  type ReturnsRule,
  readPaymentSettings,
  type TransferFee,
} from './payment-setting-store.ts'
import {
  DESTINATIONS,
  removeDatedLine,
  rowIdOf,
  saveDatedRate,
  savePayoutSetting,
  saveReturnsFirstMonth,
  saveTransferFees,
} from './save-payment-setting.ts'
import { removeJournalAccounts, removeTransferSource } from './save-transfer-setting.ts'
import { readMonth } from './setting-month.ts'
import { addTransferSettingMutations, transferSettingTypes } from './transfer-setting-fields.ts'

const SHIFTS = ['previous', 'next'] as const
const INPUT_TAX_TIMING =
  'When the journal books the input tax of revenue of these months: as it is accrued, or when its payment is final.'
const RETURN_FEE =
  'What the bank usually charges for a transfer that comes back, in yen, tax included; 0: not known. The payer bears it.'
const WEIGHTS = [
  'article_impression',
  'article_click',
  'article_watch',
  'video_impression',
  'video_click',
  'video_watch',
  'video_watch3s',
  'live_impression',
  'live_click',
  'live_watch',
] as const

/** Adds the query `paymentSettings` and its mutations: dated settings, banks' fee lists, the holiday calendar. */
export function addPaymentSettingFields(graph: Graph, dependencies: PaymentSettingDependencies): void {
  const types = settingTypes(graph)
  graph.queryField('paymentSettings', t =>
    field(t, {
      type: types.State,
      description: 'What payments are computed by, with its dates. For staff.',
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: (_parent, _args, _context, permit) => dependencies.database.inScope(permit.scope, readPaymentSettings),
    }),
  )
  addPayoutMutation(graph, dependencies, types)
  addRateMutations(graph, dependencies, types)
  addFeeMutation(graph, dependencies, types)
  addHolidayMutation(graph, dependencies)
  addReturnsMutation(graph, dependencies)
  addTransferSettingMutations(graph, dependencies, types)
}

type Types = ReturnType<typeof settingTypes>

function settingTypes(graph: Graph) {
  const Shift = graph.enumType('BusinessDayShift', { values: SHIFTS })
  const Weight = graph.enumType('PoolWeightFigure', { values: WEIGHTS })
  const TaxTiming = graph.enumType('InputTaxTiming', { values: INPUT_TAX_TIMINGS })
  const Destination = graph.enumType('TransferFeeDestination', { values: DESTINATIONS })
  const Section = graph.enumType('PaymentSettingSection', { values: SETTING_SECTIONS })
  const on = 'insight:dividend.' as const
  const Payout = graph.objectRef<PayoutSetting>('PayoutSetting').implement({
    on,
    fields: t => ({
      validFromMonth: t.string({ resolve: row => writeMonth(row.validFromMonth) }),
      payoutThreshold: t.expose('payoutThresholdYen', { type: 'Long' }),
      returnFee: t.expose('returnFeeYen', { type: 'Long', description: RETURN_FEE }),
      businessDayShift: t.field({ type: Shift, resolve: row => row.businessDayShift as (typeof SHIFTS)[number] }),
      needsTwoPersons: t.exposeBoolean('needsTwoPersons'),
      sspWeight: t.field({ type: Weight, resolve: row => row.sspWeight as (typeof WEIGHTS)[number] }),
      videoSspWeight: t.field({ type: Weight, resolve: row => row.videoSspWeight as (typeof WEIGHTS)[number] }),
      liveSspWeight: t.field({ type: Weight, resolve: row => row.liveSspWeight as (typeof WEIGHTS)[number] }),
      taxPeriodStartMonth: t.exposeInt('taxPeriodStartMonth'),
      inputTaxTiming: t.field({
        type: TaxTiming,
        description: INPUT_TAX_TIMING,
        resolve: row => row.inputTaxTiming as InputTaxTiming,
      }),
    }),
  })
  const Rate = graph.objectRef<DatedRate>('DatedRate').implement({
    on,
    fields: t => ({
      validFromMonth: t.string({ resolve: row => writeMonth(row.validFromMonth) }),
      percent: t.exposeInt('percent'),
    }),
  })
  const Fee = graph.objectRef<TransferFee>('TransferFee').implement({
    on,
    fields: t => ({
      sourceBankCode: t.exposeString('sourceBankCode'),
      destination: t.field({ type: Destination, resolve: row => row.destination as (typeof DESTINATIONS)[number] }),
      validFrom: t.field({ type: 'Date', resolve: row => row.validFrom as Day }),
      fromAmount: t.expose('fromAmountYen', { type: 'Long' }),
      fee: t.expose('feeYen', { type: 'Long' }),
    }),
  })
  const { Source, Withholding, Journal, AccountType, Account } = transferSettingTypes(graph)
  const Holiday = graph.objectRef<HolidayState['days'][number]>('Holiday').implement({
    on,
    fields: t => ({ day: t.expose('day', { type: 'Date' }), name: t.exposeString('name') }),
  })
  const Holidays = graph.objectRef<HolidayState>('HolidayCalendar').implement({
    on,
    fields: t => ({
      firstYear: t.exposeInt('firstYear'),
      lastYear: t.exposeInt('lastYear'),
      sourceName: t.exposeString('sourceName'),
      importedAt: t.expose('importedAt', { type: 'DateTime' }),
      days: t.field({ type: [Holiday], resolve: found => [...found.days] }),
    }),
  })
  const Revision = graph.objectRef<{ section: SettingSection; revision: number }>('PaymentSettingRevision').implement({
    on,
    fields: t => ({
      section: t.field({ type: Section, resolve: found => found.section }),
      revision: t.exposeInt('revision'),
      historyId: t.string({ description: 'For recordHistory.', resolve: found => rowIdOf(found.section) }),
    }),
  })
  const Returns = graph.objectRef<ReturnsRule>('ReturnsRule').implement({
    on,
    description:
      'From which booking month on returns are taxed per rate and given back at the deduction of their month.',
    fields: t => ({
      firstMonth: t.string({ resolve: found => writeMonth(found.firstMonth) }),
      isProposed: t.exposeBoolean('isProposed', { description: 'An upgrade has set it; nobody has confirmed it yet.' }),
    }),
  })
  const State = graph.objectRef<PaymentSettingState>('PaymentSettings').implement({
    on,
    fields: t => ({
      revisions: t.field({
        type: [Revision],
        resolve: found => SETTING_SECTIONS.map(section => ({ section, revision: found.revisions.get(section) ?? 1 })),
      }),
      lastFinalizedMonth: t.string({
        nullable: true,
        resolve: found => (found.lastFinalizedMonth === null ? null : writeMonth(found.lastFinalizedMonth)),
      }),
      payout: t.field({ type: [Payout], resolve: found => [...found.payout] }),
      consumptionTax: t.field({ type: [Rate], resolve: found => [...found.consumptionTax] }),
      inputTaxDeductions: t.field({ type: [Rate], resolve: found => [...found.inputTaxDeductions] }),
      transferFees: t.field({ type: [Fee], resolve: found => [...found.transferFees] }),
      transferSources: t.field({ type: [Source], resolve: found => [...found.transferSources] }),
      withholding: t.field({ type: [Withholding], resolve: found => [...found.withholding] }),
      journalAccounts: t.field({ type: [Journal], resolve: found => [...found.journalAccounts] }),
      returnsRule: t.field({ type: Returns, resolve: found => found.returnsRule }),
      holidays: t.field({ type: Holidays, nullable: true, resolve: found => found.holidays }),
    }),
  })
  return { State, Shift, Weight, TaxTiming, Destination, AccountType, Account }
}

function addReturnsMutation(graph: Graph, { database }: PaymentSettingDependencies): void {
  graph.mutationField('saveReturnsFirstMonth', t =>
    mutation(t, {
      type: 'Int',
      description:
        'Until a month was closed by the rules for returns their first month can be changed; answers the new revision.',
      args: {
        validFromMonth: t.arg.string({ required: true, description: 'YYYY-MM' }),
        expectedRevision: t.arg.int(),
      },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      needsStepUp: true,
      run: ({ validFromMonth, expectedRevision }, write) =>
        saveReturnsFirstMonth(readMonth(validFromMonth, ['validFromMonth']), expectedRevision ?? undefined, write),
    }),
  )
}

function addPayoutMutation(
  graph: Graph,
  { database, clock }: PaymentSettingDependencies,
  { Shift, Weight, TaxTiming }: Types,
): void {
  const Input = graph.inputType('PayoutSettingInput', {
    fields: t => ({
      validFromMonth: t.string({ required: true, description: 'YYYY-MM' }),
      payoutThreshold: t.field({ type: 'Long', required: true }),
      returnFee: t.field({ type: 'Long', required: true, description: RETURN_FEE }),
      businessDayShift: t.field({ type: Shift, required: true }),
      needsTwoPersons: t.boolean({ required: true }),
      sspWeight: t.field({ type: Weight, required: true }),
      videoSspWeight: t.field({ type: Weight, required: true }),
      liveSspWeight: t.field({ type: Weight, required: true }),
      taxPeriodStartMonth: t.int({
        required: true,
        description: "1 to 12: the calendar month in which the payer's tax periods begin.",
      }),
      inputTaxTiming: t.field({ type: TaxTiming, required: true, description: INPUT_TAX_TIMING }),
    }),
  })
  graph.mutationField('savePayoutSetting', t =>
    mutation(t, {
      type: 'Int',
      description: 'A line in force from its revenue month on; answers the new revision.',
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      needsStepUp: true,
      run: ({ input, expectedRevision }, write) => {
        const { validFromMonth, payoutThreshold, returnFee, ...rest } = input
        const line = {
          ...rest,
          validFromMonth: readMonth(validFromMonth, ['input', 'validFromMonth']),
          payoutThresholdYen: payoutThreshold,
          returnFeeYen: returnFee,
        }
        return savePayoutSetting(line, expectedRevision ?? undefined, write, clock)
      },
    }),
  )
}

function addRateMutations(graph: Graph, { database, clock }: PaymentSettingDependencies, _types: Types): void {
  const Kind = graph.enumType('DatedRateKind', { values: ['consumption_tax', 'input_tax_deduction'] as const })
  const Section = graph.enumType('DatedSettingSection', {
    values: ['payout', 'consumption_tax', 'input_tax_deduction', 'transfer_source', 'journal_account'] as const,
  })
  const Input = graph.inputType('DatedRateInput', {
    fields: t => ({
      kind: t.field({ type: Kind, required: true }),
      validFromMonth: t.string({ required: true, description: 'YYYY-MM' }),
      percent: t.int({ required: true }),
    }),
  })
  graph.mutationField('saveDatedRate', t =>
    mutation(t, {
      type: 'Int',
      description: 'A tax or deduction rate in force from a generated month on; answers the new revision.',
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      needsStepUp: true,
      run: ({ input: { kind, percent, validFromMonth }, expectedRevision }, write) => {
        const month = readMonth(validFromMonth, ['input', 'validFromMonth'])
        return saveDatedRate(kind, { validFromMonth: month, percent }, expectedRevision ?? undefined, write)
      },
    }),
  )
  graph.mutationField('removeDatedSetting', t =>
    mutation(t, {
      type: 'Int',
      description: 'Takes away a line that nothing was computed or sent with; answers the new revision.',
      args: {
        section: t.arg({ type: Section, required: true }),
        validFromMonth: t.arg.string({ required: true, description: 'YYYY-MM' }),
        expectedRevision: t.arg.int(),
      },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      needsStepUp: true,
      run: ({ section, validFromMonth, expectedRevision }, write) => {
        const month = readMonth(validFromMonth, ['validFromMonth'])
        const expected = expectedRevision ?? undefined
        if (section === 'transfer_source') return removeTransferSource(month, expected, write, clock)
        if (section === 'journal_account') return removeJournalAccounts(month, expected, write)
        return removeDatedLine(section, month, expected, write, clock)
      },
    }),
  )
}

function addFeeMutation(graph: Graph, { database, clock }: PaymentSettingDependencies, { Destination }: Types): void {
  const Line = graph.inputType('TransferFeeLine', {
    fields: t => ({
      destination: t.field({ type: Destination, required: true }),
      fromAmount: t.field({ type: 'Long', required: true }),
      fee: t.field({ type: 'Long', required: true }),
    }),
  })
  const Input = graph.inputType('TransferFeesInput', {
    fields: t => ({
      sourceBankCode: t.string({ required: true }),
      validFrom: t.field({ type: 'Date', required: true }),
      lines: t.field({ type: [Line], required: true }),
    }),
  })
  graph.mutationField('saveTransferFees', t =>
    mutation(t, {
      type: 'Int',
      description: "A source bank's whole price list from a day on; answers the new revision.",
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      needsStepUp: true,
      run: ({ input: { lines, ...input }, expectedRevision }, write) => {
        const list = lines.map(({ destination, fromAmount, fee }) => ({
          destination,
          fromAmountYen: fromAmount,
          feeYen: fee,
        }))
        return saveTransferFees({ ...input, lines: list }, expectedRevision ?? undefined, write, clock)
      },
    }),
  )
}

function addHolidayMutation(graph: Graph, { database, importHolidays }: PaymentSettingDependencies): void {
  graph.mutationField('importHolidayFile', t =>
    mutation(t, {
      type: 'Int',
      description: "Replaces the calendar by the Cabinet Office's file; answers how many days it has.",
      args: {
        name: t.arg.string({ required: true }),
        content: t.arg.string({ required: true, description: 'Base64 of the file as it is.' }),
      },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      async run({ name, content }, write) {
        const bytes = Buffer.from(content, 'base64')
        if (bytes.length === 0) return refused(refusal('payment-setting/file-unreadable', ['content']))
        const imported = await importHolidays(write.tx, { name: name.slice(0, 200), content: bytes }, write.actor)
        if (!imported.ok) return imported
        // The import has recorded its own audit entry.
        write.recordNothing()
        return ok(imported.value.holidays.size)
      },
    }),
  )
}
