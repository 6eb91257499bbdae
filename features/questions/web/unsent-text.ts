import { confirm } from '@pc/ui/confirm.tsx'

/** Before a dialog closes: what was typed and not sent is thrown away only by who says so. */
export async function mayDiscard(text: string): Promise<boolean> {
  if (text.trim() === '') return true
  return confirm({
    title: '入力した内容を破棄しますか？',
    body: 'まだ送信していません。破棄すると、元に戻せません。',
    action: '入力を破棄する',
    cancel: '入力に戻る',
    tone: 'danger',
  })
}
