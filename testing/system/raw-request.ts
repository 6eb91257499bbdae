import http from 'node:http'

/** A request by node:http, a POST unless told. It sends what fetch would not: any Origin, Host or Content-Type. */
export function rawRequest(
  url: string,
  options: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: options.method ?? 'POST', headers: options.headers ?? {} },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      },
    )
    request.on('error', reject)
    request.end(options.body)
  })
}

export const JSON_HEADERS = { 'content-type': 'application/json' }
