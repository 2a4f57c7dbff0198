import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
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

/** An authority for TLS between services and their servers. */
export interface TransportAuthority extends IssuedCertificate {
  issue(purpose: TransportPurpose | 'route', names: TransportNames): Promise<IssuedCertificate>;
}

const algorithm = 'ecdsa-with-SHA256';
const authorityYears = 10;
const lifetimeYears = 2;

export async function createTransportAuthority(name: string): Promise<TransportAuthority> {
  const { privateKey, spki } = makeKey();
  const der = await signCertificate(
    authorityTbs({
      profile: { ...authorityProfiles.root, pathLength: 0 },
      subject: [{ type: 'commonName', value: name }],
      serial: newSerial(),
      validity: computeValidity(authorityYears),
      spki,
      signatureAlgorithm: algorithm,
    }),
    algorithm,
    keySigner(privateKey),
  );
  return openTransportAuthority({ certificate: toPem(der), key: exportPem(privateKey) });
}

/** Opens an existing authority to issue more certificates. */
export function openTransportAuthority(stored: IssuedCertificate): TransportAuthority {
  const parsed = parseCertificate(new X509Certificate(stored.certificate).raw);
  if (!parsed.ok) throw new Error("the authority's certificate cannot be read");
  const privateKey = createPrivateKey(stored.key);
  const sign = keySigner(privateKey);
  const issuer = {
    name: parsed.value.subject.raw,
    keyId: keyIdentifier(exportSpki(createPublicKey(privateKey))),
    signatureAlgorithm: algorithm,
  } as const;
  return {
    ...stored,
    async issue(purpose, names) {
      const key = makeKey();
      const [first = purpose] = [...(names.emails ?? []), ...(names.dnsNames ?? [])];
      const tbs = transportTbs({
        issuer,
        purposes: purpose === 'route' ? ['serverAuth', 'clientAuth'] : [purpose],
        subject: [{ type: 'commonName', value: first }],
        names,
        serial: newSerial(),
        validity: computeValidity(lifetimeYears),
        spki: key.spki,
      });
      return {
        certificate: toPem(await signCertificate(tbs, algorithm, sign)),
        key: exportPem(key.privateKey),
      };
    },
  };
}

function makeKey(): { privateKey: KeyObject; spki: Uint8Array } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, spki: exportSpki(publicKey) };
}

function exportSpki(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' });
}

function exportPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function newSerial(): Uint8Array {
  return serialFromRandom(randomBytes(SERIAL_RANDOM_BYTES));
}

/** Computes the validity, from an hour ago, for machines whose clocks are behind. */
function computeValidity(years: number): { notBefore: Date; notAfter: Date } {
  const notBefore = new Date(Date.now() - 3_600_000);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + years);
  return { notBefore, notAfter };
}

function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
