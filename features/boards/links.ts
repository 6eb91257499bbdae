/** Boards of pinned report views; the dashboard is `/reports/dashboard`. */
export const BOARDS_PATH = '/dashboards'
