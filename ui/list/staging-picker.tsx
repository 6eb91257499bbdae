import { Button } from '../elements/button.tsx'
import { Filters, SearchFilter } from '../elements/list-top.tsx'
import { DataTable } from '../table/data-table.tsx'
import styles from './list.module.css'
import { SecondaryLink } from './list-screen.tsx'

interface StagingPickerProps<Row extends { readonly id: string }> {
  noun: string
  rows: readonly Row[]
  total: number
  name: (row: Row) => string
  /** Where the record comes from. */
  note: (row: Row) => string
  text: string
  onSearch: (text: string) => void
  onChoose: (row: Row) => void
  isLoading: boolean
  error: unknown
  retry: () => void
  backAddress: string
}

/** Chooses one of the records of staging; its form begins with the delivered values. */
export function StagingPicker<Row extends { readonly id: string }>(props: StagingPickerProps<Row>) {
  const { noun, rows, total } = props
  return (
    <>
      <Filters>
        <SearchFilter label={`${noun}を検索`} placeholder="名前で検索" value={props.text} onSearch={props.onSearch} />
        <SecondaryLink address={props.backAddress}>一覧へ戻る</SecondaryLink>
      </Filters>
      <section className={styles.list} aria-label={noun}>
        <DataTable
          caption={noun}
          rows={rows}
          rowKey={row => row.id}
          isLoading={props.isLoading}
          {...(props.error ? { failure: { retry: props.retry } } : {})}
          empty={
            props.text === ''
              ? { title: `${noun}はありません`, hint: '取り込みが済むと、ここに表示されます。' }
              : { title: `条件に合う${noun}がありません`, hint: '検索の文字を変えてください。' }
          }
          columns={[
            { id: 'name', header: '名前', isHeading: true, cell: row => props.name(row) },
            { id: 'note', header: '取り込み元', cell: row => props.note(row) },
            {
              id: 'choose',
              header: '操作',
              cell: row => (
                <Button aria-label={`${props.name(row)}から登録する`} onClick={() => props.onChoose(row)}>
                  登録に進む
                </Button>
              ),
            },
          ]}
        />
      </section>
      {total > rows.length && (
        <p className={styles.more}>{`${total}件のうち${rows.length}件を表示しています。名前で検索してください。`}</p>
      )}
    </>
  )
}
