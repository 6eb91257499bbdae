import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import styles from './shortcuts.module.css'

/** Every shortcut that exists, for the list. */
const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['?', 'この一覧を表示する'],
  ['Ctrl K', '画面やデータを検索して移動する（Macでは⌘ K）'],
  ['Ctrl Enter', 'フォームを保存する（Macでは⌘ Enter）'],
  ['[', 'サイドメニューを開閉する'],
  ['← →', 'グラフの日付を移動する（グラフを選択中）'],
  ['Esc', '開いているメニューや一覧を閉じる。フォームでは一覧へ戻る'],
]

/** Single keys that work wherever nothing is being typed. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const action = latest.current[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="shortcuts-title" onClose={onClose}>
      <header>
        <h2 id="shortcuts-title">キーボードショートカット</h2>
        <button type="button" aria-label="閉じる" onClick={() => dialog.current?.close()}>
          <IconX size={18} aria-hidden />
        </button>
      </header>
      <dl>
        {SHORTCUTS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
