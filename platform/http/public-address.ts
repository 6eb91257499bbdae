import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Special-purpose IPv4 ranges (IANA registry) and cloud metadata addresses outside of them. Against server-side request
 * forgery: nothing is fetched from there.
 */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers; metadata of Alibaba Cloud
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's platform
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/**
 * Only global unicast is allowed. That excludes loopback, link-local, unique local, multicast, IPv4-mapped
 * (::ffff:0:0/96), IPv4-compatible (::/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const OPEN_IPV6 = '2000::/3'
const CLOSED_IPV6 = [
  '2001::/23', // IETF protocols: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address inside
  '2620:4f:8000::/48',
  '3ffe::/16',
  '3fff::/20',
]
/** Interface identifiers of ISATAP, which carry an IPv4 address. */
const ISATAP = /:(?:0|200)?:?5efe:[0-9a-f:.]+$/i

const closed = new BlockList()
for (const subnet of CLOSED_IPV4) addSubnet(closed, subnet, 'ipv4')
for (const subnet of CLOSED_IPV6) addSubnet(closed, subnet, 'ipv6')
const openIpv6 = new BlockList()
addSubnet(openIpv6, OPEN_IPV6, 'ipv6')

/**
 * Whether an IP address (no host name, no brackets, no zone) belongs to the public internet.
 * Tested by `platform/http/safe-fetch.test.ts`.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%') || ISATAP.test(address)) return false
  return openIpv6.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

function addSubnet(list: BlockList, subnet: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits = ''] = subnet.split('/')
  list.addSubnet(net, Number(bits), family)
}
