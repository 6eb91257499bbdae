import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface SelfSigned {
  /** PEM. */
  readonly key: string
  /** PEM. */
  readonly cert: string
  /** SHA-256 of the public key in base64, for Chromium's `--ignore-certificate-errors-spki-list`. */
  readonly publicKeyHash: string
}

const HOUR_MS = 3_600_000
const OID = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', subjectAltName: '551d11' }
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, text: 0x0c, time: 0x17, sequence: 0x30, set: 0x31 }

/** A certificate for an IPv4 address (X.509, RFC 5280), for a single run; it is never written to disk. */
export function selfSigned(address: string, now: Date): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const name = sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.text, Buffer.from(address)))))
  // In a SubjectAltName, tag [7] is an IP address.
  const names = sequence(der(0x87, Buffer.from(address.split('.').map(Number))))
  const body = sequence(
    der(0xa0, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ...[algorithm, name],
    sequence(time(now.getTime() - HOUR_MS), time(now.getTime() + 24 * HOUR_MS)),
    ...[name, spki],
    der(0xa3, sequence(sequence(oid(OID.subjectAltName), der(TAG.octets, names)))),
  )
  const certificate = sequence(body, algorithm, bits(sign('sha256', body, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    publicKeyHash: createHash('sha256').update(spki).digest('base64'),
  }
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.trunc(length / 0x100), length % 0x100]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...contents: readonly Buffer[]) => der(TAG.sequence, ...contents)
const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(TAG.bits, Buffer.of(0), content)
const time = (ms: number) =>
  der(
    TAG.time,
    Buffer.from(
      new Date(ms)
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/g, ''),
    ),
  )
