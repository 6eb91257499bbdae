import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { AnnouncementForm } from './announcement-form.tsx'
import { NEW_ANNOUNCEMENT } from './announcement-values.ts'

export function AnnouncementCreateView(_props: ScreenProps<object, unknown>) {
  return (
    <>
      <ScreenTop title="お知らせの作成" />
      <AnnouncementForm title="お知らせの作成" initial={NEW_ANNOUNCEMENT} />
    </>
  )
}
