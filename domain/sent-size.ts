/** The largest request that the APIs read, in bytes. */
export const MAX_SENT_BYTES = 2 * 1024 * 1024

/** The largest file that fits into one as base64 text, with room for what is sent beside it. */
export const MAX_SENT_FILE_BYTES = 1_500_000
