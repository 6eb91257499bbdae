import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { EARLIEST_MONTH, monthOfDay, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { MAX_MANUAL_OPERATION_NOTES } from '@pc/domain/payment/manual-operation.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { RadioField, SelectField } from '@pc/ui/form/choice-field.tsx'
import { MonthField } from '@pc/ui/form/date-field.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FieldProblems } from '@pc/ui/form/field-problems.ts'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { IntegerField } from '@pc/ui/form/number-field.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { TextAreaField } from '@pc/ui/form/text-field.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, MissingScreen, ScreenSkeleton } from '@pc/ui/routing/screen-states.tsx'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { KINDS, kindLabel, METHODS } from '../../core/web/manual-operation-words.ts'
import { MONTH_CLOSE_PATH } from '../../links.ts'
import type { ManualOperationDraftCondition } from '../../manual-operation-draft-condition.ts'
import { monthCloseCondition } from '../../month-close-condition.ts'
import { CreateManualOperationDocument } from './create-manual-operation.gen.ts'
import type { MonthOperationQuery } from './manual-operation.gen.ts'
import { ManualOperationPreview } from './manual-operation-preview.tsx'
import { isOperationId } from './manual-operation-query.ts'
import { draftOf, entryOf, isPool, type ManualOperationValues, rowsOf } from './manual-operation-values.ts'
import { RowPicker } from './row-picker.tsx'

function check(values: ManualOperationValues): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (!values.mediumId) problems.push({ name: 'mediumId', message: '媒体を選択してください。' })
  if (isPool(values.kind) && values.amount === null)
    problems.push({ name: 'amount', message: '分配する金額を入力してください。' })
  if (values.kind === 'csv' && values.rawText.trim() === '')
    problems.push({ name: 'rawText', message: '調整する行をCSVで入力してください。' })
  const isHeld = values.rowAgreement !== null || values.rowPublisher !== null || values.rowFigure !== null
  if (values.kind !== 'reset' && isHeld)
    problems.push({
      name: 'rowAgreement',
      message: '入力中の行が残っています。「行を追加する」を押すか、入力を消してください。',
    })
  return problems
}

type CreateProps = ScreenProps<ManualOperationDraftCondition, MonthOperationQuery>

/** Finds the month that the address names, as YYYY-MM or by the id of its operation, and draws the form for it. */
export function ManualOperationCreateView(props: CreateProps) {
  const id = props.ids.operation ?? ''
  const operation = props.data?.monthlyDividendManualOperations?.nodes.find(node => node.id === id)
  const month = parseYearMonth(id) ?? parseYearMonth(operation?.dividendMonth ?? '')
  if (month !== undefined && month >= EARLIEST_MONTH) return <ManualOperationCreateForm {...props} month={month} />
  if (!isOperationId(id)) return <MissingScreen />
  if (props.isLoading) return <ScreenSkeleton title="分配金調整の登録" />
  return props.error ? <FailedContent onRetry={props.retry} /> : <MissingScreen />
}

/** The form for a pool, for corrections line by line, or for a reset. The server's preview is shown before it is booked. */
function ManualOperationCreateForm(props: CreateProps & { month: YearMonth }) {
  const { ids, today, viewer, condition, month } = props
  const id = ids.operation ?? ''
  const submit = useSubmission(CreateManualOperationDocument)
  const [initial] = useState(() => draftOf(condition))
  const title = `分配金調整の登録（${monthText(month)}分）`
  const back = addressOf(MONTH_CLOSE_PATH, monthCloseCondition.format({ month }))
  return (
    <>
      <ScreenTop title={title} />
      <EntityForm<ManualOperationValues, unknown>
        title={title}
        initial={initial}
        check={check}
        send={async values => {
          const { rows, problem } = await rowsOf(values)
          if (problem !== undefined) throw new FieldProblems([{ name: 'rawText', message: problem }])
          return submit({ input: entryOf(values, id), ...(rows.length === 0 ? {} : { rawData: rows }) })
        }}
        saved={(_answer, values) => ({
          message: `${kindLabel((values.kind ?? 'csv') as 'csv')}を登録しました。処理の状態は一覧で確認できます。`,
          address: back,
        })}
        cancelAddress={back}
        submitLabel="登録して処理を開始する"
      >
        {control => (
          <>
            <Fields
              control={control}
              month={month}
              latest={monthOfDay(today)}
              mayReset={viewer.can('write:delete', 'insight:dividend.')}
            />
            <ManualOperationPreview control={control} operation={id} />
          </>
        )}
      </EntityForm>
    </>
  )
}

/** Warns that a reset cannot be undone and reverses every entry of the month, not only a wrong one. */
const resetHint = (month: YearMonth) =>
  `選択した媒体の${monthText(month)}分の調整を、SSP収益などの分配も含めてすべて取り消します。必要な調整は、取り消した後に登録し直してください。1件だけを直すときは、逆の金額を「個別調整（CSV）」で登録します。`

function Fields(props: {
  control: Control<ManualOperationValues>
  month: YearMonth
  latest: YearMonth
  mayReset: boolean
}) {
  const { control } = props
  const media = useMedia()
  const kind = useWatch({ control, name: 'kind' })
  const kinds = KINDS.filter(each => each.value !== 'reset' || props.mayReset)
  return (
    <>
      <FormSection title="調整の内容">
        <SelectField
          control={control}
          name="kind"
          label="種類"
          isRequired
          options={kinds}
          hint={kind === 'reset' ? resetHint(props.month) : undefined}
        />
        <SelectField control={control} name="mediumId" label="媒体" isRequired options={media.options} />
        {kind !== 'reset' && (
          <RadioField
            control={control}
            name="method"
            label="方法"
            options={METHODS}
            hint="「支払」は支払先に計上します。「破棄」は記録だけを残し、支払いません。"
          />
        )}
        {isPool(kind) && <IntegerField control={control} name="amount" label="分配する金額" unit="円" isRequired />}
        {kind !== 'reset' && (
          <MonthField
            control={control}
            name="extraRevenueMonth"
            label="収益の発生月"
            latest={props.latest}
            emptyLabel="対象月と同じ"
          />
        )}
        <TextAreaField control={control} name="notes" label="備考" maxLength={MAX_MANUAL_OPERATION_NOTES} />
      </FormSection>
      {kind !== 'reset' && (
        <FormSection
          title={kind === 'csv' ? '調整する行' : '重みの指定（任意）'}
          note={
            kind === 'csv'
              ? '1行目に見出し「契約ID,パブリッシャーID,金額,理由」を付けて、表計算ソフトから貼り付けられます。減額はマイナスで入力します。理由は「無効トラフィック」「訂正」「その他」のいずれかです（空欄は「その他」）。過去の月の収益を取り消すときは、「収益の発生月」で選ぶか、「対象月」の列に書きます。'
              : '指定しない場合は、統計の値に応じて分配します。見出しは「契約ID,パブリッシャーID,重み」です。'
          }
        >
          <RowPicker control={control} />
          <TextAreaField control={control} name="rawText" label="CSV" maxLength={2_000_000} />
        </FormSection>
      )}
    </>
  )
}
