import type { Day } from '@pc/domain/month/day.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { RadioField, SwitchField } from '@pc/ui/form/choice-field.tsx'
import { DateField } from '@pc/ui/form/date-field.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { RateField } from '@pc/ui/form/number-field.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { Suspense } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { AgreementValues, PlatformFacts } from './agreement-values.ts'
import { COVERAGES, PAYEE_KINDS, RESIDENCES } from './agreement-words.ts'

/** The rules of law with their texts, a separate chunk. Until it is loaded, only the server checks them. */
let law: typeof import('./law-findings.tsx') | undefined
const LawFindings = lazy(async () => {
  law = await import('./law-findings.tsx')
  return { default: law.LawFindings }
})

/** The fields that the law forbids to save; empty while the rules are not loaded. */
export function lawProblems(values: AgreementValues, platform: PlatformFacts, today: Day): readonly FieldProblem[] {
  return law?.lawProblems(values, platform, today) ?? []
}

/** Which acts protect the payee, and what the rules in force today say about the values in the form. */
export function AgreementLaw({
  control,
  platform,
  today,
  isUnconfirmed,
}: {
  control: Control<AgreementValues>
  platform: PlatformFacts
  today: Day
  /** Whether kind, residence and registration of the payee are not confirmed yet. */
  isUnconfirmed: boolean
}) {
  return (
    <FormSection
      title="法令の確認"
      badge={<Badge tone="mute">運営のみ</Badge>}
      note="取適法（中小受託取引適正化法）・フリーランス法・消費税法に照らして、入力中の条件を確認します。取適法は資本金と従業員数、フリーランス法は従業員を使用しているかで、対象かどうかが決まります。"
    >
      {isUnconfirmed && (
        <p role="note">
          <Badge tone="warn">未確認</Badge>{' '}
          支払先の区分・居住地・適格請求書発行事業者の登録は、初期値のままです。確認して保存すると、確認済みになります。
        </p>
      )}
      <RadioField control={control} name="payeeKind" label="支払先の区分" options={PAYEE_KINDS} />
      <PayeeResidence control={control} />
      <RadioField control={control} name="smallSupplierCoverage" label="取適法の対象か" options={COVERAGES} />
      <RadioField control={control} name="freelanceCoverage" label="フリーランス法の対象か" options={COVERAGES} />
      <SwitchField
        control={control}
        name="isShiftAgreedInWriting"
        label="休業日による支払日の順延"
        on="書面の合意あり"
        off="書面の合意なし"
      />
      <Suspense fallback={null}>
        <LawFindings control={control} platform={platform} today={today} />
      </Suspense>
    </FormSection>
  )
}

/** The payee's residence and, for a non-resident, the treaty form, which decides the withholding rate. */
function PayeeResidence({ control }: { control: Control<AgreementValues> }) {
  const residence = useWatch({ control, name: 'payeeResidence' })
  return (
    <>
      <RadioField
        control={control}
        name="payeeResidence"
        label="居住地"
        options={RESIDENCES}
        hint="個人は住所、法人は本店の所在地で決まります。"
      />
      {residence === 'non_resident' && (
        <>
          <p>
            非居住者・外国法人への支払は、個人・法人とも、税抜の支払額の全額に「支払の基準」の非居住者の税率（20.42%）で源泉徴収します。租税条約に関する届出書を受け取っている場合は、適用する期間の支払だけを届出書の税率にします。国内源泉所得にあたるかどうかと条約の税率は、税理士または税務署に確認してください。消費税は、契約の設定のまま計算します。
          </p>
          <FieldRow>
            <DateField
              control={control}
              name="treatyFormFrom"
              label="届出書の適用開始日（支払日）"
              hint="届出書は、支払日の前日までに税務署へ提出する必要があります。"
            />
            <DateField control={control} name="treatyFormTo" label="届出書の適用終了日" hint="空欄の場合は期限なし" />
            <RateField
              control={control}
              name="treatyFormRate"
              label="届出書の源泉徴収の税率"
              hint="免除の場合は0%。届出書がない場合は3つとも空欄"
            />
          </FieldRow>
        </>
      )}
    </>
  )
}
