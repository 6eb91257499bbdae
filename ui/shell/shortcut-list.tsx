import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import styles from './shortcut-list.module.css'

/** All keyboard shortcuts with their descriptions. */
const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['?', 'この一覧を表示する'],
  ['Ctrl K', '画面やデータを検索して移動する（Macでは⌘ K）'],
  ['Ctrl Enter', 'フォームを保存する（Macでは⌘ Enter）'],
  ['[', 'サイドメニューを開閉する'],
  ['← →', 'グラフの日付を移動する（グラフを選択中）'],
  ['Esc', '開いているメニューや一覧を閉じる。フォームでは一覧へ戻る'],
]

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
