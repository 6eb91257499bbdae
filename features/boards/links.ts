/** Boards of pinned report views. */
export const BOARDS_PATH = '/dashboards'
