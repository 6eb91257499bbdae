import { Card } from '@pc/ui/elements/card.tsx'
import { formatInteger, formatShare } from '@pc/ui/text/format.ts'
import type { CSSProperties } from 'react'
import { AGE_LABELS, type DemographicCell, demographicMatrix, GENDER_LABELS } from './demographic-matrix.ts'
import styles from './heat-table.module.css'

/** Bounds of the shade's opacity: a lighter one is invisible on the surface, a darker one reduces the text's contrast. */
const LIGHTEST = 0.04
const DARKEST = 0.34

/** Clicks by gender and age. Every cell shows its figure; the shade only guides the eye. */
export function HeatTable(props: {
  cells: readonly DemographicCell[]
  title?: string
  /** What the figures count. */
  measure?: string
}) {
  'use memo'
  const { cells, measure = 'クリック数', title = '性別・年代別クリック数' } = props
  const matrix = demographicMatrix(cells)
  const all = matrix.flat().reduce((sum, click) => sum + click, 0)
  const most = Math.max(1, ...matrix.flat())
  const columnSum = (age: number) => matrix.reduce((sum, row) => sum + row[age]!, 0)
  return (
    <Card title={title} note="単位：回（属性不明を除く）">
      {all === 0 ? (
        <p className={styles.quiet}>この期間の属性データはありません。</p>
      ) : (
        <>
          <table className={styles.heat}>
            <caption className="visually-hidden">{`年代と性別ごとの${measure}と構成比`}</caption>
            <thead>
              <tr>
                <th scope="col">年代</th>
                {GENDER_LABELS.map(gender => (
                  <th key={gender} scope="col">
                    {gender}
                  </th>
                ))}
                <th scope="col">合計</th>
              </tr>
            </thead>
            <tbody>
              {AGE_LABELS.map((age, index) => (
                <tr key={age}>
                  <th scope="row">{age}</th>
                  {GENDER_LABELS.map((gender, row) => (
                    <HeatCell key={gender} click={matrix[row]![index]!} all={all} most={most} />
                  ))}
                  <HeatCell click={columnSum(index)} all={all} />
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">合計</th>
                {matrix.map((row, index) => (
                  <HeatCell key={GENDER_LABELS[index]} click={row.reduce((sum, click) => sum + click, 0)} all={all} />
                ))}
                <HeatCell click={all} all={all} />
              </tr>
            </tfoot>
          </table>
          <p className={styles.heatScale}>
            少ない
            <i aria-hidden />
            多い
          </p>
        </>
      )}
    </Card>
  )
}

/** @param most the greatest cell; undefined for sums, which are not shaded @param all the sum, for the share */
function HeatCell({ click, all, most }: { click: number; all: number; most?: number }) {
  const shade = most === undefined ? undefined : LIGHTEST + (click / most) * (DARKEST - LIGHTEST)
  return (
    <td
      className={most === undefined ? styles.heatSum : undefined}
      style={shade === undefined ? undefined : ({ '--shade': shade.toFixed(3) } as CSSProperties)}
    >
      <span>{formatInteger(click)}</span>
      <small>{formatShare(click, all)}</small>
    </td>
  )
}
