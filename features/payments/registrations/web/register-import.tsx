import { Button } from '@pc/ui/elements/button.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { base64Of, fileSizeProblem } from '@pc/ui/form/sent-file.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useRef, useState } from 'react'
import { ImportInvoiceRegisterDocument } from './registrations.gen.ts'

/** Uploads a file of the public register: the published CSV, or a table with its three columns. */
export function RegisterImport({ onImported }: { onImported: () => void }) {
  const file = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = useSubmission(ImportInvoiceRegisterDocument)
  const load = async (chosen: File) => {
    setBusy(true)
    try {
      // The complete register exceeds the limit; its difference files, or a list of the own payees, do not.
      const tooLarge = fileSizeProblem(chosen)
      if (tooLarge) return showMessage(`${tooLarge}差分データか、支払先だけの一覧を使えます。`)
      const { importInvoiceRegister: outcome } = await submit({ name: chosen.name, content: await base64Of(chosen) })
      const [known, changed] = [formatInteger(outcome.known), formatInteger(outcome.changed)]
      showToast({ tone: 'success', message: `支払先の登録番号${known}件を確認しました（変更${changed}件）。` })
      onImported()
    } catch (error) {
      const texts = refusalsOf(error).map(refusal => refusal.message)
      showMessage(texts.join(' ') || '取り込めませんでした。もう一度お試しください。')
    } finally {
      setBusy(false)
      if (file.current) file.current.value = ''
    }
  }
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".csv,text/csv"
        aria-label="登録番号のCSVファイル"
        className="visually-hidden"
        tabIndex={-1}
        onChange={event => {
          const chosen = event.target.files?.[0]
          if (chosen) void load(chosen)
        }}
      />
      <Button tone="primary" disabled={isBusy} onClick={() => file.current?.click()}>
        {isBusy ? '取り込んでいます…' : '公表サイトのCSVを取り込む'}
      </Button>
    </>
  )
}

function showMessage(message: string): void {
  showToast({ tone: 'warning', message })
}
