import type { PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { ExportMenu } from '@pc/ui/export/export-menu.tsx'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { ColumnChooser } from '@pc/ui/table/column-chooser.tsx'
import { useSaveScreenSettings } from '@pc/ui/views/save-screen-settings.ts'
import { SavedViews } from '@pc/ui/views/saved-views.tsx'
import type { SavedView, ScreenSettings } from '@pc/ui/views/screen-settings.ts'
import { columnsFor, type Report, type ReportColumn } from '../../report-columns.ts'
import styles from './report.module.css'
import { ReportMenu } from './report-menu.tsx'
import { seesRevenueDetail } from './revenue-detail-right.ts'

interface ReportToolbarProps {
  settings: ScreenSettings
  report: Report
  allColumns: readonly ReportColumn[]
  columns: readonly ReportColumn[]
  viewer: Viewer
  condition: string | undefined
  activeViewId: string | undefined
  onOpenView: (view: SavedView) => void
  onColumnsChosen: () => void
  /** Undefined: this report cannot be pinned to boards. */
  pin: PinnableView | undefined
  exported: { fileName: string; request: Readonly<Record<string, unknown>>; total: number | undefined }
}

/** Saved views, columns, exports, and a menu with the rest. A chunk of its own, so that the report is shown first. */
export function ReportToolbar(props: ReportToolbarProps) {
  const { settings, report, columns, viewer, exported } = props
  const changes = useSaveScreenSettings(settings)
  const chosen = columns.filter(column => !column.isFixed).map(column => column.id)
  return (
    <div className={styles.toolbar} data-print="never">
      <SavedViews
        settings={settings}
        changes={changes}
        activeId={props.activeViewId}
        condition={props.condition}
        columns={chosen}
        onOpen={props.onOpenView}
        maySaveForRole={isStaffViewer(viewer)}
      />
      <ColumnChooser
        columns={columnsFor(props.allColumns, seesRevenueDetail(viewer))}
        shown={chosen}
        onChange={ids => {
          void changes.saveColumns(report, ids)
          props.onColumnsChosen()
        }}
      />
      <ExportMenu
        fileName={exported.fileName}
        path="/exports/report"
        request={{ ...exported.request, columns: columns.map(column => column.id) }}
        total={exported.total}
      />
      <ReportMenu pin={props.pin} viewer={viewer} />
    </div>
  )
}
