import { useMutation, useQuery } from '@apollo/client/react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useClientOf } from '../data/clients.tsx'
import { useHashPath } from '../routing/hash-location.ts'
import { ColumnWidthsDocument, SaveColumnWidthsDocument } from './column-widths.gen.ts'
import styles from './column-widths.module.css'

type Widths = Readonly<Record<string, number>>

interface ColumnWidthsProps {
  columns: readonly { readonly id: string; readonly header: string }[]
  /** The element around the table. */
  place: RefObject<HTMLElement | null>
}

const [MIN_WIDTH, MAX_WIDTH] = [56, 960]
const STEP = 16

/** Draggable edges of a list's columns. The widths of each person are stored on the server. */
export function ColumnWidths({ columns, place }: ColumnWidthsProps) {
  const key = useHashPath(keyOf)
  const client = useClientOf('insight') // has the preferences of both applications
  const { data, loading } = useQuery(ColumnWidthsDocument, {
    client,
    variables: { keys: [key] },
    errorPolicy: 'ignore',
  })
  const [save] = useMutation(SaveColumnWidthsDocument, { client, errorPolicy: 'all' })
  const [chosen, setChosen] = useState<{ readonly key: string; readonly widths: Widths }>()
  const widths =
    chosen?.key === key ? chosen.widths : readWidths(data?.preferences?.find(one => one?.key === key)?.value)
  // Several keys may be pressed before the next render.
  const latest = useRef(widths)
  useEffect(() => {
    latest.current = widths
  })
  const table = useTable(place)
  const edges = useEdges(table, columns.map(({ id }) => id).join(' '))
  useSheet(table, columns, widths)
  const sheetOf = (id: string, width: number | undefined): Widths => {
    const { [id]: _before, ...others } = latest.current
    return width === undefined
      ? others
      : { ...others, [id]: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width))) }
  }
  const show = (id: string, width: number | undefined) => {
    latest.current = sheetOf(id, width)
    setChosen({ key, widths: latest.current })
  }
  const keep = (id: string, width: number | undefined) => {
    show(id, width)
    const next = latest.current
    const value = Object.keys(next).length === 0 ? undefined : JSON.stringify(next)
    void save({
      variables: { key, ...(value === undefined ? {} : { value }) },
      // Updates the cache, so that reopening the list shows the new widths at once.
      update: cache =>
        cache.writeQuery({
          overwrite: true,
          query: ColumnWidthsDocument,
          variables: { keys: [key] },
          data: { preferences: value === undefined ? [] : [{ key, value }] },
        }),
    })
  }
  if (!table || loading || edges.length !== columns.length) return null
  return createPortal(
    columns.map((column, index) => (
      <Edge
        key={column.id}
        name={column.header}
        isFirst={index === 0}
        at={edges[index]!.end}
        width={edges[index]!.width}
        onShow={width => show(column.id, width)}
        onKeep={width => keep(column.id, width)}
        onStep={step => keep(column.id, (latest.current[column.id] ?? edges[index]!.width) + step)}
      />
    )),
    table.bar,
  )
}

/** The preference key of a list, its path without the condition: `widths/managements/agreements`. */
function keyOf(path: string): string {
  const parts = path.split('/').filter(part => part !== '' && !part.includes('='))
  return ['widths', ...parts].join('/')
}

function readWidths(json: string | null | undefined): Widths {
  try {
    const read: unknown = JSON.parse(json ?? '{}')
    return Object.fromEntries(Object.entries(read ?? {}).filter(([, width]) => Number.isInteger(width))) as Widths
  } catch {
    return {}
  }
}

interface Table {
  readonly element: HTMLTableElement
  /** Placed above the first row: it scrolls horizontally with the columns but not with the rows. */
  readonly bar: HTMLElement
}

/** The table, once it is rendered; undefined while rows load, on phones (cards) and in print. */
function useTable(place: RefObject<HTMLElement | null>): Table | undefined {
  const [table, setTable] = useState<Table>()
  useEffect(() => {
    let now: Table | undefined
    const look = () => {
      const element = place.current?.querySelector('table') ?? undefined
      if (now?.element === element && now?.bar.isConnected !== false) return
      now?.bar.remove()
      now = element && { element, bar: barAbove(element) }
      setTable(now)
    }
    look()
    const observer = new MutationObserver(look)
    observer.observe(place.current!, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      now?.bar.remove()
    }
  }, [place])
  return table
}

