import type { Socket } from 'node:net'

/**
 * Ends a connection on which no request could be read. One that a browser opened ahead of need and left silent is closed
 * without an answer: the browser would take an answer for that of the request which it sends just then, and show it as a
 * failure; a closed connection it opens again by itself.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.bytesRead === 0 || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(
    `HTTP/1.1 ${STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}

/** As Node answers them when nobody listens for its `clientError`. */
const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
}
