import type { PoolKind } from '../agreement/revenue-share.ts'

export const POOL_LABELS: Readonly<Record<PoolKind, string>> = {
  ssp: 'SSP分',
  ssp_video: '動画SSP分',
  ssp_live: 'ライブSSP分',
}
