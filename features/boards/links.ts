/** Boards of pinned report views. People have bookmarked the address, which is older than the name. */
export const BOARDS_PATH = '/dashboards'
