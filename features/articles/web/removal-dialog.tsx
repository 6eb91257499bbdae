import { useApolloClient } from '@apollo/client/react'
import { UNDO_HOURS } from '@pc/domain/article/article-removal.ts'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { DeleteMediumArticleDocument, type MediumArticlesQuery, RestoreMediumArticleDocument } from './articles.gen.ts'

type Article = NonNullable<MediumArticlesQuery['mediumArticles']>['nodes'][number]

interface RemovalDialogProps {
  articles: readonly Article[]
  onClose: () => void
  onChanged: () => void
}

/** Removes articles with a common reason, and offers to undo it. */
export function RemovalDialog({ articles, onClose, onChanged }: RemovalDialogProps) {
  const client = useApolloClient()
  const [first] = articles
  const what = articles.length === 1 ? `「${first?.title}」` : `${articles.length}件の記事`
  const restore = async (removalIds: readonly string[]) => {
    try {
      for (const removalId of removalIds)
        await client.mutate({ mutation: RestoreMediumArticleDocument, variables: { removalId } })
      showToast({ tone: 'success', message: '削除を取り消しました。' })
    } catch {
      // The client's error handling has shown the failure. The list shows which articles were restored before it.
    }
    onChanged()
  }
  const remove = async (reason: string) => {
    const removed: string[] = []
    try {
      for (const { mediumId, mediumArticleId } of articles) {
        const variables = { mediumId, mediumArticleId, reason }
        const { data } = await client.mutate({ mutation: DeleteMediumArticleDocument, variables })
        if (data?.deleteMediumArticle) removed.push(data.deleteMediumArticle.id)
      }
      onClose()
    } finally {
      // Some articles may have been removed before a later one was refused, so undo is offered for these.
      if (removed.length > 0) {
        showToast({
          tone: 'success',
          message: articles.length === 1 ? '記事を削除しました。' : `${removed.length}件の記事を削除しました。`,
          detail: `「削除の記録」からも、${UNDO_HOURS}時間以内なら取り消せます。`,
          action: { label: '取り消す', run: () => void restore(removed) },
        })
        onChanged()
      }
    }
  }
  return (
    <ReasonDialog
      title={`${what}を削除します`}
      about={articles.map(each => each.mediumArticleId).join()}
      note={`媒体での掲載を終了します。${UNDO_HOURS}時間以内なら取り消せます。理由は記録に残ります。`}
      label="削除の理由"
      action={articles.length === 1 ? '記事を削除する' : `${articles.length}件の記事を削除する`}
      maxLength={500}
      onClose={onClose}
      onSubmit={remove}
    />
  )
}
