/** Creates X.509 certificates (RFC 5280) for receivers in TLS tests. */
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';

/**
 * Self-signed, and valid for these DNS names; a client that trusts it as a root accepts it. TLS uses the clock of the
 * machine, not the fake clock.
 */
export function selfSigned(names: readonly string[], notBefore = new Date('2020'), notAfter = new Date('2090')) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = toBeSigned(names, notBefore, notAfter, publicKey);
  const signature = sign('sha256', body, privateKey);
  const der = sequence(body, ecdsaWithSha256, element(0x03, Buffer.from([0]), signature));
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: new X509Certificate(der).toString(), key };
}

const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonNameId = Buffer.from('0603550403', 'hex');
const subjectAltNameId = Buffer.from('0603551d11', 'hex');

function toBeSigned(names: readonly string[], from: Date, until: Date, publicKey: KeyObject): Buffer {
  const commonName = element(0x0c, Buffer.from(names[0] ?? 'test'));
  const subject = sequence(element(0x31, sequence(commonNameId, commonName)));
  const altNames = sequence(...names.map((name) => element(0x82, Buffer.from(name, 'latin1'))));
  return sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    sequence(time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(subjectAltNameId, element(0x04, altNames)))),
  );
}

function time(date: Date): Buffer {
  return element(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, ...parts);
}

function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}
