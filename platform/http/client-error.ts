import type { Socket } from 'node:net'

/**
 * Ends a connection on which no request could be read. Browsers open spare connections, and a silent one is closed without
 * an answer: a browser that sends its first request just then would take ours for the answer to it. When the connection
 * is closed instead, it sends the request again on another.
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

/** By error code, as Node answers without a listener for `clientError`. */
const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
}
