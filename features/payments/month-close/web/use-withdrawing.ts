import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { kindLabel, type ManualOperation } from '../../core/web/manual-operation-words.ts'
import { WithdrawManualOperationDocument } from './withdraw-manual-operation.gen.ts'

/** Withdraws one failed entry after a confirmation. */
export function useWithdrawing(mediumName: (id: string) => string, onDone: () => void) {
  const submit = useSubmission(WithdrawManualOperationDocument)
  return async (row: ManualOperation) => {
    const name = `${mediumName(row.mediumId)}の「${kindLabel(row.kind)}」（${formatInteger(row.extraRevenue)}円）`
    const isAgreed = await confirm({
      title: `失敗した${name}を取り下げますか？`,
      body: 'この調整は何も計上していません。取り下げると、確定の妨げにならなくなります。一覧には残ります。',
      action: 'この調整を取り下げる',
    })
    if (!isAgreed) return
    try {
      await submit({ id: row.id })
      showToast({ tone: 'success', message: `${name}を取り下げました。` })
    } catch {
      showToast({ tone: 'error', message: '取り下げられませんでした。一覧を確認してもう一度お試しください。' })
    }
    onDone()
  }
}
