import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { Button } from '../elements/button.tsx'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import styles from './image-field.module.css'

/** Where a picture of this type may be put, and where it will be afterwards. */
export type AskForUpload = (mimeType: string) => Promise<{ readonly uploadUrl: string; readonly imageUrl: string }>

interface ImageFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  askForUpload: AskForUpload
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MAX_BYTES = 5 * 1024 * 1024

const NOT_SAVED = '画像を保存できませんでした。別の画像を選ぶか、もう一度お試しください。'

/** What the server says about a picture that it looked at and does not take. */
async function reasonOf(answer: Response): Promise<string> {
  const { message } = (await answer.json()) as { readonly message?: string }
  return message ?? NOT_SAVED
}

/** A picture, uploaded by a signed PUT as soon as it is chosen; the form's value is its address, or null. */
export function ImageField<V extends FieldValues, N extends FieldPath<V>>(props: ImageFieldProps<V, N>) {
  const field = useField(props, value => (typeof value === 'string' && value !== '' ? value : '（画像なし）'))
  const [state, setState] = useState<{ isBusy: boolean; problem?: string }>({ isBusy: false })
  const input = useRef<HTMLInputElement>(null)
  const url = typeof field.value === 'string' && field.value !== '' ? field.value : undefined
  const take = async (file: File) => {
    const problem = problemOf(file)
    if (problem) return setState({ isBusy: false, problem })
    setState({ isBusy: true })
    try {
      const { uploadUrl, imageUrl } = await props.askForUpload(file.type)
      const answer = await fetch(uploadUrl, { method: 'PUT', body: file, headers: { 'Content-Type': file.type } })
      if (answer.status === 422) return setState({ isBusy: false, problem: await reasonOf(answer) })
      if (!answer.ok) throw new Error(`the picture was refused with status ${answer.status}`)
      field.set(imageUrl)
      setState({ isBusy: false })
    } catch {
      setState({ isBusy: false, problem: NOT_SAVED })
    }
  }
  return (
    <FieldFrame field={{ ...field, error: state.problem ?? field.error }} props={props}>
      <span className={styles.image}>
        <span className={styles.picture} data-empty={url ? undefined : true}>
          {url && isOwn(url) ? (
            <img src={url} alt={`現在の${props.label}`} />
          ) : (
            <IconPhotoUp size={24} stroke={1.5} aria-hidden />
          )}
        </span>
        {url && !isOwn(url) && (
          <span className={styles.foreignImage}>{`ほかのサイトの画像（表示しません）：${url}`}</span>
        )}
        {!field.isReadOnly && (
          <>
            <Button disabled={state.isBusy} onClick={() => input.current?.click()}>
              {state.isBusy ? 'アップロード中…' : url ? '画像を変更' : '画像を選択'}
            </Button>
            {url && (
              <Button tone="quiet" onClick={() => field.set(null)} icon={<IconTrash size={16} aria-hidden />}>
                画像を外す
              </Button>
            )}
          </>
        )}
        <input
          {...field.aria}
          ref={element => {
            input.current = element
            field.focusRef(element)
          }}
          className="visually-hidden"
          type="file"
          tabIndex={-1}
          accept={TYPES.join(',')}
          disabled={field.isReadOnly || state.isBusy}
          onChange={event => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void take(file)
          }}
        />
      </span>
    </FieldFrame>
  )
}

/** Pictures of other sites are never loaded: a person who looks at the form would be known there (security, threat 19). */
function isOwn(url: string): boolean {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
}

function problemOf(file: File): string | undefined {
  if (!TYPES.includes(file.type)) return 'PNG・JPEG・WebPの画像を選んでください。'
  return file.size > MAX_BYTES ? '5MB以下の画像を選んでください。' : undefined
}
