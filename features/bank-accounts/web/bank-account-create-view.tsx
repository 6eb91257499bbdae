import { useApolloClient, useQuery } from '@apollo/client/react'
import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { BANK_ACCOUNT_REFUSALS_JA as TEXTS } from '@pc/domain/bank/bank-account-refusals.ja.ts'
import { BANK_REFUSALS_JA } from '@pc/domain/bank/bank-refusals.ja.ts'
import { BANK_ACCOUNT_WAITING_DAYS } from '@pc/domain/bank/pending-bank-account.ts'
import { useOrganizationSearch } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { CheckboxesField, RadioField } from '@pc/ui/form/choice-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { type Choice, SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { TextField } from '@pc/ui/form/text-field.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import { useEffect, useRef } from 'react'
import { type Control, type UseFormSetValue, useFormContext, useWatch } from 'react-hook-form'
import type { BankAccountDraftCondition } from '../bank-account-condition.ts'
import { BANK_ACCOUNTS_PATH } from '../links.ts'
import { ACCOUNT_TYPES, type AccountType } from './bank-account-words.ts'
import {
  AgreementsOfAccountDocument,
  BankBranchOptionsDocument,
  BankOptionsDocument,
  CreateBankAccountDocument,
} from './bank-accounts.gen.ts'

interface BankAccountValues {
  organizationId: Choice | null
  bankId: Choice | null
  bankBranchId: Choice | null
  typeName: AccountType
  number: string
  holder: string
  /** Ids of the agreements that take it as soon as it can be used. */
  agreementIds: string[]
}

const EMPTY: BankAccountValues = {
  ...{ organizationId: null, bankId: null, bankBranchId: null },
  ...{ typeName: 'ordinary', number: '', holder: '', agreementIds: [] },
}

/** Asks for an account; another person approves it before anything is paid there. */
export function BankAccountCreateView({ viewer, condition }: ScreenProps<BankAccountDraftCondition, unknown>) {
  const submit = useSubmission(CreateBankAccountDocument)
  const isStaff = isStaffViewer(viewer)
  return (
    <>
      <ScreenTop title="口座の申請" />
      <EntityForm<BankAccountValues, unknown>
        title="口座の申請"
        initial={EMPTY}
        check={values => checkAccount(values, isStaff)}
        send={values =>
          submit({
            input: {
              ...(isStaff ? { organizationId: values.organizationId?.id ?? null } : {}),
              bankId: values.bankId?.id ?? '',
              bankBranchId: values.bankBranchId?.id ?? '',
              typeName: values.typeName,
              number: values.number,
              holder: values.holder,
              agreementIds: values.agreementIds,
            },
          })
        }
        saved={(_saved, values) => ({
          message: savedMessage(isStaff, values.agreementIds.length),
          address: addressOf(BANK_ACCOUNTS_PATH),
        })}
        cancelAddress={addressOf(BANK_ACCOUNTS_PATH)}
        submitLabel="口座を申請する"
        busyLabel="送信しています…"
      >
        {control => (
          <AccountFields control={control} isStaff={isStaff} isForAll={!isStaff && condition.agreements === 'all'} />
        )}
      </EntityForm>
    </>
  )
}

function savedMessage(isStaff: boolean, agreementCount: number): string {
  const requested = isStaff
    ? '口座を申請しました。ほかの管理者が承認すると使えるようになります。'
    : '口座を申請しました。運営の担当者が承認すると、メールでお知らせします。'
  return agreementCount === 0
    ? requested
    : `${requested}選択した契約は、承認から${BANK_ACCOUNT_WAITING_DAYS}日後に切り替わります。`
}

interface Part {
  control: Control<BankAccountValues>
  isStaff: boolean
  /** Whether all agreements are chosen at first. */
  isForAll: boolean
}

