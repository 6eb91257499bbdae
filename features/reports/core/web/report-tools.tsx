import type { ConditionDefinition } from '@pc/domain/condition/condition.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { type ScreenSettings, useScreenSettings } from '@pc/ui/views/screen-settings.ts'
import { IconBookmark, IconColumns3, IconDots, IconDownload } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { chosenColumns, type Report, type ReportColumn } from '../../report-columns.ts'
import styles from './report.module.css'
import { seesRevenueDetail } from './revenue-detail-right.ts'

interface WithView {
  readonly view: string | undefined
}

export interface ReportToolsOptions<C extends WithView> {
  /** The screen whose saved views are offered, for example `articles`. */
  readonly screen: string
  /** All tables of the screen; `report` is the one that is shown. */
  readonly tables: readonly Report[]
  readonly report: Report
  /** All columns of the report. Pass a stable array. */
  readonly allColumns: readonly ReportColumn[]
  readonly definition: ConditionDefinition<C>
  readonly condition: C
  readonly setCondition: (change: Partial<C>) => void
  readonly viewer: Viewer
}

export interface ReportTools {
  readonly columns: readonly ReportColumn[]
  /** False while the person's column settings are loading. */
  readonly isKnown: boolean
  /** Renders saved views, columns, exports, boards and printing. */
  toolbar(about: ToolbarAbout): ReactNode
}

export interface ToolbarAbout {
  readonly range: DayRange
  /** Number of rows of the table; undefined: still loading. */
  readonly total: number | undefined
  /** The view that can be pinned to a board. */
  readonly pin?: PinnableView
  /** Set for a single article or video. */
  readonly ids?: { readonly itemId: string; readonly publisherId: string }
}

const Toolbar = lazyPart(async () => (await import('./report-toolbar.tsx')).ReportToolbar)

/** The toolbar of a report, and the columns that follow from the person's settings and views. */
export function useReportTools<C extends WithView>(options: ReportToolsOptions<C>): ReportTools {
  const { screen, tables, report, allColumns, definition, condition, setCondition, viewer } = options
  const settings = useScreenSettings(screen, tables)
  const view = settings.views.find(one => one.id === condition.view)
  useDefaultView(options, settings)
  const columns = useChosenColumns(allColumns, seesRevenueDetail(viewer), view?.columns ?? settings.columnsOf(report))
  const segment = definition.format({ ...condition, view: undefined })
  return {
    columns,
    isKnown: settings.isKnown,
    toolbar: ({ range, total, ids, pin }) => (
      <Suspense fallback={<Placeholders />}>
        <Toolbar
          settings={settings}
          report={report}
          allColumns={allColumns}
          columns={columns}
          viewer={viewer}
          condition={segment}
          activeViewId={view?.id}
          onOpenView={opened => setCondition({ ...definition.parse(opened.condition), view: opened.id })}
          // Choosing columns leaves the view, whose own columns would otherwise still apply.
          onColumnsChosen={() => view?.columns && setCondition({ view: undefined } as Partial<C>)}
          pin={pin}
          exported={{
            fileName: `${report}_${range.from}_${range.to}`,
            request: { report: report.replace(/-by-[a-z]+$/, ''), condition: segment ?? '', ...ids },
            total,
          }}
        />
      </Suspense>
    ),
  }
}

/** Memoised by the chosen ids, because a new array renders every row again. */
function useChosenColumns(all: readonly ReportColumn[], isStaff: boolean, ids: readonly string[] | undefined) {
  const chosen = ids?.join()
  return useMemo(() => chosenColumns(all, isStaff, chosen?.split(',')), [all, isStaff, chosen])
}

/** Opens the person's default view when the address has no condition, once per visit. */
function useDefaultView<C extends WithView>(
  { definition, condition, setCondition }: ReportToolsOptions<C>,
  { isKnown, views, defaultViewId }: ScreenSettings,
): void {
  const isDecided = useRef(false)
  const isPlain = definition.format(condition) === undefined
  useEffect(() => {
    if (!isKnown || isDecided.current) return
    isDecided.current = true
    const view = views.find(one => one.id === defaultViewId)
    if (isPlain && view) setCondition({ ...definition.parse(view.condition), view: view.id })
  })
}

const PLACEHOLDERS = [
  ['保存した表示', <IconBookmark key="icon" size={16} aria-hidden />],
  ['表示項目', <IconColumns3 key="icon" size={16} aria-hidden />],
  ['書き出し', <IconDownload key="icon" size={16} aria-hidden />],
] as const

/** Placeholders of the same size while the code loads. */
function Placeholders() {
  return (
    <div className={styles.toolbar} data-print="never">
      {PLACEHOLDERS.map(([label, icon]) => (
        <Button key={label} icon={icon} disabled>
          {label}
        </Button>
      ))}
      <Button aria-label="その他の操作" icon={<IconDots size={16} aria-hidden />} disabled />
    </div>
  )
}
