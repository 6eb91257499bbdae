import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { PRACTICE_PATH } from '@pc/features/practice/links.ts'
import type { PracticeSystem } from '@pc/features/practice/server/practice-store.ts'

const FILES = '/gpc/practice'

/**
 * Adds the band, title and icon of a practice system to every page. The server does it and not the applications, so
 * that no screen can lack it and the real system loads nothing for it.
 * @param kind `app`: the page's fixed header makes room for the band
 */
export function withPracticeBand({ month }: PracticeSystem, kind: 'app' | 'page'): (html: string) => string {
  const text = `${monthText(month)}分`
  const band = `<aside class="practice-band" aria-label="練習環境">
    <p><strong>練習環境</strong><span class="practice-dash"> — </span><span>ここでの操作は実際の支払・通知に影響しません</span></p>
    <a href="/gpc/#${PRACTICE_PATH}">${text}の練習の結果</a>
  </aside>`
  const head = `<link rel="stylesheet" href="${FILES}/band.css" /><link rel="icon" type="image/svg+xml" href="${FILES}/icon.svg" /><script src="${FILES}/title.js"></script>`
  return html =>
    html
      .replace(/<link rel="icon"[^>]*>/, '')
      .replace(/<html\b/, `<html data-practice="${kind}"`)
      .replace(/<title>/, '<title>【練習】')
      .replace(/<\/head>/, `${head}</head>`)
      .replace(/<body[^>]*>/, opening => `${opening}${band}`)
}
