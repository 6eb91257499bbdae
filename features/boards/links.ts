/** Boards of pinned report views (specification, section 2). */
export const BOARDS_PATH = '/dashboards'
