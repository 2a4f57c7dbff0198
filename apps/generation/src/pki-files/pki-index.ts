import type { UseCase } from '@rubrica/wiring';
import type { Issuers } from '../issuers/issuer.ts';

export interface PkiIndexDeps {
  /** Current authorities: they are added while the service runs. */
  readonly issuers: Pick<Issuers, 'active' | 'published'>;
}

/** Returns the names of the active authority and of its root. */
export function createPkiIndex({ issuers }: PkiIndexDeps): UseCase<'generation', 'pki.index'> {
  return () => {
    const { active, published } = issuers;
    const rootCertificate = active.chain.at(-1) ?? new Uint8Array();
    const root = published.find(({ certificate }) => Buffer.compare(certificate, rootCertificate) === 0);
    if (root === undefined) throw new Error('the root of the active authority is not published');
    return { root: root.name, issuing: active.name };
  };
}
