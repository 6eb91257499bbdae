import { useQuery } from '@apollo/client/react'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { AssignQuestionDocument, QuestionAnswerersDocument, type ThreadFragment } from './questions.gen.ts'

/** Chooses the member of staff who answers. */
export function AssigneeChoice(props: { thread: ThreadFragment; isReadOnly: boolean; onChange: () => void }) {
  const { thread, isReadOnly, onChange } = props
  const { data } = useQuery(QuestionAnswerersDocument)
  const assign = useSubmission(AssignQuestionDocument)
  const people = data?.questionAnswerers ?? []
  const known = people.some(person => person.uid === thread.assigneeUid)
  if (isReadOnly) return <p>{`担当　${thread.assigneeEmail ?? '未定'}`}</p>
  return (
    <SelectFilter
      label="担当"
      options={[
        { value: '', label: '未定' },
        // An assignee who may no longer answer stays in the list.
        ...(thread.assigneeUid !== null && !known
          ? [{ value: thread.assigneeUid, label: thread.assigneeEmail ?? '削除された担当者' }]
          : []),
        ...people.map(person => ({ value: person.uid, label: person.email })),
      ]}
      value={thread.assigneeUid ?? ''}
      onChange={uid => {
        // The error message shows a refusal.
        assign({ id: thread.id, assigneeUid: uid === '' ? null : uid })
          .then(() => {
            showToast({ tone: 'success', message: '担当を変更しました。' })
            onChange()
          })
          .catch(() => {})
      }}
    />
  )
}
