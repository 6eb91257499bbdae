import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

/**
 * The address that rate limits count by: that of the connection or, behind `trustedProxies` of our own reverse proxies,
 * the one that the outermost proxy saw. Entries that the client put into X-Forwarded-For stand further left and are
 * ignored. IPv6 is cut to its /64, because one customer owns all of it.
 */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return networkOf(peer)
  const forwarded = [req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',')
  const seen = forwarded.at(-trustedProxies)?.trim() ?? ''
  return networkOf(isIP(seen) ? seen : peer)
}

/** An address as limits count it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const filled = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${filled
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
