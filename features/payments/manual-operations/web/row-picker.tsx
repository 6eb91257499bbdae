import { useAgreementSearch, usePublisherSearch } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { FieldRow } from '@pc/ui/form/form-section.tsx'
import { IntegerField } from '@pc/ui/form/number-field.tsx'
import { SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Control, useFormContext, useWatch } from 'react-hook-form'
import { holdsOf, type ManualOperationValues } from './manual-operation-values.ts'
import { withRow } from './raw-rows.ts'

/** Adds a row by the names of its agreement and publisher, for people who do not know their ids. */
export function RowPicker({ control }: { control: Control<ManualOperationValues> }) {
  const { setValue, getValues, setFocus } = useFormContext<ManualOperationValues>()
  const [kind, mediumId, agreement, publisher, figure] = useWatch({
    control,
    name: ['kind', 'mediumId', 'rowAgreement', 'rowPublisher', 'rowFigure'],
  })
  const searchAgreements = useAgreementSearch({ mediumId: mediumId ?? undefined })
  const searchPublishers = usePublisherSearch()
  const [said, setSaid] = useState('')
  const holds = holdsOf(kind)
  const label = holds === 'amounts' ? '金額' : '重み'
  const isWhole = agreement !== null && publisher !== null && figure !== null
  const add = () => {
    if (!isWhole) return
    const row = {
      ...{ agreementId: agreement.id, publisherId: publisher.id },
      [holds === 'amounts' ? 'amount' : 'weight']: String(figure),
    }
    // Validates only after all fields are changed; earlier messages about the text or the row would no longer be true.
    for (const name of ['rowPublisher', 'rowFigure'] as const) setValue(name, null)
    setValue('rowAgreement', null, { shouldValidate: true })
    setValue('rawText', withRow(getValues('rawText'), holds, row), { shouldDirty: true, shouldValidate: true })
    setSaid(`${agreement.name}・${publisher.name}の行を追加しました`)
    setFocus('rowAgreement')
  }
  return (
    <>
      <FieldRow>
        <SuggestField
          control={control}
          name="rowAgreement"
          label="行に加える契約"
          search={searchAgreements}
          placeholder="契約名・コードで検索"
        />
        <SuggestField
          control={control}
          name="rowPublisher"
          label="行に加えるパブリッシャー"
          search={searchPublishers}
          placeholder="名前・よみがなで検索"
        />
        <IntegerField
          control={control}
          name="rowFigure"
          label={`行に加える${label}`}
          isSigned={holds === 'amounts'}
          {...(holds === 'amounts' ? { unit: '円' } : {})}
        />
      </FieldRow>
      <div>
        <Button
          icon={<IconPlus size={16} aria-hidden />}
          disabled={!isWhole}
          title={isWhole ? undefined : `契約、パブリッシャー、${label}を入力してください`}
          onClick={add}
        >
          行を追加する
        </Button>
        <span role="status" className="visually-hidden">
          {said}
        </span>
      </div>
    </>
  )
}
