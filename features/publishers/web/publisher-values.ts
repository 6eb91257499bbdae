import type { History } from '@pc/domain/agreement/terms-history.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { formatYearMonth, monthOfDay, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import {
  checkPublisherFields,
  eachText,
  IN_HOUSE_TEXT_NAMES,
  NEW_PUBLISHER,
  OPEN_TEXT_NAMES,
  PUBLISHER_FIELD_NAMES,
  type PublisherFields,
  publisherAfter,
} from '@pc/domain/publisher/publisher-record.ts'
import { PUBLISHER_REFUSALS_JA } from '@pc/domain/publisher/publisher-refusals.ja.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { Choice } from '@pc/ui/form/suggest-field.tsx'
import type {
  AgreementPublisherRuleInput,
  PublisherEditQuery,
  PublisherInput,
  StagingPublisherOptionsQuery,
} from './publisher-edit.gen.ts'
import type { PublisherRights } from './publisher-rights.ts'

const TEXTS = { ...PUBLISHER_REFUSALS_JA, ...NAME_REFUSALS_JA }

type Publisher = NonNullable<PublisherEditQuery['publisher']>
type StagingPublisher = NonNullable<StagingPublisherOptionsQuery['stagingPublishers']>['nodes'][number]

export const RATES = [
  { rate: 'paymentRate', label: '自社広告', target: undefined },
  { rate: 'sspPaymentRate', label: 'SSP', target: 'isTargetForSspAllocation' },
  { rate: 'videoSspPaymentRate', label: '動画SSP', target: 'isTargetForVideoSspAllocation' },
  { rate: 'liveSspPaymentRate', label: 'ライブSSP', target: 'isTargetForLiveSspAllocation' },
] as const

/** The terms of a publisher under one agreement. Rates in units of 1/100 %. */
export interface RuleValues {
  /** The revision of the edited rule; null for a new one. */
  revision: number | null
  agreementId: Choice | null
  paymentRate: number | null
  sspPaymentRate: number | null
  videoSspPaymentRate: number | null
  liveSspPaymentRate: number | null
  isTargetForSspAllocation: boolean
  isTargetForVideoSspAllocation: boolean
  isTargetForLiveSspAllocation: boolean
  fixedRevenue: number | null
  minimumRevenue: number | null
}

/** Form values: '' stands for null. */
type FormFields = { -readonly [Name in keyof PublisherFields]: NonNullable<PublisherFields[Name]> }

export interface PublisherValues extends FormFields {
  organizationId: Choice | null
  /** The month from which changed terms apply; the same for all agreements. */
  validFromMonth: string | null
  agreementPublisherRules: RuleValues[]
}

export const NEW_RULE: RuleValues = {
  revision: null,
  agreementId: null,
  paymentRate: null,
  sspPaymentRate: 0,
  videoSspPaymentRate: 0,
  liveSspPaymentRate: 0,
  isTargetForSspAllocation: false,
  isTargetForVideoSspAllocation: false,
  isTargetForLiveSspAllocation: false,
  fixedRevenue: null,
  minimumRevenue: null,
}

/** Fields that the viewer may not read are absent in the answer and become ''. */
function formFieldsOf(publisher: { readonly [Name in keyof PublisherFields]?: PublisherFields[Name] }): FormFields {
  return Object.fromEntries(PUBLISHER_FIELD_NAMES.map(name => [name, publisher[name] ?? ''])) as unknown as FormFields
}

/** @param from the first month of its terms */
export function newPublisherValues(from: YearMonth): PublisherValues {
  return {
    organizationId: null,
    ...formFieldsOf(NEW_PUBLISHER),
    validFromMonth: formatYearMonth(from),
    agreementPublisherRules: [],
  }
}

/** @param firstOpenMonth proposed start for the first terms; changed terms start in the current month by default */
export function publisherValuesOf(publisher: Publisher, today: Day, firstOpenMonth?: number | null): PublisherValues {
  const isFirst = (publisher.agreementPublisherRules ?? []).length === 0
  const from = isFirst && firstOpenMonth ? (firstOpenMonth as YearMonth) : monthOfDay(today)
  return {
    organizationId: { id: publisher.organizationId, name: publisher.organization?.name ?? '（表示できない組織）' },
    ...formFieldsOf(publisher),
    validFromMonth: formatYearMonth(from),
    agreementPublisherRules: (publisher.agreementPublisherRules ?? []).map(rule => ({
      ...NEW_RULE,
      ...(rule.paymentRate ? ratesOf(rule.paymentRate) : {}),
      revision: rule.revision,
      agreementId: {
        id: rule.agreementId,
        name: rule.agreement?.name ?? `契約 ${rule.agreementId}`,
        ...(rule.agreement ? { note: rule.agreement.code } : {}),
      },
      fixedRevenue: rule.fixedRevenue ?? null,
      minimumRevenue: rule.minimumRevenue ?? null,
    })),
  }
}

