import { IconMessageQuestion } from '@tabler/icons-react'
import { askAddress } from '../../../questions/links.ts'
import styles from '../../core/web/report-menu.module.css'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import type { DashboardRow } from './dashboard-rows.ts'

/** The filter of the rows, which the question takes over. */
export type QuestionFilter = Pick<DashboardCondition, 'mediumId' | 'publisherId'>

/** A link for people of publishers to ask about the figures of a period. */
export function AskAboutPeriod({ row, asking }: { row: DashboardRow; asking: QuestionFilter }) {
  const { mediumId, publisherId } = asking
  const range = row.period.covered
  const address = askAddress({ kind: 'report', range, figure: 'publisherTotalRevenue' }, { mediumId, publisherId })
  return (
    <a className={styles.ask} href={address} aria-label={`${row.label}について質問する`} title="質問する">
      <IconMessageQuestion size={16} aria-hidden />
    </a>
  )
}
