import { useApolloClient } from '@apollo/client/react'
import { saveFile } from '@pc/ui/data/save-file.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { useFileExports } from '@pc/ui/export/file-exports.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { IconDownload, IconFileUpload, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import styles from './agreement.module.css'
import {
  AddAgreementDocumentDocument,
  AgreementDocumentUploadUrlDocument,
  AgreementEditDocument,
  type ContractDocumentFragment,
  RemoveAgreementDocumentDocument,
} from './agreement-edit.gen.ts'

interface AgreementDocumentsProps {
  agreementId: string
  documents: readonly ContractDocumentFragment[]
  canChange: boolean
}

const MAX_BYTES = 20 * 1024 * 1024
const NOT_SAVED = 'ファイルを登録できませんでした。通信状態を確認して、もう一度お試しください。'

/** The contract files of an agreement. They are added and removed at once, not when the form is saved. */
export function AgreementDocuments({ agreementId, documents, canChange }: AgreementDocumentsProps) {
  const [problem, setProblem] = useState<string>()
  const client = useApolloClient()
  const remove = useSubmission(RemoveAgreementDocumentDocument)
  const showAgain = () => client.refetchQueries({ include: [AgreementEditDocument] })
  const askAndRemove = async ({ id, fileName }: ContractDocumentFragment) => {
    const isAgreed = await confirm({
      title: `「${fileName}」を契約から削除しますか？`,
      body: 'パブリッシャーの画面からも見えなくなります。操作の記録は残ります。',
      action: 'ファイルを削除する',
      tone: 'danger',
    })
    if (!isAgreed) return
    try {
      await remove({ id })
      await showAgain()
      showToast({ tone: 'success', message: `「${fileName}」を削除しました。` })
    } catch (error) {
      setProblem(refusalsOf(error)[0]?.message ?? 'ファイルを削除できませんでした。もう一度お試しください。')
    }
  }
  return (
    <Card title="契約書ファイル">
      {documents.length === 0 && <p className={styles.none}>登録されているファイルはありません。</p>}
      {documents.length > 0 && (
        <ul className={styles.documents}>
          {documents.map(document => (
            <li key={document.id}>
              <div>
                <p>{document.fileName}</p>
                <small>{`${sizeText(document.sizeBytes)}・${formatInstant(document.addedAt)}`}</small>
              </div>
              <SaveDocument document={document} onProblem={setProblem} />
              {canChange && (
                <Button
                  tone="quiet"
                  aria-label={`「${document.fileName}」を削除`}
                  icon={<IconTrash size={16} aria-hidden />}
                  onClick={() => void askAndRemove(document)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {canChange && <AddDocument agreementId={agreementId} onProblem={setProblem} onAdded={showAgain} />}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Card>
  )
}

interface AddDocumentProps {
  agreementId: string
  onProblem: (problem: string | undefined) => void
  onAdded: () => Promise<unknown>
}

function AddDocument({ agreementId, onProblem, onAdded }: AddDocumentProps) {
  const [isBusy, setBusy] = useState(false)
  const client = useApolloClient()
  const add = useSubmission(AddAgreementDocumentDocument)
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File) => {
    onProblem(undefined)
    const wrong = problemOf(file)
    if (wrong) return onProblem(wrong)
    setBusy(true)
    try {
      const query = { query: AgreementDocumentUploadUrlDocument, variables: { sizeBytes: file.size } }
      const { data, error } = await client.query({ ...query, fetchPolicy: 'no-cache' })
      if (!data?.agreementDocumentUploadUrl) throw error ?? new Error('no address to send to')
      const { uploadUrl, uploadId } = data.agreementDocumentUploadUrl
      const sent = await fetch(uploadUrl, { method: 'PUT', body: file, headers: { 'Content-Type': 'application/pdf' } })
      if (sent.status === 422) return onProblem(((await sent.json()) as { message: string }).message)
      if (!sent.ok) throw new Error(`the file was refused with status ${sent.status}`)
      await add({ agreementId, uploadId, fileName: file.name })
      await onAdded()
      showToast({ tone: 'success', message: `「${file.name}」を登録しました。` })
    } catch (error) {
      onProblem(refusalsOf(error)[0]?.message ?? NOT_SAVED)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button disabled={isBusy} icon={<IconFileUpload size={16} aria-hidden />} onClick={() => input.current?.click()}>
        {isBusy ? '登録しています…' : 'PDFを登録'}
      </Button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label="登録するPDF"
        accept="application/pdf,.pdf"
        disabled={isBusy}
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void take(file)
        }}
      />
      <small className={styles.none}>20MBまでのPDF。契約先のパブリッシャーも閲覧できます。</small>
    </>
  )
}

function SaveDocument(props: { document: ContractDocumentFragment; onProblem: (problem: string | undefined) => void }) {
  const { document, onProblem } = props
  const fetchFile = useFileExports()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    if (!fetchFile || isBusy) return
    setBusy(true)
    onProblem(undefined)
    try {
      const order = { path: '/agreement-documents', body: { id: document.id } } as const
      const { file } = await fetchFile(order, () => {}, AbortSignal.timeout(120_000))
      saveFile(document.fileName, file)
    } catch (error) {
      // Shows the server's text when it refused the download.
      const isShown = error instanceof Error && error.name === 'ExportRefused'
      onProblem(isShown ? error.message : 'ファイルを保存できませんでした。もう一度お試しください。')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      tone="quiet"
      aria-label={`「${document.fileName}」を保存`}
      disabled={isBusy || fetchFile === undefined}
      icon={<IconDownload size={16} aria-hidden />}
      onClick={() => void save()}
    />
  )
}

function problemOf(file: File): string | undefined {
  if (file.size > MAX_BYTES) return '20MB以下のPDFを選んでください。'
  return file.size === 0 ? '空のファイルです。別のファイルを選んでください。' : undefined
}

function sizeText(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)}KB` : `${(bytes / 1_048_576).toFixed(1)}MB`
}
