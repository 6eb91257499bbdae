import type { AnnouncementLevel, AnnouncementTarget } from '@pc/domain/announcement/announcement.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

interface DemoAnnouncement {
  readonly level: AnnouncementLevel
  readonly title: string
  readonly body: string
  /** Days from the first start: 0 is that day, a negative number is before it. `ends` undefined: no end. */
  readonly starts: number
  readonly ends?: number
  readonly isDraft?: boolean
  readonly closeButtonText?: string
  readonly target: AnnouncementTarget
}

const MAINTENANCE_IN_DAYS = 9

/** One announcement for everybody, one for a medium and one for a role; running, ended, and not yet published. */
function announcementsAt(today: Day): readonly DemoAnnouncement[] {
  return [
    {
      level: 'info',
      title: 'Publisher Center をご利用いただけるようになりました',
      body:
        '<p>記事・動画の成果と収益、契約とお支払いを、この画面でご確認いただけます。</p>' +
        '<ul><li>数値は毎朝更新されます。月が確定するまでは速報値です。</li>' +
        '<li>使い方と指標の意味は、マニュアルをご覧ください。</li></ul>',
      starts: -40,
      target: { kind: 'all' },
    },
    {
      level: 'info',
      title: '夏季休業期間のお問い合わせ対応について',
      body: '<p>休業期間にいただいたお問い合わせには、休業明けに順にお答えします。</p>',
      starts: -110,
      ends: -95,
      target: { kind: 'all' },
    },
    {
      level: 'info',
      title: 'ツムギビデオの再生指標に「97%再生率」を追加しました',
      body:
        '<p>動画の最後まで視聴された割合を、動画の一覧とランキングで比べられます。</p>' +
        '<p>計算方法はマニュアルの「指標の定義」をご覧ください。</p>',
      starts: -12,
      target: { kind: 'medium', mediumId: 4n },
    },
    {
      level: 'info',
      title: '振込口座の変更は毎月20日までに申請してください',
      body:
        '<p>申請は担当者が確認し、承認した月の支払から新しい口座を使います。</p>' +
        '<p>口座名義は、通帳に記載のカナでご入力ください。</p>',
      starts: -5,
      target: { kind: 'role', role: 'insight:publisher_admin' },
    },
    {
      level: 'warn',
      title: 'システムメンテナンスのお知らせ',
      body:
        `<p><strong>${japaneseDay(addDays(today, MAINTENANCE_IN_DAYS))} 午前2時から午前5時まで</strong>、` +
        'メンテナンスのためPublisher Centerをご利用いただけません。</p>' +
        '<p>配信とお支払いへの影響はありません。入力中の内容は、開始前に保存してください。</p>',
      starts: -1,
      ends: MAINTENANCE_IN_DAYS + 1,
      closeButtonText: '確認しました',
      target: { kind: 'all' },
    },
    {
      level: 'info',
      title: '年末年始のお支払い日について',
      body: '<p>銀行の休業日にあたるお支払いは、翌営業日にお振り込みします。</p>',
      starts: 14,
      isDraft: true,
      target: { kind: 'all' },
    },
  ]
}

export async function insertAnnouncements(tx: Transaction, today: Day): Promise<void> {
  const at = (days: number) => new Date(`${addDays(today, days)}T00:00:00+09:00`)
  for (const { starts, ends, isDraft = false, target, closeButtonText = '閉じる', ...text } of announcementsAt(today)) {
    const writtenAt = at(Math.min(starts, 0))
    const { id: announcementId } = await tx
      .insertInto('announcements')
      .values({
        ...text,
        enabled: !isDraft,
        closeButtonText,
        startAt: at(starts),
        endAt: ends === undefined ? null : at(ends),
        createdAt: writtenAt,
        updatedAt: writtenAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('announcementTargets')
      .values({
        announcementId,
        kind: target.kind,
        mediumId: target.kind === 'medium' ? target.mediumId : null,
        roleName: target.kind === 'role' ? target.role : null,
      })
      .execute()
  }
}

function japaneseDay(day: Day): string {
  const [, month, date] = day.split('-').map(Number)
  return `${month}月${date}日`
}
