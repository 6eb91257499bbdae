import path from 'node:path'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { type Config, isWildcardHost } from '@pc/platform/config.ts'
import type { FirstRun } from './first-run.ts'
import type { Service } from './start-listeners.ts'

/** What is printed when the system can be used: addresses, and how to sign in for the first time. */
export function startSummary(config: Config, services: readonly Service[], firstRun: FirstRun, tookMs: number): string {
  const lines = [`Publisher Center  準備ができました / ready  (${(tookMs / 1000).toFixed(1)} s)`, '']
  const row = (name: string, value: string) => lines.push(`  ${name.padEnd(14)}${value}`)
  if (services.includes('web')) row('Web', `${config.webOrigin}/gpc/`)
  if (services.includes('api')) {
    row('Insight API', `${config.insightApiOrigin}/query`)
    row('IAM API', `${config.iamApiOrigin}/query`)
  }
  row('Data', config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL (DATABASE_URL)')
  row('Mail', config.smtpUrl === undefined ? path.join(config.dataDir, 'outbox', '*.eml') : 'SMTP_URL')
  if (isWildcardHost(config.host) && new URL(config.webOrigin).hostname === 'localhost') {
    lines.push(
      '',
      `  HOST=${config.host}: ほかのマシンから使うには、外から見えるURLを WEB_ORIGIN、INSIGHT_API_ORIGIN、`,
    )
    lines.push('  IAM_API_ORIGIN に設定してください / for other machines set these to addresses that they can reach')
  }
  if (firstRun.firstAdminLink !== undefined) {
    lines.push(
      '',
      '  最初の管理者を登録してください（24時間以内、一度だけ有効です） / register the first administrator (once, within 24 hours):',
    )
    lines.push(`  ${firstRun.firstAdminLink}`)
  }
  if (firstRun.demo) {
    lines.push('', '  デモのユーザー / demonstration users:', '')
    const width = Math.max(...firstRun.demo.users.map(({ email }) => email.length))
    for (const { email, role } of firstRun.demo.users) {
      const { label, description } = ROLE_LABELS_JA[role]
      lines.push(`    ${email.padEnd(width)}  ${label}：${description.split('。', 1)[0]}`)
    }
    lines.push('', `  パスワード（共通） / password of all: ${firstRun.demo.password}`)
  }
  lines.push('', '  Ctrl+C で停止します / stops')
  return `${lines.join('\n')}\n`
}
