import { showToast } from '../feedback/toasts.tsx'
import { copyText, notCopied } from './copy-text.ts'

/** @param what the name of the text, for example 署名キー */
export async function copyWithToast(text: string, what: string): Promise<void> {
  const isCopied = await copyText(text)
  showToast(
    isCopied ? { tone: 'success', message: `${what}をコピーしました。` } : { tone: 'error', message: notCopied(what) },
  )
}
