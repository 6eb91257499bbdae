import { fieldsOfMonth } from '@pc/domain/agreement/terms-history.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, monthOfDay } from '@pc/domain/month/year-month.ts'
import { useAgreementSearch } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { SwitchField } from '@pc/ui/form/choice-field.tsx'
import { comingTermsHint } from '@pc/ui/form/coming-terms.ts'
import { MonthField } from '@pc/ui/form/date-field.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { RateField, YenField } from '@pc/ui/form/number-field.tsx'
import { SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type Control, type FieldPath, type PathValue, useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import styles from './publisher.module.css'
import type { PublisherRights } from './publisher-rights.ts'
import { NEW_RULE, type PublisherValues, RATES, type ruleHistoriesOf } from './publisher-values.ts'

interface RulesProps {
  control: Control<PublisherValues>
  today: Day
  rights: PublisherRights
  histories: ReturnType<typeof ruleHistoriesOf>
}

/** Months ahead from which new terms may apply. */
const MONTHS_AHEAD = 24

/** One block per agreement: four rates, participation in the SSP allocation, fixed and minimum amounts. */
export function PublisherRules({ control, today, rights, histories }: RulesProps) {
  const { getValues, setValue } = useFormContext<PublisherValues>()
  const { fields, append, remove } = useFieldArray({ control, name: 'agreementPublisherRules' })
  const [values, validFromMonth] = useWatch({ control, name: ['agreementPublisherRules', 'validFromMonth'] })
  type Name = FieldPath<PublisherValues>
  const isLocked = !rights.sendable.rules
  return (
    <FormSection
      title="契約条件"
      note="契約ごとの支払率です。変更は適用開始月から有効になり、それより前の月は変わりません。"
    >
      {fields.length > 0 && !isLocked && (
        <MonthField
          control={control}
          name="validFromMonth"
          label="適用開始月"
          latest={addMonths(monthOfDay(today), MONTHS_AHEAD)}
          hint={comingTermsHint([...histories.values()], validFromMonth)}
          onChosen={months => {
            // All terms are saved from the chosen month on, so untouched fields must show the terms of that month.
            for (const [index, rule] of getValues('agreementPublisherRules').entries()) {
              const changed = fieldsOfMonth(histories.get(rule.agreementId?.id ?? '') ?? [], rule, months)
              for (const [field, value] of Object.entries(changed))
                setValue(
                  `agreementPublisherRules.${index}.${field}` as Name,
                  value as PathValue<PublisherValues, Name>,
                  {
                    shouldDirty: true,
                  },
                )
            }
          }}
        />
      )}
      {fields.length === 0 && <p className={styles.none}>契約条件はまだありません。</p>}
      {fields.map((field, index) => {
        const isSaved = (values[index]?.revision ?? null) !== null
        return (
          <fieldset key={field.id} className={styles.rule}>
            <legend>{`契約条件 ${index + 1}`}</legend>
            <Rule control={control} index={index} rights={rights} isSaved={isSaved} />
            {!isSaved && !isLocked && (
              <div>
                <Button tone="quiet" icon={<IconTrash size={16} aria-hidden />} onClick={() => remove(index)}>
                  {`契約条件 ${index + 1} を取り消す`}
                </Button>
              </div>
            )}
          </fieldset>
        )
      })}
      {!isLocked && (
        <div>
          <Button icon={<IconPlus size={16} aria-hidden />} onClick={() => append(NEW_RULE)}>
            契約条件を追加
          </Button>
        </div>
      )}
    </FormSection>
  )
}

interface RuleProps {
  control: Control<PublisherValues>
  index: number
  rights: PublisherRights
  isSaved: boolean
}

function Rule({ control, index, rights, isSaved }: RuleProps) {
  const organization = useWatch({ control, name: 'organizationId' })
  const search = useAgreementSearch({ organizationId: organization?.id })
  const path = `agreementPublisherRules.${index}` as const
  const lock = rights.sendable.rules ? {} : { readOnlyReason: '支払率を変更する権限がありません。' }
  const label = (text: string) => (index === 0 ? text : `${text}（${index + 1}）`)
  return (
    <>
      <SuggestField
        control={control}
        name={`${path}.agreementId`}
        label={label('契約')}
        isRequired
        search={search}
        placeholder="契約名・コードで検索"
        {...(isSaved ? { readOnlyReason: '登録後は変更できません。' } : lock)}
      />
      {rights.shown.withRates && (
        <div className={styles.rates}>
          {RATES.map(({ rate, label: name, target }) => (
            <div key={rate}>
              <RateField control={control} name={`${path}.${rate}`} label={label(`${name}の支払率`)} {...lock} />
              {target && (
                <SwitchField
                  control={control}
                  name={`${path}.${target}`}
                  label={label(`${name}の配分`)}
                  on="対象"
                  off="対象外"
                  {...lock}
                />
              )}
            </div>
          ))}
        </div>
      )}
      {rights.shown.withInHouse && (
        <FieldRow>
          <YenField control={control} name={`${path}.fixedRevenue`} label={label('固定額（月額）')} />
          <YenField control={control} name={`${path}.minimumRevenue`} label={label('最低保証額（月額）')} />
        </FieldRow>
      )}
    </>
  )
}
