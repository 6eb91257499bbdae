import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { PRACTICE_PATH } from '@pc/features/practice/links.ts'
import type { PracticeAccount } from '@pc/features/practice/server/practice-accounts.ts'
import type { PracticeSystem } from '@pc/features/practice/server/practice-store.ts'
import type { Config } from '@pc/platform/config.ts'

/** Text printed when the practice system is ready. The password is shown only here. */
export function practiceSummary(
  { webOrigin, dataDir }: Pick<Config, 'webOrigin' | 'dataDir'>,
  { month, copiedAt }: PracticeSystem,
  accounts: readonly PracticeAccount[],
  password: string,
): string {
  const width = Math.max(...accounts.map(({ email }) => email.length))
  const day = copiedAt.toLocaleString('ja-JP', { timeZone: 'Asia/Tokyo', dateStyle: 'medium', timeStyle: 'short' })
  return `練習環境の準備ができました / the practice is ready

  Web           ${webOrigin}/gpc/
  練習の月      ${monthText(month)}分(確定の前の状態です)
  練習の結果    ${webOrigin}/gpc/#${PRACTICE_PATH}
  写した時点    ${day}
  Data          ${dataDir}

  練習用のユーザー / practice users:

${accounts.map(({ email, role }) => `    ${email.padEnd(width)}  ${ROLE_LABELS_JA[role].label}`).join('\n')}

  パスワード(共通。次に開始すると変わります) / password of all, until the next start: ${password}

  やり直すには / begin again: npm run practice -- --reset
  Ctrl+C で停止します / stops
`
}
