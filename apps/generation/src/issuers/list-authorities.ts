import { formatName, formatSerial } from '@rubrica/pki';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { CrlLedger } from '../crl/crl-ledger.ts';
import { parseAuthorityCertificate } from './authorities/lint-and-sign.ts';
import type { Issuers, PublishedAuthority } from './issuer.ts';

export interface ListAuthoritiesDeps {
  /** Current authorities: they are added while the service runs. */
  readonly issuers: Issuers;
  readonly crls: Pick<CrlLedger, 'served'>;
  readonly pendingAuthorities: () => Promise<readonly string[]>;
}

type ListAuthorities = OperatorUseCase<'authorities.list'>;
type Row = Awaited<ReturnType<ListAuthorities>>['items'][number];

/** Selects the complete list of an issuer. */
const completeList = { shard: 0, isDelta: false } as const;

/** Lists every authority with its expiring items: certificate, OCSP responder, CRL. */
export function createListAuthorities(deps: ListAuthoritiesDeps): ListAuthorities {
  return async () => {
    const published = deps.issuers.published.toSorted((a, b) => (a.kind > b.kind ? -1 : 1));
    const [items, pending] = await Promise.all([
      Promise.all(published.map((authority) => toRow(authority, deps))),
      deps.pendingAuthorities(),
    ]);
    return { items, pending: [...pending] };
  };
}

async function toRow(authority: PublishedAuthority, { issuers, crls }: ListAuthoritiesDeps): Promise<Row> {
  const { name, kind, crl: importedCrl } = authority;
  const certificate = parseAuthorityCertificate(name, Buffer.from(authority.certificate).toString('base64'));
  const issuer = issuers.all.find((candidate) => candidate.name === name);
  const served = await crls.served({ issuer: name, ...completeList }, 0);
  const list = importedCrl ?? served;
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
          number: importedCrl ? null : (served?.number ?? null),
          thisUpdate: list.thisUpdate.toISOString(),
          nextUpdate: list.nextUpdate.toISOString(),
        }
      : null,
  };
}
