import { useQuery } from '@apollo/client/react'
import { isWaiting } from '@pc/domain/bank/pending-bank-account.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import { formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import type { Option } from '@pc/ui/filter/option.ts'
import { SelectField } from '@pc/ui/form/choice-field.tsx'
import { MonthField } from '@pc/ui/form/date-field.tsx'
import { FieldRow, FormSection } from '@pc/ui/form/form-section.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { type Control, useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { BANK_ACCOUNT_CREATE_PATH } from '../../bank-accounts/links.ts'
import styles from './agreement.module.css'
import { type AccountNameFragment, AgreementAccountOptionsDocument } from './agreement-edit.gen.ts'
import type { AgreementValues } from './agreement-values.ts'
import { accountChoice } from './agreement-words.ts'

interface AccountsProps {
  control: Control<AgreementValues>
  latest: YearMonth
  today: Day
  /** Accounts that the agreement uses already, which the list of choices may no longer contain. */
  known: readonly Option[]
  isLocked: boolean
  /** A new agreement takes the only account of its organisation at once. */
  isNew: boolean
}

/** The accounts of an agreement with the month from which each is used. */
export function AgreementAccounts({ control, latest, today, known, isLocked, isNew }: AccountsProps) {
  const organization = useWatch({ control, name: 'organizationId' })
  const { fields, append, remove } = useFieldArray({ control, name: 'agreementBankAccounts' })
  const { data } = useQuery(AgreementAccountOptionsDocument, {
    variables: { organizationId: organization?.id ?? null },
    skip: organization === null,
  })
  const found = (data?.bankAccounts?.nodes ?? []).map(one => ({ value: one.id, label: accountChoice(one, today) }))
  const options = [...found, ...known.filter(one => !found.some(other => other.value === one.value))]
  const organizationId = organization?.id
  useOnlyAccount({
    organizationId: isNew && !isLocked ? organizationId : undefined,
    accounts: data?.bankAccounts?.nodes,
    today,
    choose: append,
  })
  return (
    <FormSection
      title="振込口座"
      note="利用開始月から、その口座に支払います。承認済みで、承認から3日が過ぎた口座を設定できます。"
    >
      {fields.length === 0 && (
        <p className={styles.none}>
          口座はまだ設定されていません。
          {organization !== null && data?.bankAccounts && options.length === 0 && (
            <>
              この組織には、承認済みの口座がありません。
              <a href={addressOf(BANK_ACCOUNT_CREATE_PATH)} target="_blank" rel="noreferrer">
                口座を申請する（新しいタブ）
              </a>
            </>
          )}
        </p>
      )}
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

interface OnlyAccount {
  /** Undefined: nothing is chosen. */
  organizationId: string | undefined
  accounts: readonly AccountNameFragment[] | undefined
  today: Day
  choose: (account: AgreementValues['agreementBankAccounts'][number]) => void
}

/** Chooses the account of an organisation that has a single one, once per organisation, so that it can be removed. */
function useOnlyAccount({ organizationId, accounts, today, choose }: OnlyAccount) {
  const chosenFor = useRef<string>(undefined)
  const { getValues } = useFormContext<AgreementValues>()
  useEffect(() => {
    if (organizationId === undefined || accounts === undefined || chosenFor.current === organizationId) return
    chosenFor.current = organizationId
    const [only, ...others] = accounts
    if (!only || others.length > 0 || getValues('agreementBankAccounts').length > 0) return
    if (only.usableFrom !== null && isWaiting(day(only.usableFrom), today)) return
    const month = getValues('validFromMonth') ?? formatYearMonth(monthOfDay(today))
    choose({ bankAccountId: only.id, usedFromMonth: month })
  }, [organizationId, accounts, today, choose, getValues])
}
