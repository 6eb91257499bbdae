import { blockingFindings, type LawFinding, lawFindings } from '@pc/domain/agreement/law-guard.ts'
import type { LawSeverity } from '@pc/domain/agreement/law-rule.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { Badge, type BadgeTone } from '@pc/ui/elements/card.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { type Control, useController, useWatch } from 'react-hook-form'
import styles from './agreement.module.css'
import { type AgreementValues, factsOfValues, type PlatformFacts } from './agreement-values.ts'

/**
 * Names of form fields for facts of law that are called differently. The shift over holidays is a platform setting, so
 * its finding is shown at the written agreement about it.
 */
const LAW_FIELDS: Readonly<Record<string, keyof AgreementValues>> = {
  isQualifiedInvoiceIssuer: 'qualifiedInvoiceIssuer',
  businessDayShift: 'isShiftAgreedInWriting',
  payoutThresholdYen: 'payoutThreshold',
}

/** The server's rules and texts of law, so that the form can refuse before it is sent. */
export function lawProblems(values: AgreementValues, platform: PlatformFacts, today: Day): readonly FieldProblem[] {
  const findings = lawFindings(factsOfValues(values, platform), today, values.acknowledgedLawRuleIds)
  return blockingFindings(findings).map(({ field, text }) => ({ name: LAW_FIELDS[field] ?? field, message: text }))
}

const SEVERITIES: Readonly<Record<LawSeverity, readonly [label: string, tone: BadgeTone]>> = {
  error: ['保存できません', 'bad'],
  warning: ['確認が必要', 'warn'],
  note: ['お知らせ', 'mute'],
}

/** What the rules in force today say about the values in the form. */
export function LawFindings(props: { control: Control<AgreementValues>; platform: PlatformFacts; today: Day }) {
  // The form changes its values in place, so the React compiler must not memoise this component.
  'use no memo'
  const { control, platform, today } = props
  const values = useWatch({ control }) as AgreementValues
  const { field } = useController({ control, name: 'acknowledgedLawRuleIds' })
  const findings = lawFindings(factsOfValues(values, platform), today, field.value)
  if (findings.length === 0) {
    return (
      <p className={styles.clean} role="status">
        確認が必要な点は見つかりませんでした。
      </p>
    )
  }
  const acknowledge = (ruleId: string) =>
    field.onChange(
      field.value.includes(ruleId) ? field.value.filter(id => id !== ruleId) : [...field.value, ruleId].sort(),
    )
  return (
    <ul className={styles.findings} aria-label="法令の確認結果">
      {findings.map(finding => (
        <li key={finding.ruleId} data-severity={finding.severity}>
          <Finding finding={finding} onAcknowledge={() => acknowledge(finding.ruleId)} />
        </li>
      ))}
    </ul>
  )
}

function Finding({ finding, onAcknowledge }: { finding: LawFinding; onAcknowledge: () => void }) {
  const [label, tone] = SEVERITIES[finding.severity]
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <p>{finding.text}</p>
      <small>根拠：{finding.source}</small>
      {finding.severity === 'warning' && (
        <label>
          <input type="checkbox" checked={finding.isAcknowledged} onChange={onAcknowledge} />
          内容を確認しました
        </label>
      )}
    </>
  )
}
