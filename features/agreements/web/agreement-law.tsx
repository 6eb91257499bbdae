import type { Day } from '@pc/domain/month/day.ts'
import { Badge } from '@pc/ui/card.tsx'
import { RadioField, SwitchField } from '@pc/ui/form/choice-field.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { lazy } from '@pc/ui/lazy.ts'
import { Suspense } from 'react'
import type { Control } from 'react-hook-form'
import type { AgreementValues } from './agreement-values.ts'
import { COVERAGES, PAYEE_KINDS } from './agreement-words.ts'

/** The rules with their texts, loaded apart; until they have come the server alone refuses. */
let law: typeof import('./law-findings.tsx') | undefined
const LawFindings = lazy(async () => {
  law = await import('./law-findings.tsx')
  return { default: law.LawFindings }
})

/** What the law forbids of the values that are to be saved. */
export function lawProblems(values: AgreementValues, today: Day): readonly FieldProblem[] {
  return law?.lawProblems(values, today) ?? []
}

/** Whom the acts protect, and what the rules in force today say about the terms while they are being entered. */
export function AgreementLaw({ control, today }: { control: Control<AgreementValues>; today: Day }) {
  return (
    <FormSection
      title="法令の確認"
      badge={<Badge tone="mute">社内のみ</Badge>}
      note="取適法（中小受託取引適正化法）・フリーランス法・消費税法に照らして、入力中の条件を確認します。取適法は資本金と従業員数、フリーランス法は従業員を使用しているかで、対象かどうかが決まります。"
    >
      <RadioField control={control} name="payeeKind" label="支払先の区分" options={PAYEE_KINDS} />
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
        <LawFindings control={control} today={today} />
      </Suspense>
    </FormSection>
  )
}
