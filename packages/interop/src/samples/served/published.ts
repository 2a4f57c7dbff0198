import { X509Certificate } from 'node:crypto';
import {
  encodeCertId,
  issuerHashes,
  ocspRequest,
  type ParsedCertificate,
  parseCertificate,
  parseCrl,
} from '@rubrica/pki';
import { pollFor } from '@rubrica/testkit';

const pkijs = await import('pkijs');

/** Addresses in a certificate of its issuer, the CRL and the OCSP responder. */
export interface Addresses {
  readonly issuer: string;
  readonly crl: string;
  readonly ocsp: string;
}

/** Reads the addresses with another vendor's library, because they are part of the test. */
export function addressesIn(certificate: Uint8Array): Addresses {
  const access = new X509Certificate(certificate).infoAccess ?? '';
  const findAddress = (method: string) => new RegExp(`^${method} - URI:(.*)$`, 'm').exec(access)?.[1] ?? '';
  const { extensions } = pkijs.Certificate.fromBER(Uint8Array.from(certificate).buffer);
  const points = extensions?.find(({ extnID }) => extnID === '2.5.29.31')?.parsedValue;
  const [name] = points?.distributionPoints[0]?.distributionPoint ?? [];
  return { issuer: findAddress('CA Issuers'), ocsp: findAddress('OCSP'), crl: String(name?.value ?? '') };
}

/** Extracts the name: `issuing` of `http://…/pki/issuing.cer`. */
export function nameIn(url: string): string {
  return (
    new URL(url).pathname
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? ''
  );
}

export async function download(url: string, init?: RequestInit): Promise<Uint8Array> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Downloads the CRL once it contains all these serial numbers: a change is published within seconds. */
export function crlNaming(url: string, serials: readonly string[]): Promise<Uint8Array> {
  return pollFor(
    async () => {
      const crl = await download(url);
      const read = parseCrl(crl);
      if (!read.ok) throw new Error(`${url}: ${read.error.reason}`);
      return serials.every((serial) => read.value.find(serial)) && crl;
    },
    { deadlineMs: 60_000, everyMs: 250, what: `${serials.length} entries in ${url}` },
  );
}

export function askOcsp(
  url: string,
  { issuer, serial }: { issuer: Uint8Array; serial: string },
): Promise<Uint8Array> {
  const certId = encodeCertId({ issuer: issuerHashes(parsed(issuer)), hash: 'sha1', serial });
  return download(url, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request' },
    body: Uint8Array.from(ocspRequest({ certIds: [certId] })),
  });
}

export function parsed(certificate: Uint8Array): ParsedCertificate {
  const read = parseCertificate(certificate);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
}
