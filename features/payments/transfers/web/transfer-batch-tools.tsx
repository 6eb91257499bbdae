import { useApolloClient } from '@apollo/client/react'
import { isExportRefused } from '@pc/domain/transfer/transfer-action-refusal.ts'
import { MAX_TRANSFER_REASON } from '@pc/domain/transfer/transfer-reason.ts'
import { saveBase64 } from '@pc/ui/data/save-base64.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { CancelTransferBatchDocument } from './cancel-transfer-batch.gen.ts'
import { ExportTransferBatchDocument } from './export-transfer-batch.gen.ts'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'
import { TransferFileDocument } from './transfer-file.gen.ts'
import { TransferResultTemplateDocument } from './transfer-result-template.gen.ts'

type Batch = NonNullable<TransferBatchQuery['transferBatch']>

/** The downloads of a bank file, and the cancellation of a batch whose file was not written. */
export function BatchTools({ batch, onChange }: { batch: Batch; onChange: () => void }) {
  const client = useApolloClient()
  const exportBatch = useSubmission(ExportTransferBatchDocument)
  const cancel = useSubmission(CancelTransferBatchDocument)
  const [isCancelling, setCancelling] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // Errors are ignored here, because the client has shown them as a toast already.
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch {
    } finally {
      setBusy(false)
      onChange()
    }
  }
  const download = async (query: typeof TransferFileDocument | typeof TransferResultTemplateDocument) => {
    const request = { variables: { id: batch.id }, fetchPolicy: 'no-cache', errorPolicy: 'none' } as const
    if (query === TransferFileDocument) {
      const { data } = await client.query({ query: TransferFileDocument, ...request })
      const file = data?.transferFile
      if (file) saveBase64(file.fileName, file.contentBase64)
    } else {
      const { data } = await client.query({ query: TransferResultTemplateDocument, ...request })
      const file = data?.transferResultTemplate
      if (file) saveBase64(file.fileName, file.contentBase64)
    }
  }
  const late = batch.findings.filter(each => each.code === 'transfer/late-by-law')
  const isUnlawful = batch.findings.some(each => isExportRefused(each.code, true))
  const first = () =>
    attempt(async () => {
      const isAgreed = await confirm({
        title: `振込データ${batch.id}を出力しますか？`,
        body: `${late.length === 0 ? '' : `法定の期限を過ぎる支払が${formatInteger(late.length)}件あります。「出力前の確認」の内容を確認しましたか？ `}${formatInteger(batch.transferCount + batch.sentAgainCount)}件、合計 ${formatInteger(batch.transferAmount + batch.sentAgainAmount)}円のファイルを出力します。支払は「振込データ作成済み」になり、この振込データは取り消せなくなります。`,
        action: '出力する',
      })
      if (!isAgreed) return
      await exportBatch({ id: batch.id, isLateAcknowledged: late.length > 0 })
      await download(TransferFileDocument)
      showToast({ tone: 'success', message: '振込データを出力しました。銀行に送信してください。' })
    })
  const isGivenUp = batch.sentAgainCount > 0 && batch.sentAgainPlannedCount === 0 && !batch.exportedAt
  if (batch.cancelledCount > 0 || isGivenUp) return null
  if (!batch.exportedAt) {
    return (
      <>
        <Button aria-disabled={isBusy} onClick={() => !isBusy && setCancelling(true)}>
          取り消す
        </Button>
        <Button
          tone="primary"
          aria-disabled={isBusy}
          disabled={isUnlawful}
          icon={<IconDownload size={16} aria-hidden />}
          onClick={() => void first()}
        >
          振込データを出力する
        </Button>
        {isCancelling && (
          <ReasonDialog
            title="振込データの取り消し"
            about={batch.id}
            note="銀行には何も送られていません。支払は「これから振り込む支払」に戻ります。"
            label="取り消す理由"
            action="取り消す"
            maxLength={MAX_TRANSFER_REASON}
            onClose={() => setCancelling(false)}
            onSubmit={async reason => {
              await cancel({ id: batch.id, reason })
              setCancelling(false)
              showToast({ tone: 'success', message: `振込データ${batch.id}を取り消しました。` })
              onChange()
            }}
          />
        )}
      </>
    )
  }
  return (
    <>
      <Button aria-disabled={isBusy} onClick={() => void attempt(() => download(TransferResultTemplateDocument))}>
        結果の記入用CSV
      </Button>
      <Button
        aria-disabled={isBusy}
        icon={<IconDownload size={16} aria-hidden />}
        onClick={() => void attempt(() => download(TransferFileDocument))}
      >
        振込データをダウンロード
      </Button>
    </>
  )
}
