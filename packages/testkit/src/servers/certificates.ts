import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  authorityProfiles,
  authorityTbs,
  keyIdentifier,
  keySigner,
  parseCertificate,
  SERIAL_RANDOM_BYTES,
  serialFromRandom,
  signCertificate,
  type TransportNames,
  type TransportPurpose,
  transportTbs,
} from '@rubrica/pki';

/** A certificate with its key, both PEM. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** An authority for TLS between services and their servers. Its key ends with this process. */
export interface TransportAuthority {
  /** PEM. */
  readonly certificate: string;
  issue(purpose: TransportPurpose, names: TransportNames): Promise<IssuedCertificate>;
}

const algorithm = 'ecdsa-with-SHA256';
const lifetimeYears = 2;

/** Nobody can issue another certificate later: who wants one more makes all of them anew. */
export async function createTransportAuthority(name: string): Promise<TransportAuthority> {
  const { privateKey, spki } = makeKey();
  const sign = keySigner(privateKey);
  const subject = [{ type: 'commonName', value: name }] as const;
  const der = await signCertificate(
    authorityTbs({
      profile: { ...authorityProfiles.root, pathLength: 0 },
      subject,
      serial: newSerial(),
      validity: validity(),
      spki,
      signatureAlgorithm: algorithm,
    }),
    algorithm,
    sign,
  );
  const parsed = parseCertificate(der);
  if (!parsed.ok) throw new Error('the authority made a certificate that cannot be read');
  const issuer = {
    name: parsed.value.subject.raw,
    keyId: keyIdentifier(spki),
    signatureAlgorithm: algorithm,
  } as const;
  return {
    certificate: pem(der),
    async issue(purpose, names) {
      const key = makeKey();
      const [first = name] = [...(names.emails ?? []), ...(names.dnsNames ?? [])];
      const tbs = transportTbs({
        issuer,
        purpose,
        subject: [{ type: 'commonName', value: first }],
        names,
        serial: newSerial(),
        validity: validity(),
        spki: key.spki,
      });
      return {
        certificate: pem(await signCertificate(tbs, algorithm, sign)),
        key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
}

function makeKey(): { privateKey: KeyObject; spki: Uint8Array } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, spki: publicKey.export({ type: 'spki', format: 'der' }) };
}

function newSerial(): Uint8Array {
  return serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES));
}

/** From an hour ago, for machines whose clocks are behind. */
function validity(): { notBefore: Date; notAfter: Date } {
  const notBefore = new Date(Date.now() - 3_600_000);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + lifetimeYears);
  return { notBefore, notAfter };
}

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
