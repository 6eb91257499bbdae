import type { StatementRow } from './statement-words.ts'

/** The CSV columns of every list of statements. */
export const STATEMENT_CSV_COLUMNS = [
  { header: '番号', cell: (row: StatementRow) => row.numberText },
  { header: '発行日', cell: (row: StatementRow) => row.issuedOn },
  { header: '支払先', cell: (row: StatementRow) => row.payeeName },
  { header: '支払先登録番号', cell: (row: StatementRow) => row.payeeRegistration },
  { header: '契約コード', cell: (row: StatementRow) => row.agreementCode },
  { header: '契約', cell: (row: StatementRow) => row.agreementName },
  { header: '発生月', cell: (row: StatementRow) => row.month },
  { header: '税抜金額（円）', cell: (row: StatementRow) => row.totalWithoutTax },
  { header: '消費税額（円）', cell: (row: StatementRow) => row.totalTax },
  { header: '税込金額（円）', cell: (row: StatementRow) => row.total },
  { header: '振込金額（円）', cell: (row: StatementRow) => row.transferAmount },
  { header: '支払期日', cell: (row: StatementRow) => row.dueOn },
  { header: '状態', cell: (row: StatementRow) => row.stateLabel },
  { header: '確認の方法', cell: (row: StatementRow) => METHODS[row.confirmationMethod ?? 'none'] },
  { header: 'みなし確認の期限', cell: (row: StatementRow) => row.deemedOn },
]
const METHODS = { explicit: '支払先の確認', deemed: 'みなし確認', none: '' } as const
