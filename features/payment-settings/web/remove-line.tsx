import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { RemoveDatedSettingDocument } from './remove-dated-setting.gen.ts'
import { revisionOf, type Section, type Settings } from './setting-words.ts'

/** Deletes a setting that no finalised month was computed with; otherwise shows why that is not possible. */
export function RemoveLine(props: {
  settings: Settings
  section: Exclude<Section, 'transfer_fee' | 'withholding' | 'settlement_rule'>
  line: { readonly validFromMonth: string }
  /** The name of the list, for the button's label when the screen has several lists. */
  of?: string
  isFirst: boolean
  /** The reason why it is in use, for settings whose use does not depend on finalised months. */
  inUse?: string | undefined
  onRemoved: (() => void) | undefined
}) {
  const { settings, section, line, onRemoved } = props
  const remove = useSubmission(RemoveDatedSettingDocument)
  if (!onRemoved) return null
  const last = settings.lastFinalizedMonth
  const reason = props.isFirst
    ? '最初の行は削除できません'
    : section === 'transfer_source'
      ? props.inUse
      : last !== null && line.validFromMonth <= last
        ? '確定した月に使われた行は削除できません'
        : undefined
  const run = async () => {
    const isAgreed = await confirm({
      title: `${isoMonthText(line.validFromMonth)}分からの行を削除しますか？`,
      body: '一つ前の行がそのまま適用されます。計算済みの月は計算し直してください。',
      action: '行を削除する',
      tone: 'danger',
    })
    if (!isAgreed) return
    try {
      await remove({ section, validFromMonth: line.validFromMonth, expectedRevision: revisionOf(settings, section) })
      showToast({ tone: 'success', message: `${isoMonthText(line.validFromMonth)}分からの行を削除しました。` })
    } catch (error) {
      showToast({
        tone: 'error',
        message: refusalsOf(error)[0]?.message ?? '削除できませんでした。もう一度お試しください。',
      })
    }
    onRemoved()
  }
  return (
    <Button
      tone="quiet"
      disabled={reason !== undefined}
      title={reason}
      aria-label={
        props.of
          ? `${props.of}の${isoMonthText(line.validFromMonth)}からの行を削除`
          : `${isoMonthText(line.validFromMonth)}分からの行を削除`
      }
      onClick={() => void run()}
    >
      削除
    </Button>
  )
}
