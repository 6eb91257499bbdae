/** What both sides of an upload know. Apart from the links of the screens, which the first page carries. */

/** On the origin of the console: where a person's files go, and where the templates are. */
export const INGEST_UPLOADS = '/ingest/uploads'
const INGEST_TEMPLATES = '/ingest/templates/'

export function ingestTemplate(dataset: string): string {
  return `${INGEST_TEMPLATES}${dataset}.csv`
}

export function isUploadPath(path: string): boolean {
  return path === INGEST_UPLOADS || path.startsWith(`${INGEST_UPLOADS}/`) || path.startsWith(INGEST_TEMPLATES)
}

/** Bytes of a delivery as it comes; a greater one is split by its sender. */
export const MAX_DELIVERY_BYTES = 2048 * 1024 * 1024
