import { ROLES } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { MAX_GRACE_DAYS } from '@pc/domain/access/second-factor.ts'
import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { SwitchField } from '@pc/ui/form/choice-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { IntegerField } from '@pc/ui/form/number-field.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { SECOND_FACTOR_PATH } from '../links.ts'
import styles from './access.module.css'
import {
  SaveSecondFactorRuleDocument,
  SecondFactorRuleDocument,
  type SecondFactorRuleQuery,
} from './second-factor-iam.gen.ts'

type Rule = SecondFactorRuleQuery['secondFactorRule']
interface Values {
  isRequired: boolean
  graceDays: number | null
}

function check({ graceDays }: Values): readonly FieldProblem[] {
  if (graceDays !== null && graceDays >= 0 && graceDays <= MAX_GRACE_DAYS) return []
  const message = USER_REFUSALS_JA['second-factor-rule/grace-out-of-range']({ max: MAX_GRACE_DAYS })
  return [{ name: 'graceDays', message }]
}

const valuesOf = ({ isRequired, graceDays }: Rule): Values => ({ isRequired, graceDays })

/** Whether people who move money or manage accounts need a second factor, and who has none yet. */
export function SecondFactorRuleView({ data, error, isLoading, retry }: ScreenProps<object, SecondFactorRuleQuery>) {
  return (
    <>
      <ScreenTop title="2段階認証" note="お金やアカウントを扱うロールに、2段階認証を求めるかどうかを決めます" />
      <div className={styles.stack}>
        {data ? (
          <>
            <People rule={data.secondFactorRule} people={data.peopleWithoutSecondFactor} />
            <RuleForm key={data.secondFactorRule.revision} rule={data.secondFactorRule} />
          </>
        ) : (
          <Card title="2段階認証">
            {error && !isLoading ? <FailedContent onRetry={retry} /> : <Skeleton height={200} />}
          </Card>
        )}
      </div>
    </>
  )
}

function People({ rule, people }: { rule: Rule; people: SecondFactorRuleQuery['peopleWithoutSecondFactor'] }) {
  const labels = ROLES.filter(role => rule.roles.includes(role)).map(role => ROLE_LABELS_JA[role].label)
  const further = people.total - people.emails.length
  return (
    <Card title="対象">
      <dl className={styles.facts}>
        <dt>対象のロール</dt>
        <dd>{labels.join('、')}</dd>
        {rule.isRequired && (
          <>
            <dt>必須にした日時</dt>
            <dd>{formatInstant(rule.requiredFrom)}</dd>
          </>
        )}
        <dt>未設定の人</dt>
        <dd>
          {rule.isAtIssuer
            ? '会社のアカウントの設定によります。サインインのたびに確認します。'
            : people.total === 0
              ? 'いません'
              : `${people.total}人：${people.emails.join('、')}${further > 0 ? `、ほか${further}人` : ''}`}
        </dd>
      </dl>
    </Card>
  )
}

function RuleForm({ rule }: { rule: Rule }) {
  const save = useSubmission(SaveSecondFactorRuleDocument, 'iam')
  const client = useClientOf('iam')
  const here = addressOf(SECOND_FACTOR_PATH)
  return (
    <EntityForm<Values, unknown>
      title="2段階認証の設定"
      initial={valuesOf(rule)}
      revision={rule.revision}
      check={check}
      send={async ({ isRequired, graceDays }, expectedRevision) => {
        await save({
          isRequired,
          graceDays: graceDays ?? 0,
          ...(expectedRevision === undefined ? {} : { expectedRevision }),
        })
        // Reloads, so that the list and the form start from the saved rule.
        await client.query({ query: SecondFactorRuleDocument, fetchPolicy: 'network-only' })
      }}
      saved={() => ({ message: '2段階認証の設定を保存しました。', address: here })}
      loadLatest={async () => {
        const answer = await client.query({ query: SecondFactorRuleDocument, fetchPolicy: 'no-cache' })
        const latest = answer.data?.secondFactorRule
        if (!latest) throw new Error('no rule')
        return { values: valuesOf(latest), revision: latest.revision }
      }}
      cancelAddress={here}
    >
      {control => (
        <FormSection title="設定">
          <SwitchField
            control={control}
            name="isRequired"
            label="2段階認証"
            on="必須にする"
            off="任意にする"
            hint="必須にすると、期限までに設定していない人は、設定が終わるまで利用できなくなります。"
          />
          <IntegerField
            control={control}
            name="graceDays"
            label="猶予期間"
            unit="日"
            hint="必須にした日、または対象のロールを付与された日から数えます。0日にすると、次の操作から必要になります。"
          />
        </FormSection>
      )}
    </EntityForm>
  )
}