type Terms = Omit<RuleValues, 'revision' | 'agreementId'>

/** The versions of terms by agreement id, as form values. */
export function ruleHistoriesOf(publisher: Publisher | undefined): ReadonlyMap<string, History<Terms>> {
  const rules = publisher?.agreementPublisherRules ?? []
  return new Map(
    rules.map(({ agreementId, history }) => [
      agreementId,
      (history ?? []).flatMap(({ validFromMonth, paymentRate, fixedRevenue, minimumRevenue }) =>
        paymentRate === null
          ? []
          : [
              {
                validFromMonth: validFromMonth as YearMonth,
                value: { ...ratesOf(paymentRate), fixedRevenue, minimumRevenue },
              },
            ],
      ),
    ]),
  )
}

/** Form values prefilled from a staging publisher. Its agreements must be chosen, because staging's are others. */
export function stagingValues(staging: StagingPublisher, today: Day): PublisherValues {
  return {
    ...newPublisherValues(monthOfDay(today)),
    name: staging.name,
    notes: staging.notes,
    agreementPublisherRules: staging.agreementPublisherRules.map(rule => ({
      ...NEW_RULE,
      ...ratesOf(rule),
      fixedRevenue: rule.fixedRevenue,
      minimumRevenue: rule.minimumRevenue,
    })),
  }
}

type Rates = Omit<RuleValues, 'revision' | 'agreementId' | 'fixedRevenue' | 'minimumRevenue'>

/** Picks the form's fields, without Apollo's `__typename`. */
function ratesOf(rates: Rates): Rates {
  return {
    paymentRate: rates.paymentRate,
    sspPaymentRate: rates.sspPaymentRate,
    videoSspPaymentRate: rates.videoSspPaymentRate,
    liveSspPaymentRate: rates.liveSspPaymentRate,
    isTargetForSspAllocation: rates.isTargetForSspAllocation,
    isTargetForVideoSspAllocation: rates.isTargetForVideoSspAllocation,
    isTargetForLiveSspAllocation: rates.isTargetForLiveSspAllocation,
  }
}

const MAX_RATE_UNITS = 10_000
const RATE_TEXT = '0%から100%までの値を入力してください。'

/** The server's rules and texts, applied before sending; the server decides. */
export function checkPublisher(values: PublisherValues): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (name: string, message: string) => problems.push({ name, message })
  if (values.organizationId === null) add('organizationId', TEXTS['publisher/organization-unknown']())
  for (const { code, path, data } of checkPublisherFields(values, true))
    add(String(path.at(-1)), TEXTS[code](data as never))
  const agreements = values.agreementPublisherRules.map(rule => rule.agreementId?.id)
  for (const [index, rule] of values.agreementPublisherRules.entries()) {
    const path = `agreementPublisherRules.${index}`
    if (rule.agreementId === null) add(`${path}.agreementId`, TEXTS['publisher/agreement-unknown']())
    else if (agreements.indexOf(rule.agreementId.id) < index)
      add(`${path}.agreementId`, TEXTS['publisher/agreement-twice']())
    for (const { rate } of RATES) {
      const value = rule[rate]
      if (value === null || value > MAX_RATE_UNITS) add(`${path}.${rate}`, RATE_TEXT)
    }
  }
  return problems
}

export function publisherInput(values: PublisherValues, rights: PublisherRights): PublisherInput {
  const fields = publisherAfter(values, NEW_PUBLISHER)
  return {
    organizationId: values.organizationId?.id ?? null,
    name: fields.name,
    enabled: fields.enabled,
    ...eachText(OPEN_TEXT_NAMES, name => fields[name]),
    ...(rights.sendable.notes ? eachText(IN_HOUSE_TEXT_NAMES, name => fields[name]) : {}),
  }
}

export function ruleInputs(values: PublisherValues, rights: PublisherRights): AgreementPublisherRuleInput[] {
  const month = parseYearMonth(values.validFromMonth ?? '')
  return values.agreementPublisherRules.map(rule => {
    const { revision, agreementId, fixedRevenue, minimumRevenue, ...paymentRate } = rule
    return {
      agreementId: agreementId?.id ?? '',
      ...(revision === null ? {} : { expectedRevision: revision }),
      paymentRate,
      ...(month === undefined ? {} : { validFromMonth: month }),
      ...(rights.sendable.inHouse ? { fixedRevenue: fixedRevenue ?? 0, minimumRevenue: minimumRevenue ?? 0 } : {}),
    }
  })
}
