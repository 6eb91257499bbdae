import { useApolloClient, useQuery } from '@apollo/client/react'
import { AGREEMENT_FIELD_LABELS_JA as LABELS } from '@pc/domain/agreement/agreement-record.ts'
import { MAX_AGREEMENT_CODE, MAX_AGREEMENT_NAME, MAX_AGREEMENT_NOTES } from '@pc/domain/agreement/agreement-texts.ts'
import { fieldsOfMonth } from '@pc/domain/agreement/terms-history.ts'
import { addMonths, monthOfDay } from '@pc/domain/month/year-month.ts'
import { useOrganizationSearch } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { RadioField, SwitchField } from '@pc/ui/form/choice-field.tsx'
import { comingTermsHint } from '@pc/ui/form/coming-terms.ts'
import { DateField, MonthField } from '@pc/ui/form/date-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { IntegerField, YenField } from '@pc/ui/form/number-field.tsx'
import { SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { TextAreaField, TextField } from '@pc/ui/form/text-field.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenContext } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { type ReactNode, Suspense } from 'react'
import { type Control, type FieldPath, type PathValue, useFormContext, useWatch } from 'react-hook-form'
import { AGREEMENTS_PATH } from '../links.ts'
import { AgreementAccounts } from './agreement-accounts.tsx'
import {
  AgreementEditDocument,
  type AgreementEditQuery,
  PlatformTermsDocument,
  UpsertAgreementDocument,
} from './agreement-edit.gen.ts'
import { AgreementLaw, lawProblems } from './agreement-law.tsx'
import { agreementRights } from './agreement-rights.ts'
import {
  type AgreementValues,
  accountOptionsOf,
  checkAgreement,
  type PlatformFacts,
  termsHistoryOf,
  valuesOf,
  variablesOf,
} from './agreement-values.ts'
import { FEE_PAYERS, MINIMUM_REVENUE_TYPES, PAYMENT_TIMINGS } from './agreement-words.ts'
import { FixedMedium, MediumChoice } from './medium-choice.tsx'

const TermsEffect = lazy(() => import('./terms-effect.tsx').then(module => ({ default: module.TermsEffect })))

type Agreement = NonNullable<AgreementEditQuery['agreement']>

interface AgreementFormProps extends Pick<ScreenContext, 'viewer' | 'today'> {
  title: string
  initial: AgreementValues
  /** Undefined: a new agreement. */
  agreement?: Agreement
  aside?: ReactNode
}

const STAFF_ONLY = <Badge tone="mute">運営のみ</Badge>
/** The furthest month from which new terms can be entered, in months from now. */
const MONTHS_AHEAD = 24
const MONTHS_OF_CONTRACTS = 120

/** The form of one agreement; sections that the person may not see are left out. */
export function AgreementForm({ viewer, today, title, initial, agreement, aside }: AgreementFormProps) {
  const rights = agreementRights(viewer)
  const submit = useSubmission(UpsertAgreementDocument)
  const client = useApolloClient()
  const platform = usePlatformFacts(rights.shown.withInHouse)
  const canSave = viewer.can(agreement ? 'write:update' : 'write:create', 'insight:agreement.')
  const latestMonth = addMonths(monthOfDay(today), MONTHS_AHEAD)
  return (
    <EntityForm<AgreementValues, unknown>
      title={title}
      initial={initial}
      revision={agreement?.revision}
      check={values => [
        ...checkAgreement(values),
        ...(rights.shown.withInHouse ? lawProblems(values, platform, today) : []),
      ]}
      send={(values, expectedRevision) => submit(variablesOf(values, agreement?.id, expectedRevision, rights.sendable))}
      saved={(_answer, values) => ({
        message: `契約「${values.name}」を${agreement ? '保存' : '登録'}しました。`,
        address: addressOf(AGREEMENTS_PATH),
      })}
      {...(agreement
        ? {
            async loadLatest() {
              const variables = { id: agreement.id, ...rights.shown }
              const answer = await client.query({
                query: AgreementEditDocument,
                variables,
                fetchPolicy: 'network-only',
              })
              if (!answer.data?.agreement) throw new Error('the agreement is gone')
              return { values: valuesOf(answer.data.agreement, today), revision: answer.data.agreement.revision }
            },
          }
        : {})}
      cancelAddress={addressOf(AGREEMENTS_PATH)}
      submitLabel={agreement ? '変更を保存する' : '契約を登録する'}
      readOnlyReason={canSave ? undefined : '閲覧のみの権限です。変更が必要な場合は管理者に依頼してください。'}
      aside={aside}
    >
      {control => (
        <>
          <Basics control={control} viewer={viewer} isNew={agreement === undefined} />
          {rights.shown.withInHouse && (
            <>
              <ContractPeriod control={control} today={today} />
              <Terms
                control={control}
                latest={latestMonth}
                agreement={agreement}
                effect={
                  agreement && viewer.can('write:create', 'insight:dividend.') ? (
                    <Suspense fallback={null}>
                      <TermsEffect control={control} agreement={agreement} today={today} />
                    </Suspense>
                  ) : undefined
                }
              />
              <AgreementLaw
                control={control}
                platform={platform}
                today={today}
                isUnconfirmed={agreement !== undefined && agreement.taxTreatmentConfirmedAt === null}
              />
            </>
          )}
          <Invoice control={control} />
          {rights.shown.withAccounts && (
            <AgreementAccounts
              today={today}
              control={control}
              latest={latestMonth}
              known={accountOptionsOf(agreement)}
              isLocked={!rights.sendable.accounts}
              isNew={agreement === undefined}
            />
          )}
          <StatusFields control={control} />
          {rights.shown.withNotes && (
            <FormSection title="備考" badge={STAFF_ONLY} note="パブリッシャーには表示されません。">
              <TextAreaField control={control} name="notes" label={LABELS.notes} maxLength={MAX_AGREEMENT_NOTES} />
            </FormSection>
          )}
        </>
      )}
    </EntityForm>
  )
}

/**
 * The platform's settings for the checks of the form. While they load, and for people who may not read them, defaults
 * apply; the server decides in any case.
 */
function usePlatformFacts(isRequested: boolean): PlatformFacts {
  const { data } = useQuery(PlatformTermsDocument, { skip: !isRequested })
  const terms = data?.platformTerms
  return {
    businessDayShift: terms?.isShiftedToNextDay ? 'next' : 'previous',
    payoutThresholdYen: terms ? BigInt(terms.payoutThreshold) : null,
  }
}

type Part = { control: Control<AgreementValues> }

function Basics({ control, viewer, isNew }: Part & Pick<ScreenContext, 'viewer'> & { isNew: boolean }) {
  const searchOrganizations = useOrganizationSearch()
  const reason = '登録後は変更できません。'
  const { setValue } = useFormContext<AgreementValues>()
  return (
    <FormSection title="基本情報" note="契約先の組織と、配信する媒体です。">
      <SuggestField
        control={control}
        name="organizationId"
        label="組織"
        isRequired
        search={searchOrganizations}
        placeholder="組織名で検索"
        onChoose={() => setValue('agreementBankAccounts', [], { shouldDirty: true })}
        {...(isNew ? {} : { readOnlyReason: reason })}
      />
      {isNew ? <MediumChoice control={control} viewer={viewer} /> : <FixedMedium control={control} reason={reason} />}
      <TextField control={control} name="name" label={LABELS.name} isRequired maxLength={MAX_AGREEMENT_NAME} />
      <TextField
        control={control}
        name="code"
        label={LABELS.code}
        isRequired
        maxLength={MAX_AGREEMENT_CODE}
        width="short"
        hint="支払通知書や会計データで契約を識別します。"
      />
    </FormSection>
  )
}

function ContractPeriod({ control, today }: Part & Pick<ScreenContext, 'today'>) {
  const month = monthOfDay(today)
  return (
    <FormSection
      title="契約期間"
      badge={STAFF_ONLY}
      note="終了が近づくと、契約を管理する担当者にメールとお知らせで一度だけ知らせます。自動では解約されません。"
    >
      <FieldRow>
        <MonthField
          control={control}
          name="contractEndMonth"
          label={LABELS.contractEndMonth}
          latest={addMonths(month, MONTHS_OF_CONTRACTS)}
          emptyLabel="定めなし"
        />
        <IntegerField
          control={control}
          name="renewalNoticeDays"
          label={LABELS.renewalNoticeDays}
          unit="日前"
          hint="契約終了月の末日の何日前に知らせるか。空欄の場合は知らせません。"
        />
      </FieldRow>
    </FormSection>
  )
}

interface TermsProps extends Part {
  latest: ReturnType<typeof monthOfDay>
  agreement: Agreement | undefined
  effect: ReactNode
}

/**
 * The fields of the terms. When another month is chosen, untouched fields take the values in force in that month, so that
 * saving does not undo terms that were agreed for it.
 */
function Terms({ control, latest, agreement, effect }: TermsProps) {
  const { getValues, setValue } = useFormContext<AgreementValues>()
  const validFromMonth = useWatch({ control, name: 'validFromMonth' })
  const history = termsHistoryOf(agreement)
  type Name = FieldPath<AgreementValues>
  return (
    <FormSection
      title="支払条件"
      badge={STAFF_ONLY}
      note={
        agreement === undefined
          ? '適用開始月から、この条件で計算します。'
          : '条件を変えると、適用開始月から新しい条件になります。それより前の月は変わりません。'
      }
    >
      <MonthField
        control={control}
        name="validFromMonth"
        label="適用開始月"
        latest={latest}
        hint={comingTermsHint([history], validFromMonth)}
        onChosen={months => {
          for (const [name, value] of Object.entries(fieldsOfMonth(history, getValues(), months)))
            setValue(name as Name, value as PathValue<AgreementValues, Name>, { shouldDirty: true })
        }}
      />
      <RadioField control={control} name="paymentTiming" label="支払期日" options={PAYMENT_TIMINGS} />
      <RadioField control={control} name="feePaidBy" label="振込手数料の負担" options={FEE_PAYERS} />
      <RadioField control={control} name="minimumRevenueType" label="最低保証" options={MINIMUM_REVENUE_TYPES} />
      <FieldRow>
        <YenField control={control} name="fixedRevenue" label="固定額（月額）" />
        <YenField control={control} name="minimumRevenue" label="最低保証額（月額）" />
        <YenField
          control={control}
          name="payoutThreshold"
          label="支払下限額"
          hint="空欄の場合は「支払の基準」に従います。"
        />
      </FieldRow>
      {effect}
    </FormSection>
  )
}

function Invoice({ control }: Part) {
  const [isIssuer, number] = useWatch({ control, name: ['qualifiedInvoiceIssuer', 'invoiceRegistrationNumber'] })
  return (
    <FormSection title="インボイス" note="適格請求書発行事業者の登録です。">
      <SwitchField
        control={control}
        name="qualifiedInvoiceIssuer"
        label={LABELS.isQualifiedInvoiceIssuer}
        on="登録あり"
        off="登録なし"
      />
      <TextField
        control={control}
        name="invoiceRegistrationNumber"
        label={LABELS.invoiceRegistrationNumber}
        width="short"
        placeholder="T1234567890123"
        hint="Tと13桁の数字"
      />
      <p role="status">
        {!isIssuer &&
          number?.trim() &&
          '登録番号が入力されていますが「登録なし」です。このままでは、支払通知書に「登録なし」と記載されます。登録がある場合は「登録あり」にしてください。'}
      </p>
    </FormSection>
  )
}

function StatusFields({ control }: Part) {
  return (
    <FormSection title="契約の状態" note="解約した月までの収益は精算されます。">
      <SwitchField
        control={control}
        name="isPaymentDisabled"
        label="お支払い"
        on="停止する（残高は繰り越されます）"
        off="支払う"
      />
      <DateField
        control={control}
        name="terminatedAt"
        label={LABELS.terminatedAt}
        hint="空欄の場合は有効な契約です。"
      />
    </FormSection>
  )
}
