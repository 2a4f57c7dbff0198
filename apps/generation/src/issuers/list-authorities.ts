import { formatName, formatSerial } from '@rubrica/pki';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { CrlLedger } from '../crl/crl-ledger.ts';
import { parsedCertificate } from './authorities/certify.ts';
import type { Issuers, PublishedAuthority } from './issuer.ts';

export interface ListAuthoritiesDeps {
  /** As they are now: authorities are added while the service runs. */
  readonly issuers: Issuers;
  readonly crls: Pick<CrlLedger, 'served'>;
  readonly pendingAuthorities: () => Promise<readonly string[]>;
}

type ListAuthorities = OperatorUseCase<'authorities.list'>;
type Row = Awaited<ReturnType<ListAuthorities>>['items'][number];

/** The list of all certificates of an issuer. */
const wholeList = { shard: 0, isDelta: false } as const;

/** Every authority with what ends some day: certificate, OCSP responder, CRL. */
export function createListAuthorities(deps: ListAuthoritiesDeps): ListAuthorities {
  return async () => {
    const published = deps.issuers.published.toSorted((a, b) => (a.kind > b.kind ? -1 : 1));
    const [items, pending] = await Promise.all([
      Promise.all(published.map((authority) => rowOf(authority, deps))),
      deps.pendingAuthorities(),
    ]);
    return { items, pending: [...pending] };
  };
}

async function rowOf(authority: PublishedAuthority, { issuers, crls }: ListAuthoritiesDeps): Promise<Row> {
  const { name, kind, crl: brought } = authority;
  const certificate = parsedCertificate(name, Buffer.from(authority.certificate).toString('base64'));
  const issuer = issuers.all.find((one) => one.name === name);
  const served = await crls.served({ issuer: name, ...wholeList }, 0);
  const list = brought ?? served;
  return {
    name,
    kind,
    signs: name === issuers.active.name,
    keyIsElsewhere: kind === 'root' && issuers.root?.name !== name,
    subject: formatName(certificate.subject),
    serialNumber: formatSerial(certificate.serial),
    notBefore: certificate.notBefore.date.toISOString(),
    notAfter: certificate.notAfter.date.toISOString(),
    responderNotAfter: issuer?.responder.certificate.notAfter.date.toISOString() ?? null,
    crl: list
      ? {
          number: brought ? null : (served?.number ?? null),
          thisUpdate: list.thisUpdate.toISOString(),
          nextUpdate: list.nextUpdate.toISOString(),
        }
      : null,
  };
}
