import type { ReportSlots } from '@pc/ui/chart/report-slots.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'

/** Parts that boards, notes and duties add to report screens; their code loads after the first paint. */
export const REPORT_SLOTS: ReportSlots = {
  PinDialog: lazy(() =>
    import('@pc/features/boards/web/pin-dialog.tsx').then(module => ({ default: module.PinDialog })),
  ),
  ChartNotes: lazy(() =>
    import('@pc/features/annotations/web/chart-notes.tsx').then(module => ({ default: module.ChartNotes })),
  ),
  HomeParts: lazy(() => import('./home-bundle.ts').then(module => ({ default: module.homeBundle.HomeParts }))),
}