function barAbove(table: HTMLElement): HTMLElement {
  const bar = document.createElement('div')
  bar.className = styles.bar!
  bar.dataset.print = 'never'
  table.parentElement!.prepend(bar)
  return bar
}

interface EdgeOfColumn {
  readonly end: number
  readonly width: number
}

function useEdges(table: Table | undefined, columnIds: string): readonly EdgeOfColumn[] {
  const [edges, setEdges] = useState<readonly EdgeOfColumn[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other headers
  useEffect(() => {
    if (!table) return
    const measure = () => {
      const cells = [...table.element.querySelectorAll<HTMLElement>('thead th')]
      setEdges(cells.map(cell => ({ end: cell.offsetLeft + cell.offsetWidth, width: cell.offsetWidth })))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(table.element)
    for (const cell of table.element.querySelectorAll('thead th')) observer.observe(cell)
    return () => observer.disconnect()
  }, [table, columnIds])
  return edges
}

/** Applies widths by a constructed style sheet, because the Content Security Policy forbids inline styles. */
function useSheet(table: Table | undefined, columns: ColumnWidthsProps['columns'], widths: Widths): void {
  const sheet = useRef<CSSStyleSheet>(undefined)
  const name = useId()
  const rules = columns
    .flatMap(({ id }, index) => {
      const width = widths[id]
      if (width === undefined) return []
      const cell = `table[data-widths="${name}"] > * > tr > :nth-child(${index + 1})`
      return [
        `${cell} { width: ${width}px; min-width: ${width}px; max-width: ${width}px; overflow: hidden; text-overflow: ellipsis }`,
        `${cell} > * { max-width: 100% }`,
      ]
    })
    .join('\n')
  useEffect(() => {
    if (!table) return
    sheet.current ??= new CSSStyleSheet()
    const own = sheet.current
    own.replaceSync(rules)
    table.element.dataset.widths = name
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter(one => one !== own), own]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(one => one !== own)
    }
  }, [table, rules, name])
}

interface EdgeProps {
  name: string
  isFirst: boolean
  at: number
  width: number
  onShow: (width: number) => void
  /** Undefined: resets the column to its automatic width. */
  onKeep: (width: number | undefined) => void
  onStep: (step: number) => void
}

/** All edges are one tab stop; the up and down arrow keys move between them. */
function Edge({ name, isFirst, at, width, onShow, onKeep, onStep }: EdgeProps) {
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const widthAt = ({ clientX }: PointerEvent) => drag.current!.width + clientX - drag.current!.x
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = (event.shiftKey ? 4 : 1) * STEP
    const { key, currentTarget } = event
    if (key === 'ArrowLeft') onStep(-step)
    else if (key === 'ArrowRight') onStep(step)
    else if (key === 'Enter' || key === 'Delete') onKeep(undefined)
    else if (key === 'ArrowUp') focusOn(currentTarget, currentTarget.previousElementSibling)
    else if (key === 'ArrowDown') focusOn(currentTarget, currentTarget.nextElementSibling)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule across the page cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`${name}の列幅`}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={isFirst ? 0 : -1}
      title="ドラッグか←・→キーで列幅を変更、ダブルクリックかEnterキーで元に戻す、↑・↓キーで前後の列へ"
      className={styles.edge}
      style={{ left: at }}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onKeep(undefined)}
      onPointerDown={event => {
        drag.current = { x: event.clientX, width }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={event => drag.current && onShow(widthAt(event))}
      onPointerUp={event => {
        const isMoved = drag.current && drag.current.x !== event.clientX
        if (isMoved) onKeep(widthAt(event))
        drag.current = undefined
      }}
      onPointerCancel={() => {
        drag.current = undefined
      }}
    />
  )
}

function focusOn(from: HTMLElement, to: Element | null): void {
  if (!(to instanceof HTMLElement)) return
  from.tabIndex = -1
  to.tabIndex = 0
  to.focus()
}