function AccountFields({ control, isStaff, isForAll }: Part) {
  const client = useApolloClient()
  const searchOrganizations = useOrganizationSearch()
  const bank = useWatch({ control, name: 'bankId' })
  const { setValue } = useFormContext() as { setValue: UseFormSetValue<BankAccountValues> }
  const searchBanks = async (q: string) => {
    const { data } = await client.query({ query: BankOptionsDocument, variables: { q } })
    return choices(data?.banks?.nodes)
  }
  const searchBranches = async (q: string) => {
    if (!bank) return []
    const { data } = await client.query({ query: BankBranchOptionsDocument, variables: { bankId: bank.id, q } })
    return choices(data?.bankBranches?.nodes)
  }
  return (
    <>
      {isStaff && (
        <FormSection title="組織" note="口座を持つ組織です。">
          <SuggestField
            control={control}
            name="organizationId"
            label="組織"
            isRequired
            search={searchOrganizations}
            placeholder="組織名で検索"
            onChoose={() => setValue('agreementIds', [], { shouldDirty: true })}
          />
        </FormSection>
      )}
      <FormSection
        title="口座"
        note={
          isStaff
            ? '申請すると、ほかの管理者が内容を確認して承認します。'
            : '申請すると、運営の担当者が内容を確認して承認します。'
        }
      >
        <SuggestField
          control={control}
          name="bankId"
          label="銀行"
          isRequired
          search={searchBanks}
          placeholder="銀行名・よみ・コードで検索"
          onChoose={() => setValue('bankBranchId', null, { shouldDirty: true })}
        />
        <SuggestField
          key={bank?.id}
          control={control}
          name="bankBranchId"
          label="支店"
          isRequired
          search={searchBranches}
          placeholder="支店名・よみ・コードで検索"
          {...(bank ? {} : { readOnlyReason: '先に銀行を選択してください。' })}
        />
        <RadioField control={control} name="typeName" label="種別" options={ACCOUNT_TYPES} />
        <TextField
          control={control}
          name="number"
          label="口座番号"
          isRequired
          width="short"
          maxLength={20}
          hint="7桁以内の数字"
          tidy={text => text.normalize('NFKC').replace(/[\s-]/g, '')}
        />
        <TextField
          control={control}
          name="holder"
          label="口座名義"
          isRequired
          maxLength={100}
          hint="カナで入力すると、銀行の形式（半角カナ）に変換します。例：カブシキガイシャ トウト → ｶ)ﾄｳﾄ"
          tidy={toKana}
        />
      </FormSection>
      <AgreementFields {...{ control, isStaff, isForAll }} />
    </>
  )
}

/** Which agreements take the account: they change without anybody having to come back. */
function AgreementFields({ control, isStaff, isForAll }: Part) {
  const organization = useWatch({ control, name: 'organizationId' })
  const { setValue, getValues } = useFormContext<BankAccountValues>()
  const isAskable = !isStaff || organization !== null
  const { data, error, refetch } = useQuery(AgreementsOfAccountDocument, {
    variables: { organizationId: organization?.id ?? null },
    skip: !isAskable,
  })
  const list = data?.agreements
  const options = (list?.nodes ?? []).map(({ id, name, code, inUseAgreementBankAccount: used }) => {
    const bank = used?.bankAccount?.bank?.name
    return { value: id, label: `${name}（${code}）　現在：${bank ?? '口座なし'}` }
  })
  const choose = (ids: string[]) => setValue('agreementIds', ids, { shouldDirty: true })
  const hasChosen = useRef(false)
  useEffect(() => {
    if (!isForAll || hasChosen.current || !list) return
    hasChosen.current = true
    // An entry that was kept from an earlier visit stays as it is.
    if (getValues('agreementIds').length === 0)
      setValue(
        'agreementIds',
        list.nodes.map(({ id }) => id),
        { shouldDirty: true },
      )
  }, [isForAll, list, getValues, setValue])
  return (
    <FormSection
      title="この口座に切り替える契約"
      note={`承認から${BANK_ACCOUNT_WAITING_DAYS}日が過ぎると、選択した契約の振込口座が自動で切り替わります。確定した月のお支払いは変わりません。`}
    >
      {!isAskable && <p>組織を選択すると、契約を選択できます。</p>}
      {isAskable && error && (
        <p role="alert">
          契約を読み込めませんでした。 <Button onClick={() => void refetch()}>もう一度読み込む</Button>
        </p>
      )}
      {isAskable && list && options.length === 0 && <p>切り替えられる契約はありません。</p>}
      {options.length > 0 && (
        <>
          {options.length > 1 && (
            <div>
              <Button onClick={() => choose(options.map(({ value }) => value))}>すべての契約を選択</Button>
            </div>
          )}
          <CheckboxesField control={control} name="agreementIds" label="契約" options={options} />
          {list !== undefined && list !== null && list.total > options.length && (
            <p>{`${options.length}件までを表示しています。ほかの契約は、契約の編集画面で設定してください。`}</p>
          )}
        </>
      )}
    </FormSection>
  )
}

function choices(
  nodes: readonly { id: string; code: string; name: string; isGone: boolean }[] | undefined,
): readonly Choice[] {
  if (!nodes) throw new Error('the banks did not arrive')
  return nodes.filter(node => !node.isGone).map(({ id, name, code }) => ({ id, name, note: code }))
}

/** Left as it is when it cannot be written in the banks' characters: the check says why. */
function toKana(text: string): string {
  const kana = toAccountHolderKana(text)
  return kana.ok ? kana.value : text
}

function checkAccount(values: BankAccountValues, isStaff: boolean): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (name: keyof BankAccountValues, message: string) => problems.push({ name, message })
  if (isStaff && values.organizationId === null) add('organizationId', TEXTS['bank-account/organization-required']())
  if (values.bankId === null) add('bankId', TEXTS['bank-account/bank-unknown']())
  if (values.bankBranchId === null) add('bankBranchId', TEXTS['bank-account/branch-unknown']())
  if (!/^\d{1,7}$/.test(values.number)) add('number', TEXTS['bank-account/number-wrong']())
  const holder = toAccountHolderKana(values.holder)
  if (!holder.ok) for (const { code, data } of holder.refusals) add('holder', BANK_REFUSALS_JA[code](data))
  return problems
}
