/** Constants of the upload endpoint for browser and server. Not in `links.ts`, which is part of the first page load. */

/** Paths on the console's origin: uploads, and templates of each dataset. */
export const INGEST_UPLOADS = '/ingest/uploads'
const INGEST_TEMPLATES = '/ingest/templates/'

export function ingestTemplate(dataset: string): string {
  return `${INGEST_TEMPLATES}${dataset}.csv`
}

export function isUploadPath(path: string): boolean {
  return path === INGEST_UPLOADS || path.startsWith(`${INGEST_UPLOADS}/`) || path.startsWith(INGEST_TEMPLATES)
}

/** Bytes of a delivery as sent (compressed or not). A sender splits a larger one. */
export const MAX_DELIVERY_BYTES = 2048 * 1024 * 1024
