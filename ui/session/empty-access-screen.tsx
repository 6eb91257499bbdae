import { IconFileOff, IconRefresh } from '@tabler/icons-react'
import { Button } from '../elements/button.tsx'
import { ScreenTop } from '../elements/list-top.tsx'
import { Message } from '../routing/screen-states.tsx'

/** Replaces a screen of agreement rows for a person without an agreement, for whom every filter would find nothing. */
export function EmptyAccessScreen({ title }: { title: string }) {
  return (
    <>
      <ScreenTop title={title} />
      <Message
        icon={<IconFileOff size={28} stroke={1.6} aria-hidden />}
        title="担当する契約がまだ割り当てられていません"
        action={
          <Button icon={<IconRefresh size={16} aria-hidden />} onClick={() => location.reload()}>
            もう一度確認する
          </Button>
        }
      >
        この画面には、担当する契約の内容だけが表示されます。ご自分の組織の管理者の方に、「ユーザー管理」で「担当する契約」を設定するよう依頼してください。
      </Message>
    </>
  )
}
