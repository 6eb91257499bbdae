import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { FoundViolation } from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { MONTH_CLOSE_PATH } from '../../links.ts'
import { monthCloseCondition } from '../../month-close-condition.ts'

const MAX_LISTED = 5

/** The violations of invariants in any month. They block the close until they are resolved. */
export function ViolationsBanner(props: { violations: readonly FoundViolation[]; mediumName: (id: string) => string }) {
  const { violations, mediumName } = props
  if (violations.length === 0) return null
  return (
    <section className={styles.banner} role="alert" aria-label="自動検査の不一致">
      <p>
        <b>{`自動検査で${violations.length}件の不一致が見つかっています。`}</b>
        解消するまで、その月は確定できません。
      </p>
      <ul>
        {violations.slice(0, MAX_LISTED).map(each => {
          const month = parseYearMonth(each.month)
          const address = addressOf(
            MONTH_CLOSE_PATH,
            month === undefined ? undefined : monthCloseCondition.format({ month }),
          )
          return (
            <li key={`${each.mediumId}${each.month}${each.invariant}${each.row}`}>
              <a
                href={address}
              >{`${mediumName(each.mediumId)} ${month === undefined ? each.month : monthText(month)}分`}</a>
              {` ${each.invariant} ${each.row}：${each.detail}`}
            </li>
          )
        })}
      </ul>
      {violations.length > MAX_LISTED && <p>{`ほか${violations.length - MAX_LISTED}件`}</p>}
    </section>
  )
}
