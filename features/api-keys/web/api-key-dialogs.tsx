import { API_KEY_BOUNDS, API_KEY_PREFIX, type ApiKeyScope } from '@pc/domain/api-key/api-key.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { copyWithToast } from '@pc/ui/elements/copy-with-toast.ts'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import {
  PlainArea,
  PlainChecks,
  PlainNote,
  PlainProblem,
  PlainSelect,
  PlainStack,
  PlainText,
} from '@pc/ui/form/plain-field.tsx'
import { PlainSecret } from '@pc/ui/form/plain-secret.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useState } from 'react'
import { curlExample, DAYS_OPTIONS, SCOPE_OPTIONS } from './api-key-words.ts'
import { CreateApiKeyDocument, type CreateApiKeyMutation } from './api-keys.gen.ts'
import styles from './api-keys.module.css'

export type CreatedKey = CreateApiKeyMutation['createApiKey']

/** Form of a new key: name, kinds of data, validity and addresses. */
export function CreateApiKeyDialog(props: { onClose: () => void; onCreated: (created: CreatedKey) => void }) {
  const { onClose, onCreated } = props
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>([])
  const [days, setDays] = useState('90')
  const [addresses, setAddresses] = useState('')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isSending, setSending] = useState(false)
  // Kept when the dialog is closed by mistake, because a list of addresses is long to type; the name is not.
  const { close } = useDialogText({
    dialog: 'api key',
    values: { addresses },
    restore: kept => setAddresses(kept.addresses),
    onClose,
  })
  const send = useSubmission(CreateApiKeyDocument)
  const create = async () => {
    const missing = {
      ...(name.trim() === '' ? { name: '名前を入力してください。' } : {}),
      ...(scopes.length === 0 ? { scopes: '読み取れるデータを1つ以上選択してください。' } : {}),
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setSending(true)
    try {
      const ranges = addresses.split(/[\s,、]+/).filter(text => text !== '')
      const input = { name: name.trim(), scopes: [...scopes], days: Number(days), addresses: ranges }
      onCreated((await send({ input })).createApiKey)
    } catch (error) {
      const refused = refusalsOf(error)
      // The first refusal of each field.
      const texts = Object.fromEntries(refused.map(({ path, message }) => [String(path.at(-1)), message]).reverse())
      setProblems(refused.length > 0 ? texts : { input: '作成できませんでした。もう一度お試しください。' })
      setSending(false)
    }
  }
  return (
    <Dialog
      title="APIキーの作成"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" disabled={isSending} onClick={() => void create()}>
            APIキーを作成する
          </Button>
        </>
      }
    >
      <PlainStack problems={problems}>
        <PlainText
          label="名前"
          hint="使うシステムが分かる名前にしてください（例：会計システム）。"
          value={name}
          onChange={setName}
          maxLength={API_KEY_BOUNDS.nameLength}
          problem={problems.name}
          isFirst
        />
        <PlainChecks
          label="読み取れるデータ"
          hint="自社の分だけです。契約とパブリッシャーの名前は、いつも読み取れます。"
          options={SCOPE_OPTIONS}
          value={scopes}
          onChange={setScopes}
          problem={problems.scopes}
        />
        <PlainSelect
          label="有効期間"
          hint="期限の2週間前に、管理者へお知らせします。延長はできません。"
          options={DAYS_OPTIONS}
          value={days}
          onChange={setDays}
          problem={problems.days}
        />
        <PlainArea
          label="許可するIPアドレス（任意）"
          hint="お使いのシステムのIPアドレスが決まっているときは、1行に1つずつ入力してください（例：203.0.113.10、203.0.113.0/24）。ほかからの利用を拒否します。空欄のときは制限しません。"
          value={addresses}
          onChange={setAddresses}
          maxLength={2000}
          problem={problems.addresses}
        />
        {problems.input && <PlainProblem text={problems.input} />}
      </PlainStack>
    </Dialog>
  )
}

/** Shows the new key. It cannot be shown again. */
export function CreatedApiKeyDialog({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const { secret, address, apiKey } = created
  const example = curlExample(address)
  return (
    <Dialog
      title={`APIキー「${apiKey.name}」を作成しました`}
      size="large"
      onClose={undefined}
      actions={
        <>
          {secret !== null && (
            <Button data-autofocus onClick={() => void copyWithToast(secret, 'APIキー')}>
              キーをコピーする
            </Button>
          )}
          <Button tone="primary" onClick={onClose}>
            {secret === null ? '閉じる' : '控えました'}
          </Button>
        </>
      }
    >
      <PlainStack>
        {secret === null ? (
          <PlainNote role="alert">
            キーは作成されましたが、通信が途切れたため、ここには表示できません（キーそのものは保存していません）。
            <b>
              このキー（{API_KEY_PREFIX}…{apiKey.secretEnd}）を失効させて、もう一度作成してください。
            </b>
          </PlainNote>
        ) : (
          <>
            <PlainNote>
              <b>表示されるのは今回だけです。</b>
              安全な場所に保管し、メールやチャットでは送らないでください。失くしたときは失効させて、作り直してください。
            </PlainNote>
            <PlainSecret text={secret} />
            <PlainNote>
              環境変数 <code>PUBLISHER_CENTER_KEY</code> にキーを設定してから、次のコマンドで確かめられます。
            </PlainNote>
            <div className={styles.example}>
              <pre>{example}</pre>
              <Button onClick={() => void copyWithToast(example, 'コマンド')}>コマンドをコピーする</Button>
            </div>
          </>
        )}
      </PlainStack>
    </Dialog>
  )
}
