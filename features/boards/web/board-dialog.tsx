import { BOARD_BOUNDS } from '@pc/domain/board/board.ts'
import { hiddenCharacterProblem } from '@pc/domain/text/name-refusals.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { PlainChecks, PlainStack, PlainText } from '@pc/ui/form/plain-field.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { useState } from 'react'
import { shareOptions } from './board-words.ts'
import { SaveBoardDocument, type WholeBoardFragment } from './boards.gen.ts'

/** Edits name and readers of a new or existing board. Every refusal is shown at the name, also one of the readers. */
export function BoardDialog(props: {
  viewer: Viewer
  /** Undefined: creates a new board. */
  board?: Pick<WholeBoardFragment, 'id' | 'name' | 'sharedRoles' | 'revision'>
  onClose: () => void
  onSaved: (board: WholeBoardFragment) => void
}) {
  const { board, onClose } = props
  const [name, setName] = useState(board?.name ?? '')
  const [roles, setRoles] = useState<readonly string[]>(board?.sharedRoles ?? [])
  const [problem, setProblem] = useState<{ readonly name: string }>()
  const [isSending, setSending] = useState(false)
  const send = useSubmission(SaveBoardDocument)
  const save = async () => {
    if (name.trim() === '') return setProblem({ name: 'ボードの名前を入力してください。' })
    const hidden = hiddenCharacterProblem(name)
    if (hidden) return setProblem({ name: hidden })
    setSending(true)
    try {
      const known = board ? { id: board.id, expectedRevision: board.revision } : {}
      const { saveBoard } = await send({ input: { ...known, name: name.trim(), sharedRoles: [...roles] } })
      showToast({
        tone: 'success',
        message: board ? 'ボードの設定を保存しました' : `「${saveBoard.name}」を作成しました`,
      })
      onClose()
      props.onSaved(saveBoard)
    } catch (error) {
      // The name is the only field that has room for a text: what is refused of the readers is said there too.
      setProblem({ name: refusalsOf(error)[0]?.message ?? '保存できませんでした。もう一度お試しください。' })
      setSending(false)
    }
  }
  return (
    <Dialog
      title={board ? 'ボードの設定' : 'ボードを作成'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" disabled={isSending} onClick={() => void save()}>
            {board ? '設定を保存する' : 'ボードを作成する'}
          </Button>
        </>
      }
    >
      <PlainStack problems={problem}>
        <PlainText
          label="名前"
          value={name}
          onChange={setName}
          maxLength={BOARD_BOUNDS.name}
          problem={problem?.name}
          isFirst
        />
        <PlainChecks
          label="共有先"
          hint="選んだロールの人がこのボードを見られます（編集は自分だけ）。数値は、見る人の権限の範囲で表示されます。"
          options={shareOptions(props.viewer)}
          value={roles}
          onChange={setRoles}
        />
      </PlainStack>
    </Dialog>
  )
}
