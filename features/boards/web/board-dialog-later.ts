import { later } from '@pc/ui/later.tsx'

/** Comes when it is opened: no board needs it to be read. */
export const BoardDialog = later(async () => (await import('./board-dialog.tsx')).BoardDialog)
