import { useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import type { Option } from '@pc/ui/filter/option.ts'
import { SelectField } from '@pc/ui/form/choice-field.tsx'
import { MonthField } from '@pc/ui/form/date-field.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type Control, useFieldArray, useWatch } from 'react-hook-form'
import styles from './agreement.module.css'
import { AgreementAccountOptionsDocument } from './agreement-edit.gen.ts'
import type { AgreementValues } from './agreement-values.ts'
import { accountChoice } from './agreement-words.ts'

interface AccountsProps {
  control: Control<AgreementValues>
  latest: YearMonth
  today: Day
  /** Accounts that the agreement uses already, which the list of choices may no longer contain. */
  known: readonly Option[]
  isLocked: boolean
}

/** The accounts of an agreement with the month from which each is used. */
export function AgreementAccounts({ control, latest, today, known, isLocked }: AccountsProps) {
  const organization = useWatch({ control, name: 'organizationId' })
  const { fields, append, remove } = useFieldArray({ control, name: 'agreementBankAccounts' })
  const { data } = useQuery(AgreementAccountOptionsDocument, {
    variables: { organizationId: organization?.id ?? null },
    skip: organization === null,
  })
  const found = (data?.bankAccounts?.nodes ?? []).map(one => ({ value: one.id, label: accountChoice(one, today) }))
  const options = [...found, ...known.filter(one => !found.some(other => other.value === one.value))]
  return (
    <FormSection
      title="振込口座"
      note="利用開始月から、その口座に支払います。承認済みで、承認から3日が過ぎた口座を設定できます。"
    >
      {fields.length === 0 && <p className={styles.none}>口座はまだ設定されていません。</p>}
      {fields.map((field, index) => (
        <FieldRow key={field.id}>
          <SelectField
            control={control}
            name={`agreementBankAccounts.${index}.bankAccountId`}
            label={fields.length > 1 ? `口座（${index + 1}件目）` : '口座'}
            isRequired
            options={options}
          />
          <MonthField
            control={control}
            name={`agreementBankAccounts.${index}.usedFromMonth`}
            label={fields.length > 1 ? `利用開始月（${index + 1}件目）` : '利用開始月'}
            isRequired
            latest={latest}
          />
          {!isLocked && (
            <span className={styles.removeAccount}>
              <Button
                tone="quiet"
                aria-label={`${index + 1}件目の口座を外す`}
                icon={<IconTrash size={16} aria-hidden />}
                onClick={() => remove(index)}
              >
                外す
              </Button>
            </span>
          )}
        </FieldRow>
      ))}
      {!isLocked && (
        <div>
          <Button
            icon={<IconPlus size={16} aria-hidden />}
            disabled={organization === null}
            title={organization === null ? '先に組織を選択してください' : undefined}
            onClick={() => append({ bankAccountId: null, usedFromMonth: formatYearMonth(monthOfDay(today)) })}
          >
            口座を追加
          </Button>
        </div>
      )}
    </FormSection>
  )
}
