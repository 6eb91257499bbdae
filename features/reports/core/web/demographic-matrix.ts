/** Labels of gender and age ids, which start at 1; id 0 is unknown and left out. */
export const GENDER_LABELS = ['男性', '女性'] as const
export const AGE_LABELS = ['〜19歳', '20〜24歳', '25〜29歳', '30〜34歳', '35〜39歳', '40代', '50代', '60歳〜'] as const

export interface DemographicCell {
  readonly genderId: number
  readonly ageId: number
  readonly click: number
}

/** Clicks by gender (row) and age (column). Indexes are the ids minus one; ids without a label are left out. */
export function demographicMatrix(cells: readonly DemographicCell[]): number[][] {
  const matrix = GENDER_LABELS.map(() => AGE_LABELS.map(() => 0))
  for (const { genderId, ageId, click } of cells) {
    const row = matrix[genderId - 1]
    if (row?.[ageId - 1] !== undefined) row[ageId - 1]! += click
  }
  return matrix
}
